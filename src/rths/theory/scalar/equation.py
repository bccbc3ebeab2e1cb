"""One mass with a delayed spring-and-damper specimen, in the papers' non-dimensional form.

    λ² + 2ζλ + 1 + (p + qλ) exp(-λτ) = 0                                                       (1)

Time counts in 1/ω_n of the numerical part, ω_n² = k/m, ζ = c/(2√(mk)); p = k_s/k is the stiffness
of the specimen and q = c_s/(m ω_n) its damping. q = 0 is the delayed spring of Wallace, p = 0 the
delayed damper of Londoño.

[wallace2005], eq. (6). [londono2011], eq. (8).
"""

from __future__ import annotations

from cmath import exp, sqrt
from dataclasses import dataclass
from math import isfinite

from rths.errors import InputError
from rths.theory.delay.equation import DelayedTerm, DelayEquation, second_order


@dataclass(frozen=True)
class ScalarEquation:
    """The constants of (1); the delay is an argument of every question asked about it."""

    damping_ratio: float
    specimen_stiffness: float = 0.0
    specimen_damping: float = 0.0

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if not (isfinite(value) and value >= 0):
                raise InputError(name, value, "must be finite and not negative", "Check its sign")

    def characteristic(self, root: complex, delay: float) -> complex:
        """Left side of (1)."""
        specimen = self.specimen_stiffness + self.specimen_damping * root
        return root * root + 2 * self.damping_ratio * root + 1 + specimen * exp(-root * delay)

    def slope(self, root: complex, delay: float) -> complex:
        """Its derivative with respect to λ."""
        p, q = self.specimen_stiffness, self.specimen_damping
        return 2 * (root + self.damping_ratio) + (q - delay * (p + q * root)) * exp(-root * delay)

    def drift(self, root: complex, delay: float) -> complex:
        """dλ/dτ of a root that follows the delay."""
        specimen = self.specimen_stiffness + self.specimen_damping * root
        return root * specimen * exp(-root * delay) / self.slope(root, delay)

    def undelayed_root(self) -> complex:
        """The root at τ = 0, upper one of the pair (or the slower one if both are real)."""
        half = self.damping_ratio + self.specimen_damping / 2
        return -half + sqrt(half * half - 1 - self.specimen_stiffness)

    def delay_equation(self, delay: float) -> DelayEquation:
        """The same as a `DelayEquation`."""
        late = DelayedTerm(delay, self.specimen_stiffness, self.specimen_damping)
        return second_order(1.0, 2 * self.damping_ratio, 1.0, [late])


def non_dimensional(
    mass: float, damping: float, stiffness: float, specimen: float = 0.0, dashpot: float = 0.0
) -> tuple[ScalarEquation, float]:
    """From SI to (1): the equation and ω_n in rad/s; τ of (1) is ω_n times the delay in s."""
    for name, value in (("mass", mass), ("stiffness", stiffness)):
        if not value > 0:
            raise InputError(name, value, "must be positive", "Give it in kg or N/m")
    rate = (stiffness / mass) ** 0.5
    zeta = damping / (2 * mass * rate)
    return ScalarEquation(zeta, specimen / stiffness, dashpot / (mass * rate)), rate


def principal_root(equation: ScalarEquation, delay: float, steps: int = 64) -> complex:
    """The root continued from τ = 0 in `steps`; a negative delay (over-prediction) is allowed.

    With a negative delay the equation is of advanced type and has infinitely many roots further
    right; only this one continues the structure's own.
    """
    root = equation.undelayed_root()
    for k in range(1, steps + 1):
        now = delay * k / steps
        root += equation.drift(root, now - delay / steps) * delay / steps
        for _ in range(20):
            change = equation.characteristic(root, now) / equation.slope(root, now)
            root -= change
            if abs(change) < 1e-15 * abs(root):
                break
    return root
