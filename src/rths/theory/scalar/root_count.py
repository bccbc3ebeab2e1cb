"""How many roots of the scalar equation lie right of a line, in closed form.

With λ = σ + μ the equation λ² + 2ζλ + 1 + (p + qλ) exp(-λτ) = 0 becomes

    P(μ) + Q(μ) exp(-μθ) = 0,   P = μ² + aμ + b,   Q = g + hμ,   θ = τ                         (1)
    a = 2(ζ+σ),  b = 1 + 2ζσ + σ²,  h = q exp(-στ),  g = (p + qσ) exp(-στ)                     (2)

Keep a, b, g, h and let θ grow from 0 to τ: a root meets the axis only at a frequency with |P(iw)|
= |Q(iw)|,

    w⁴ + (a² - 2b - h²) w² + b² - g² = 0                                                       (3)

so at most at two, w₊ > w₋, at θ = (φ± + 2πk)/w±, φ = arg(-Q/P)(iw). At w₊ a pair always goes
right, at w₋ always back. Hence with N₀ the roots of μ² + (a+h)μ + b + g right of zero and k± the
crossings below τ

    N(σ) = N₀ + 2 k₊ - 2 k₋                                                                    (4)

The rightmost root is the σ where N falls to zero: no root can be overlooked.

[cooke1986] K. L. Cooke, P. van den Driessche, Funkcialaj Ekvacioj 29, 77-90.
"""

import numpy as np

from rths.theory.compilation import compile_lazily


@compile_lazily
def crossing_frequencies(a: float, b: float, g: float, h: float) -> tuple[float, float]:
    """w₊ and w₋ of (3); zero where there is none."""
    lost = 0.5 * (a - h) * (a + h)
    half = b - lost
    last = (b - g) * (b + g)
    inside = g * g - lost * (2.0 * b - lost)  # half² - last, without their common b²
    if inside <= 0.0:
        return 0.0, 0.0
    root = np.sqrt(inside)
    upper = half + root if half > 0.0 else -last / (root - half)
    if upper <= 0.0:
        return 0.0, 0.0
    lower = last / upper
    return np.sqrt(upper), np.sqrt(lower) if lower > 0.0 else 0.0


@compile_lazily
def crossings_below(w: float, a: float, b: float, g: float, h: float, tau: float) -> int:
    """How many θ = (φ + 2πk)/w lie between 0 and τ."""
    # exp(-iwθ) = -P/Q, so wθ = arg(-Q conj(P))
    p_re, p_im, q_im = b - w * w, a * w, h * w
    phase = np.arctan2(-(q_im * p_re - g * p_im), -(g * p_re + q_im * p_im))
    if phase < 0.0:
        phase += 2.0 * np.pi
    turns = (w * tau - phase) / (2.0 * np.pi)
    return int(np.floor(turns)) + 1 if turns > 0.0 else 0


@compile_lazily
def count_right_of(line: float, zeta: float, p: float, q: float, tau: float) -> int:
    """N(σ), equation (4)."""
    grow = np.exp(-line * tau)
    a, b = 2.0 * (zeta + line), 1.0 + line * (2.0 * zeta + line)
    g, h = (p + q * line) * grow, q * grow
    total, product = -(a + h), b + g
    count = 1 if product < 0.0 else (2 if total > 0.0 else 0)
    upper, lower = crossing_frequencies(a, b, g, h)
    if upper > 0.0:
        count += 2 * crossings_below(upper, a, b, g, h, tau)
    if lower > 0.0:
        count -= 2 * crossings_below(lower, a, b, g, h, tau)
    return count
