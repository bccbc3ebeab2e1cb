"""A delay in ticks: tau = (q + r) h, q whole and 0 <= r < 1."""

from __future__ import annotations


def whole_and_rest(delay: float, tick: float) -> tuple[int, float]:
    """Split a delay into whole ticks and the rest of one; round-off is not a rest."""
    ticks = delay / tick
    q = round(ticks)
    if abs(ticks - q) <= 1e-9 * max(1.0, ticks):
        return q, 0.0
    q = int(ticks)
    return q, ticks - q
