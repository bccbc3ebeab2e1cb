"""Edges of the filters of the bounded inverse: where it learns, where it keeps calm, what it sends.

    F   lags: below their edge the inverse is fitted to target and motion                       (1)
    H   high-passes: beyond their edge is no motion of the structure, but noise and ringing     (2)
    L   a low-pass before the taps: beyond its edge gain and lead fall                          (3)

All edges follow from the delay τ and the fastest content of the target, and nothing of them is to
be set by hand: a wider F learns noise, a lower H takes the structure's own motion for ringing, and
a higher L feeds the light modes of actuators.
"""

from __future__ import annotations

from math import exp, pi

EDGE, SLOWEST = 6.0, 0.6
"""Edge of F over the fastest content, and at most over π/τ: beyond it nothing is learnt."""
BEYOND, BEYOND_DELAY = 40.0, 8.0
"""Edge of H over the fastest content, and at most over 1/τ: there no target has its motion."""
ABOVE = 3.0
"""Edge of the further high-passes in H over the fastest content: they keep its motion out of Q."""
ROLLED = 10.0
"""Edge of L over 1/τ: w makes up for its lag, a tenth of the delay."""


def lag_share(edge: float, h: float) -> float:
    """Give c of a lag with this edge, rad/s (Tustin)."""
    return edge * h / (2 + edge * h)


def filter_numbers(tau: float, fastest: float, h: float) -> dict[str, float]:
    """Give the numbers of F, L and H by their names in the parameters of the kernel."""
    keep = exp(-h * min(BEYOND * fastest, BEYOND_DELAY / tau))
    clear = exp(-h * min(ABOVE * fastest, BEYOND_DELAY / tau))
    return {
        "lag": lag_share(learning_edge(tau, fastest), h),
        "roll": lag_share(ROLLED / tau, h),
        "lost": tau / ROLLED,
        "keep_high": keep,
        "difference_gain_high": (1 + keep) / 2,
        "keep_clear": clear,
        "difference_gain_clear": (1 + clear) / 2,
    }


def learning_edge(tau: float, fastest: float) -> float:
    """Give the edge of F, rad/s."""
    return min(EDGE * fastest, SLOWEST * pi / tau)
