"""Delays at which a pair of roots of the scalar equation crosses the imaginary axis, and which way.

With P = 1 - w² + 2iζw and Q = p + iqw, a root λ = iw needs |P| = |Q|, a quadratic in w²,

    w⁴ + (4ζ² - 2 - q²) w² + 1 - p² = 0                                                        (1)
    τ = (arg(-Q/P) + 2πk)/w,   0 ≤ arg < 2π,   k = 0, 1, …                                     (2)
    direction = sign Re dλ/dτ,   dλ/dτ = λ Q e^(-λτ) / (2λ + 2ζ + (q - τQ) e^(-λτ))            (3)

A point is returned only if it satisfies the characteristic equation itself when put back into it.
Non-dimensional time as in `equation`.

[wallace2005], eqs (10)-(12); [londono2011], eqs (9)-(12), both with the corrections noted in
`lobes`.
"""

from cmath import phase
from dataclasses import dataclass
from math import inf, pi

from rths.errors import InputError
from rths.theory.scalar.equation import ScalarEquation
from rths.theory.scalar.root_count import count_right_of, crossing_frequencies


@dataclass(frozen=True)
class HopfPoint:
    """A crossing at `delay` with ±i `frequency`; `direction` +1 destabilises, -1 restabilises."""

    delay: float
    frequency: float
    direction: int


def satisfies(
    equation: ScalarEquation, delay: float, frequency: float, tolerance: float = 1e-9
) -> bool:
    """Whether i·frequency is a root at this delay: the test every crossing has to pass."""
    if not (frequency > 0 and delay >= 0):
        return False
    size = 1 + frequency**2 + equation.specimen_stiffness + equation.specimen_damping * frequency
    return abs(equation.characteristic(1j * frequency, delay)) <= tolerance * size


def hopf_points(equation: ScalarEquation, longest: float) -> list[HopfPoint]:
    """Every crossing with 0 < τ ≤ `longest`, in order of the delay."""
    if not 0 <= longest < inf:
        raise InputError("longest", longest, "must be finite and not negative", "Give ω_n τ_max")
    e, points = equation, []
    zeta, p, q = e.damping_ratio, e.specimen_stiffness, e.specimen_damping
    for w in crossing_frequencies(2 * zeta, 1.0, p, q):
        if w <= 0:
            continue
        turn = phase(-complex(p, q * w) / complex(1 - w * w, 2 * zeta * w)) % (2 * pi)
        for k in range(int((w * longest - turn) // (2 * pi)) + 1):
            delay = (turn + 2 * pi * k) / w
            if delay > 0 and satisfies(e, delay, w):
                speed = e.drift(1j * w, delay).real
                points.append(HopfPoint(delay, w, 1 if speed > 0 else -1))
    return sorted(points, key=lambda point: point.delay)


def critical_delay(equation: ScalarEquation) -> float:
    """The delay up to which the loop is stable; 0 if it never is, infinity if it always is.

    An undamped loop that leaves the axis at τ = 0⁺ has a critical delay of zero.
    """
    e = equation
    zeta, p, q = e.damping_ratio, e.specimen_stiffness, e.specimen_damping
    w_plus, _ = crossing_frequencies(2 * zeta, 1.0, p, q)
    if w_plus <= 0:
        return inf if 2 * zeta + q > 0 else 0.0
    if 2 * zeta + q <= 0:
        return 0.0
    points = hopf_points(e, 2 * pi / w_plus * 1.001)
    return min(h.delay for h in points if h.frequency == w_plus)  # w₊ is the destabilising one


def unstable_pairs(equation: ScalarEquation, delay: float) -> int:
    """Pairs of roots right of the imaginary axis, from the closed count."""
    e = equation
    zeta, p, q = e.damping_ratio, e.specimen_stiffness, e.specimen_damping
    return count_right_of(0.0, zeta, p, q, delay) // 2
