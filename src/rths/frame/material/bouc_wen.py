"""Bouc and Wen: smooth hysteresis from one differential equation.

    s = α k e + (1 - α) k z                                                                   (1)
    dz/de = A - |z|^n (γ + β sgn(z de))                                                        (2)

(2) is taken from strain to strain by the backward rule, dz = (A - |z|^n (...)) de, z at its end, so
that a large step cannot leave the bounds of z. Its one root is found by Newton's method, kept
between the two ends that enclose it. OpenSees calls it BoucWen (without its deterioration).

Use it for isolators, connections and whole storeys known from a measured loop.

[wen1976] J. Eng. Mech. Div. ASCE 102(2), 249-263.
"""

from __future__ import annotations

from math import pow

from rths.errors import InputError
from rths.frame.material.base import BOUC_WEN, Material, describe
from rths.loop.block import Vector
from rths.loop.fields import fields
from rths.quantity import AtLeastOne, NonNegative, Positive, Ratio, Real

P = fields(elastic="α k, Pa", hysteretic="(1 - α) k, Pa", slope="A", power="n", gamma="γ", beta="β")
X = fields(strain="e", z="z")
CLOSE = 1e-15
"""Share of z and its step by which the root may be missed."""
MOST = 60
"""Steps of the search; halving alone gives all digits in so many."""


def follow_bouc_wen(p: Vector, x: Vector, z: Vector, e: float) -> tuple[float, float]:
    """Take a strain; give stress and tangent."""
    step = e - x[X.strain]
    end, slope = advance_z(p, x[X.z], step)
    z[X.strain], z[X.z] = e, end
    s = p[P.elastic] * e + p[P.hysteretic] * end  # (1)
    return s, p[P.elastic] + p[P.hysteretic] * slope


def advance_z(p: Vector, z: float, step: float) -> tuple[float, float]:
    """Solve the backward rule of (2) for z; give it with its slope dz/de."""
    A, n = p[P.slope], p[P.power]
    if step == 0.0:
        return z, A - pow(abs(z), n) * weight(p, z, 1.0)
    reach = abs(step) * (A + pow(abs(z), n) * (p[P.beta] - p[P.gamma]))  # no z moves further
    low, high = z - reach, z + reach
    new, slope = z, A
    for _ in range(MOST):
        share = weight(p, new, step)
        rate = A - pow(abs(new), n) * share
        miss = new - z - rate * step
        if miss > 0.0:
            high = new
        else:
            low = new
        bend = 0.0
        if new != 0.0:
            bend = n * pow(abs(new), n - 1.0) * share * (1.0 if new > 0.0 else -1.0)
        slope = rate / (1.0 + bend * step)
        after = new - miss / (1.0 + bend * step)
        if not low <= after <= high:
            after = 0.5 * (low + high)
        if abs(after - new) <= CLOSE * (abs(new) + reach):
            return after, slope
        new = after
    return new, slope


def weight(p: Vector, z: float, step: float) -> float:
    """Give γ + β sgn(z de) of (2)."""
    share: float = p[P.gamma] + p[P.beta] * (1.0 if z * step > 0.0 else -1.0)
    return share


@describe
class BoucWen(Material):
    """A loop of any roundness."""

    kind = "bouc_wen"
    code = BOUC_WEN
    states = len(X)
    example = {"modulus": 1e7, "hardening": 0.05, "power": 1.5, "gamma": 60.0, "beta": 60.0}

    modulus: Positive
    """Initial modulus k, Pa; of a spring its stiffness."""
    hardening: Ratio = 0.0
    """Ratio α of the final modulus to the initial one."""
    power: AtLeastOne = 1.0
    """n: how sharply it yields."""
    gamma: Real
    """γ, 1 over strain to the power n; with β and A it sets the largest z, (A/(γ + β))^(1/n)."""
    beta: NonNegative
    """β, in the unit of γ."""
    slope: Positive = 1.0
    """A, the initial slope of z."""

    def __post_init__(self) -> None:
        """Refuse a z without bound."""
        if self.gamma + self.beta <= 0.0 or self.beta < self.gamma:
            raise InputError(
                "material.gamma",
                self.gamma,
                f"and beta = {self.beta:g} give no closed loop",
                "Choose -beta < gamma <= beta; equal ones unload along the initial modulus.",
            )

    def parameters(self) -> Vector:
        """Give the places of P."""
        packed: Vector = P.pack(
            elastic=self.hardening * self.modulus,
            hysteretic=(1 - self.hardening) * self.modulus,
            slope=self.slope,
            power=self.power,
            gamma=self.gamma,
            beta=self.beta,
        )
        return packed

    @property
    def initial_tangent(self) -> float:
        """(α + (1 - α) A) k."""
        return (self.hardening + (1 - self.hardening) * self.slope) * self.modulus
