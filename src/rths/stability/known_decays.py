"""Motions that were watched to their end and decayed: what follows some of them is not watched on.

    a_n = largest m_w of each channel in the last LAST windows of n
    follows:  a_n <= a_n of ENOUGH known decays about the same place, none of which has risen above
              its a_n later, and  1 - a_n/a_(n-LAST) >= AS_FAST of theirs, in every channel     (1)
    left    = m_K max a_n / a_n of the least of those,   m_K: what was left of it at its end     (2)

A loop with little damping takes hundreds of periods to come to rest. To see each of its motions to
the end leaves work for some thirty pushes, which is too few for all ways in which it can be pushed.
The few that lead elsewhere part from the others long before these have ended: what comes down to a
cycle falls less and less, and a slow mode of one channel says nothing of another. What has come to
rest elsewhere, as it yields, is another loop there; so is one that has a time of its own, later;
and a law that learns may do anything: nothing is known of these by others.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rths.loop.block import Vector

LAST = 4
"""Windows of which the largest is taken: eight slowest periods, longer than most beats."""
SOONEST = 16
"""Windows after which a motion may be known: what is quick to decay has done so by then."""
ENOUGH = 3
"""Known decays that must have been as large: one may have come down by chance."""
NEAR = 0.1
"""Share of the motion within which places are the same."""
AS_FAST = 0.9
"""Part of what a known decay loses in LAST windows that a motion must lose too: decays of one mode
differ by less, and on the way to a cycle it is nothing in the end."""
FAINT = 0.05
"""Part of what matters below which a channel is not asked: a release is over there too."""


class KnownDecays:
    """Amplitudes by window and channel, and places, of motions that decayed, each to its end."""

    def __init__(self, matters: float) -> None:
        self._faint = FAINT * matters
        self._known: list[tuple[Vector, Vector]] = []

    def add(self, sizes: Sequence[Vector], places: Sequence[Vector]) -> None:
        """Take a motion that was watched to its end."""
        self._known.append((np.array(sizes), np.array(places)))

    def foresee(self, sizes: Sequence[Vector], places: Sequence[Vector]) -> float | None:
        """Give what will be left (2) of a motion that follows known ones (1); None if none."""
        n = len(sizes)
        if n < SOONEST or len(self._known) < ENOUGH:
            return None
        before, now = _last_two(np.array(sizes[-2 * LAST :]))
        asked = now > self._faint
        found = []
        for known, about in self._known:
            if len(known) <= n or np.abs(places[-1] - about[n - 1]).max() >= NEAR:
                continue
            earlier, then = _last_two(known[n - 2 * LAST : n])
            as_large = then >= np.maximum(now, known[n:].max(axis=0))
            as_fast = (before - now) * earlier >= AS_FAST * (earlier - then) * before
            if np.all((as_large & as_fast & (then < earlier))[asked]):
                share = float(np.max(now[asked] / then[asked], initial=0.0))
                found.append((share, float(known[-1].max())))
        if len(found) < ENOUGH:
            return None
        share, left = max(found)
        return share * left


def _last_two(sizes: Vector) -> tuple[Vector, Vector]:
    """Largest of each channel in the LAST windows but LAST, and in the last."""
    return sizes[:-LAST].max(axis=0), sizes[-LAST:].max(axis=0)
