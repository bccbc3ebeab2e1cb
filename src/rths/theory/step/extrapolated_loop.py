"""Where the loop with polynomial extrapolation really loses stability, next to the harmonic margin.

One mass of natural frequency ω_0 and damping ζ; the share r of its stiffness is the specimen,
driven through a delay τ that a polynomial of order n through points one delay apart is to
compensate. In units of ω_0, with θ = ωτ,

    x'' + 2ζx' + (1-r) x + r Σ_k w_k x(t - (k+1)τ) = 0                                       (1)
    A(θ) = Σ_k w_k e^(-iθ(k+1)) = 1 - (1 - e^(-iθ))^(n+1)                                    (2)

A root iω meets the axis where, independently of τ,

    ω(θ) = √(1 - r + r Re A(θ)),   2ζ ω(θ) + r Im A(θ) = 0,   τ = θ/ω(θ)                       (3)

and the critical delay is the least of these τ. For ζ = 0, r = 1: n = 2 gives π/(3√2), n = 3 gives
π/(2√5).

    f = 2ζ/(2π r τ)     energy balance of a small uncompensated delay                          (4)

[carrion2006], eqs (1), (2) and Fig 3; their ωτ = π/2 is the harmonic margin, not a limit of
stability.
"""

from math import pi

import numpy as np
from scipy.optimize import bisect

from rths.errors import InputError
from rths.theory.delay.equation import DelayedTerm, DelayEquation, second_order
from rths.theory.step.extrapolation import polynomial_weights


def extrapolated_loop(
    damping_ratio: float, share: float, order: int, delay: float
) -> DelayEquation:
    """Equation (1); `delay` is ω_0 τ."""
    weights = polynomial_weights(order, 1.0)
    late = [DelayedTerm((i + 1) * delay, share * w) for i, w in enumerate(weights)]
    return second_order(1.0, 2 * damping_ratio, 1 - share, late)


def critical_extrapolated_delay(
    damping_ratio: float, share: float, order: int, turns: int = 3
) -> float:
    """Least ω_0 τ with a root on the imaginary axis, equation (3), θ up to `turns`·2π."""
    if not 0 < share <= 1:
        raise InputError("share", share, "must lie in (0, 1]", "Give k_specimen / k_total")
    if not damping_ratio >= 0:
        raise InputError("damping_ratio", damping_ratio, "must not be negative", "Check its sign")

    def squared(theta: float) -> float:
        return float(1 - share + share * (1 - (1 - np.exp(-1j * theta)) ** (order + 1)).real)

    def balance(theta: float) -> float:
        lost = share * float((1 - (1 - np.exp(-1j * theta)) ** (order + 1)).imag)
        return float(2 * damping_ratio * np.sqrt(max(squared(theta), 0.0)) + lost)

    if balance(1e-2) < 0 and damping_ratio == 0:
        return 0.0
    best = np.inf
    grid = np.linspace(1e-4, 2 * pi * turns, 4000 * turns)
    values = [balance(theta) for theta in grid]
    for k in np.flatnonzero(np.diff(np.sign(values))):
        theta = float(bisect(balance, grid[k], grid[k + 1], xtol=1e-14))
        if squared(theta) > 0:
            best = min(best, theta / np.sqrt(squared(theta)))
    return float(best)


def energy_balance_frequency(damping_ratio: float, share: float, delay: float) -> float:
    """Highest stable natural frequency in Hz uncompensated, equation (4); delay in seconds."""
    return damping_ratio / (pi * share * delay)
