"""Stability lobes and simple limits of the delayed spring and the delayed damper, closed forms.

Spring, λ² + 2ζλ + 1 + p e^(-λτ) = 0, along a lobe with parameter w:

    p = √((w²-1)² + 4ζ²w²),   wτ = arccot((w²-1)/(2ζw)) + 2πn,   0 < arccot < π,   n = 0, 1, …  (1)
    w² = 1 - 2ζ² ± √(p² - 4ζ²(1-ζ²));   the lower sign needs p < 1                             (2)
    stable for every delay if p < 2ζ√(1-ζ²) (ζ² ≤ 1/2; p < 1 for more damping)                 (3)
    τ_c ≈ 2ζ/p, in seconds c/k_s, for small delay                                              (4)

Damper, λ² + 2ζλ + 1 + qλ e^(-λτ) = 0:

    q = √((w²-1)² + 4ζ²w²)/w,   wτ = arctan((1-w²)/(2ζw)) + (2n+1)π                            (5)
    w = (±r + √(r²+4))/2,   r² = q² - 4ζ²                                                      (6)
    stable for every delay if q ≤ 2ζ                                                           (7)

In print (1) adds nπ and (5) any multiple of π: the odd, respectively even ones solve the equation
for -p only and are spurious. `lobe_points` therefore keeps a point only if it satisfies the
equation.

[wallace2005], eqs (9), (11), (12); [londono2011], eqs (11), (12).
"""

from collections.abc import Iterable
from math import atan, atan2, hypot, pi, sqrt

from rths.errors import InputError
from rths.theory.scalar.equation import ScalarEquation
from rths.theory.scalar.hopf import satisfies


def spring_lobe(damping_ratio: float, frequency: float, turn: int = 0) -> tuple[float, float]:
    """(τ, p) of lobe `turn` at the parameter w, equation (1)."""
    w, z = _frequency(frequency), damping_ratio
    return (atan2(2 * z * w, w * w - 1) + 2 * pi * turn) / w, hypot(w * w - 1, 2 * z * w)


def damper_lobe(damping_ratio: float, frequency: float, turn: int = 0) -> tuple[float, float]:
    """(τ, q) of lobe `turn` at the parameter w, equation (5)."""
    w, z = _frequency(frequency), damping_ratio
    angle = atan((1 - w * w) / (2 * z * w)) if z > 0 else (pi / 2 if w < 1 else -pi / 2)
    return (angle + (2 * turn + 1) * pi) / w, hypot(w * w - 1, 2 * z * w) / w


def lobe_points(
    damping_ratio: float, candidates: Iterable[tuple[float, float, float]], specimen: str
) -> list[tuple[float, float]]:
    """The (τ, strength) of those (w, τ, strength) that satisfy the equation, strength > 0."""
    if specimen not in ("spring", "damper"):
        raise InputError("specimen", specimen, "is not known", "Say 'spring' or 'damper'")
    kept = []
    for w, delay, strength in candidates:
        if not strength > 0:
            continue
        stiffness, damping = (strength, 0.0) if specimen == "spring" else (0.0, strength)
        if satisfies(ScalarEquation(damping_ratio, stiffness, damping), delay, w):
            kept.append((delay, strength))
    return kept


def perturbation_delay(damping: float, specimen_stiffness: float) -> float:
    """c/k_s in seconds (SI), equation (4): the first-order critical delay."""
    if not specimen_stiffness > 0:
        raise InputError("specimen_stiffness", specimen_stiffness, "must be positive", "Give N/m")
    return damping / specimen_stiffness


def harmless_stiffness(damping_ratio: float) -> float:
    """The p below which no delay destabilises, equation (3)."""
    z2 = damping_ratio**2
    return 2 * damping_ratio * sqrt(1 - z2) if z2 <= 0.5 else 1.0


def harmless_damping(damping_ratio: float) -> float:
    """The q up to which no delay destabilises, equation (7)."""
    return 2 * damping_ratio


def _frequency(w: float) -> float:
    if not w > 0:
        raise InputError("frequency", w, "must be positive", "Give ω/ω_n of the crossing root")
    return w
