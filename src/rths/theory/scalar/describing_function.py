"""Limit cycle of a delayed saturating spring, by its describing function.

The spring k_p x stays at ±k_p a beyond |x| = a. A sine of amplitude A sees the mean stiffness

    N(A) = (2/π) (asin(a/A) + (a/A) √(1 - (a/A)²)),   A ≥ a;   N = 1 below                     (1)

and a cycle stands where the weakened spring is just critical: N(A) p = p_c(τ), with (p_c, w) on
the lobe that is lowest at this delay,

    wτ = arccot((w²-1)/(2ζw)) + 2πn,   p_c = √((w²-1)² + 4ζ²w²)                                (2)

Each n has exactly one w in [2πn/τ, (2n+1)π/τ], as arccot falls with w; p_c falls up to w² = 1 - 2ζ²
and rises above, so that only the lobes on either side of it can be lowest.

It exists only where the linear loop is unstable, p > p_c, and then is stable: growth weakens the
spring. Exact only for a purely sinusoidal x; the third harmonic left out costs 1-2 % for W0 of
Wallace.

[wallace2005], eqs (16), (17). [gelb1968] Multiple-Input Describing Functions, Table B.1.
"""

from dataclasses import dataclass
from math import asin, atan2, hypot, inf, pi, sqrt

from scipy.optimize import brentq

from rths.errors import InputError
from rths.theory.scalar.equation import ScalarEquation


@dataclass(frozen=True)
class SaturationCycle:
    """`amplitude` in units of the yield displacement a; frequency and period non-dimensional."""

    amplitude: float
    frequency: float

    @property
    def period(self) -> float:
        """2π/w, in units of 1/ω_n."""
        return 2 * pi / self.frequency


def saturation_gain(amplitude: float) -> float:
    """N(A), equation (1), for A in units of a."""
    if amplitude <= 1:
        return 1.0
    ratio = 1 / amplitude
    return 2 / pi * (asin(ratio) + ratio * sqrt(1 - ratio * ratio))


def critical_stiffness(damping_ratio: float, delay: float) -> tuple[float, float]:
    """(p_c, w) of the lowest lobe at this delay, equation (2); infinite for no delay."""
    if delay <= 0:
        return inf, inf
    z = damping_ratio

    def lobe_point(n: int) -> tuple[float, float]:
        def excess(w: float) -> float:
            return w * delay - 2 * pi * n - atan2(2 * z * w, w * w - 1)

        # half a turn, with a reserve on either side for ζ = 0, where the root lies at an end
        ends = max(0.0, (2 * n - 0.5) * pi / delay), (2 * n + 1.5) * pi / delay
        w = float(brentq(excess, *ends, xtol=1e-15, rtol=1e-15, maxiter=300))
        return hypot(w * w - 1, 2 * z * w), w

    middle = int(delay * sqrt(max(0.0, 1 - 2 * z * z)) / (2 * pi))
    return min(lobe_point(n) for n in range(max(0, middle - 1), middle + 2))


def saturation_cycle(equation: ScalarEquation, delay: float) -> SaturationCycle | None:
    """The cycle of a spring specimen, or None where the linear loop is stable."""
    if equation.specimen_damping:
        problem = "is not zero, but only the spring saturates here"
        raise InputError("specimen_damping", equation.specimen_damping, problem, "Set it to zero")
    critical, w = critical_stiffness(equation.damping_ratio, delay)
    gain = critical / equation.specimen_stiffness if equation.specimen_stiffness else inf
    if gain >= 1:
        return None
    if gain == 0:  # undamped, at resonance: nothing bounds the motion
        return SaturationCycle(inf, w)
    far = 4 / (pi * gain)  # N < 4a/(πA)
    amplitude = brentq(lambda a: saturation_gain(a) - gain, 1.0, far, xtol=1e-14, rtol=1e-14)
    return SaturationCycle(float(amplitude), w)
