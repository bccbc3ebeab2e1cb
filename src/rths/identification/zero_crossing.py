"""Delay at every passage through zero, upward and downward apart.

    s_j = t_i - h x_i/(x_(i+1) - x_i)   where x changes sign between t_i and t_(i+1)          (1)
    δ_j = s_j(measured) - s_j(target),  the nearest crossing of the same direction            (2)

Backlash delays the two directions differently and a sweep shows delay against frequency: both are
lost in a mean. Crossings without a partner within ``longest`` are left out.

[londono2011] section 5, figure 12.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from rths.errors import InputError
from rths.identification.signal_pair import Array, signal_pair


@dataclass(frozen=True, eq=False)
class ZeroCrossingDelays:
    """Delays (s) and the times (s) of the target's crossings they belong to."""

    up_times: Array
    up: Array
    down_times: Array
    down: Array

    @property
    def all(self) -> Array:
        """Delays of both directions in the order of time."""
        order = np.argsort(np.concatenate([self.up_times, self.down_times]), kind="stable")
        return np.concatenate([self.up, self.down])[order]

    @property
    def mean(self) -> float:
        """Mean delay of all crossings (s)."""
        return float(self.all.mean())

    def histogram(self, width: float) -> tuple[Array, Array]:
        """Number of delays in bins of that width (s), and the edges of the bins."""
        if not 0.0 < width < np.inf:
            raise InputError("width", width, "is no width of a bin", "Give seconds above zero.")
        low = np.floor(self.all.min() / width)
        high = max(np.ceil(self.all.max() / width), low + 1)
        counts, edges = np.histogram(self.all, bins=width * np.arange(low, high + 1))
        return counts.astype(np.float64), edges


def delay_by_zero_crossing(
    target: ArrayLike,
    measured: ArrayLike,
    step: float,
    *,
    level: float = 0.0,
    longest: float = 0.1,
) -> ZeroCrossingDelays:
    """Delays at the crossings of ``level``, which both signals share."""
    x, y = signal_pair(target, measured, step)
    found = []
    for sign in (1.0, -1.0):
        here, there = _crossings(sign * (x - level), step), _crossings(sign * (y - level), step)
        found += list(_match(here, there, longest))
    delays = ZeroCrossingDelays(*found)
    if not delays.all.size:
        raise InputError(
            "level",
            level,
            "is not crossed by both signals within the longest delay",
            "Take the mean out of the signals, or set the level to it.",
        )
    return delays


def _crossings(x: Array, step: float) -> Array:
    """Times at which x passes from below zero to zero or above."""
    at = np.flatnonzero((x[:-1] < 0.0) & (x[1:] >= 0.0))
    crossings: Array = step * (at - x[at] / (x[at + 1] - x[at]))  # (1)
    return crossings


def _match(here: Array, there: Array, longest: float) -> tuple[Array, Array]:
    if not here.size or not there.size:
        return np.empty(0), np.empty(0)
    place = np.clip(np.searchsorted(there, here), 1, max(there.size - 1, 1))
    before, after = there[place - 1], there[np.minimum(place, there.size - 1)]
    nearest = np.where(np.abs(before - here) <= np.abs(after - here), before, after)
    near = np.abs(nearest - here) <= longest
    return here[near], (nearest - here)[near]  # (2)
