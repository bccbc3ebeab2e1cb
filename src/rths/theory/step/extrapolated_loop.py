"""Where the loop with polynomial extrapolation really loses stability, next to the harmonic margin.

One mass of natural frequency ω_0 and damping ζ; the share r of its stiffness is the specimen,
driven through a delay τ that a polynomial of order n through points one delay apart is to
compensate. In units of ω_0, with θ = ωτ,

    x'' + 2ζx' + (1-r) x + r Σ_k w_k x(t - (k+1)τ) = 0                                       (1)
    A(θ) = Σ_k w_k e^(-iθ(k+1)) = 1 - (1 - e^(-iθ))^(n+1)                                    (2)

A root iω meets the axis where, independently of τ, with w = 1 - A of order N = n + 1,

    ω(θ) = √(1 - r Re w),   2ζ ω(θ) = r Im w,   τ = θ/ω(θ)                                     (3)

and the critical delay is the least of these τ; as w has period 2π, θ in (0, 2π] suffices. For
ζ = 0 the roots are θ = π - 2kπ/N in closed form, and for n = 2 the delay is π/(3√2) at r = 1, for
n = 3 π/(2√5). For ζ > 0, 1 - e^(-iθ) is a root of x² - σx + σ, σ = 4 sin²(θ/2), so that Re w = a_N
and Im w = sin θ b_N are polynomials, both by u_(k+1) = σ(u_k - u_(k-1)), and (3) squared is one,

    4ζ² (1 - r a_N) = r² (σ - σ²/4) b_N²,   0 < σ ≤ 4,   b_N sin θ > 0                         (4)

whose real roots are all found (`real_roots`). Between these and the zeros of Im w the sign of
2ζω - r Im w does not change, so that one look at each piece misses no crossing, however small ζ.

    f = 2ζ/(2π r τ)     energy balance of a small uncompensated delay                          (5)

[carrion2006], eqs (1), (2) and Fig 3; their ωτ = π/2 is the harmonic margin, not a limit of
stability.
"""

from itertools import pairwise
from math import asin, inf, pi, sin, sqrt

import numpy as np
from numpy.polynomial import Polynomial
from scipy.optimize import brentq

from rths.errors import InputError
from rths.theory.delay.equation import DelayedTerm, DelayEquation, second_order
from rths.theory.real_roots import real_roots
from rths.theory.step.extrapolation import polynomial_weights


def extrapolated_loop(
    damping_ratio: float, share: float, order: int, delay: float
) -> DelayEquation:
    """Equation (1); `delay` is ω_0 τ."""
    weights = polynomial_weights(order, 1.0)
    late = [DelayedTerm((i + 1) * delay, share * w) for i, w in enumerate(weights)]
    return second_order(1.0, 2 * damping_ratio, 1 - share, late)


def critical_extrapolated_delay(damping_ratio: float, share: float, order: int) -> float:
    """Least ω_0 τ with a root on the imaginary axis, equation (3); infinite where there is none."""
    if not 0 < share <= 1:
        raise InputError("share", share, "must lie in (0, 1]", "Give k_specimen / k_total")
    if not 0 <= damping_ratio < inf:
        raise InputError("damping_ratio", damping_ratio, "must not be negative", "Check its sign")
    power = order + 1
    ends = sorted(
        {0.0, 2 * pi, *(pi - 2 * pi * k / power for k in range(-order // 2, power // 2 + 1))}
    )
    if damping_ratio == 0:
        if power % 4 in (1, 2):  # Im w > 0 for small θ: the delay drives at once
            return 0.0
        crossings = ends[1:]
    else:
        crossings = _damped_crossings(damping_ratio, share, power, ends)
    squares = [1 - share * _extrapolation_error(theta, power).real for theta in crossings]
    pairs = zip(crossings, squares, strict=True)
    return min((theta / sqrt(square) for theta, square in pairs if square > 0), default=inf)


def _extrapolation_error(theta: float, power: int) -> complex:
    # w = (1 - e^(-iθ))^N with its phase as exact for small θ as elsewhere
    size = (2 * sin(theta / 2)) ** power
    return complex(1j**power * size * np.exp(-0.5j * power * theta))


def _damped_crossings(
    damping_ratio: float, share: float, power: int, ends: list[float]
) -> list[float]:
    # θ of (3), each bracketed by `ends`, the zeros of Im w, by the roots of (4) or between them
    def balance(theta: float) -> float:
        w = share * _extrapolation_error(theta, power)
        return float(2 * damping_ratio * sqrt(max(1 - w.real, 0.0)) - w.imag)

    near = [
        2 * asin(min(sqrt(root) / 2, 1.0)) for root in _squared_roots(damping_ratio, share, power)
    ]
    nodes = sorted({*ends, *near, *(2 * pi - theta for theta in near)})
    points = sorted([*nodes, *(0.5 * (a + b) for a, b in pairwise(nodes))])
    values = [balance(theta) for theta in points]
    # the least absolute width is far below any crossing, so that the relative one decides
    return [
        float(brentq(balance, points[k], points[k + 1], xtol=1e-300, rtol=1e-14, maxiter=5000))
        for k in range(len(points) - 1)
        if (values[k] > 0) != (values[k + 1] > 0)
    ]


def _squared_roots(damping_ratio: float, share: float, power: int) -> list[float]:
    # σ of (4)
    sigma = Polynomial([0.0, 1.0])
    re, re_next = Polynomial([1.0]), 0.5 * sigma
    im, im_next = Polynomial([0.0]), Polynomial([1.0])
    for _ in range(power - 1):
        re, re_next = re_next, sigma * (re_next - re)
        im, im_next = im_next, sigma * (im_next - im)
    lost = 4 * damping_ratio**2 * (1 - share * re_next)
    fed = share**2 * (sigma - 0.25 * sigma**2) * im_next**2
    return real_roots((lost - fed).coef.tolist(), 4.0)


def energy_balance_frequency(damping_ratio: float, share: float, delay: float) -> float:
    """Highest stable natural frequency in Hz uncompensated, equation (5); delay in seconds."""
    return damping_ratio / (pi * share * delay)
