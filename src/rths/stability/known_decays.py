"""Motions that were watched to their end and decayed: what follows some of them is not watched on.

    a_n = largest m_w of each channel in the last LAST windows of n,   f_n = 1 - a_n/a_(n-LAST)
    follows:  a_n <= a_n of ENOUGH known decays about the same place, none of which has risen above
              its a_n later, and  ALIKE <= f_n / f_n of theirs <= 1/ALIKE,  now and LAST windows
              ago, in every channel; and  (1 - ALIKE) a_n < matters                             (1)
    left    = m_K max a_n / a_n of the least of those,   m_K: what was left of it at its end     (2)

A loop with little damping takes hundreds of periods to come to rest. To see each of its motions to
the end leaves work for some thirty pushes, which is too few for all ways in which it can be pushed.
The few that lead elsewhere part from the others long before these have ended: what comes down to a
cycle falls less and less, another mode falls at another rate, and a slow mode of one channel says
nothing of another. A cycle of (1 - ALIKE) of a motion might still be hidden in it: that must not
matter. What has come to rest elsewhere, as it yields, is another loop there; so is one that has a
time of its own, later; and a law that learns may do anything: nothing is known of these by others.
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
ALIKE = 0.95
"""Ratio of two falls that are alike: decays of one mode differ by less."""
FAINT = 0.05
"""Part of what matters below which a channel is not asked: a release is over there too."""


class KnownDecays:
    """Amplitudes by window and channel, and places, of motions that decayed, each to its end."""

    def __init__(self, matters: float) -> None:
        self._matters = matters
        self._known: list[tuple[Vector, Vector]] = []

    @property
    def enough(self) -> bool:
        """Whether anything can be foreseen."""
        return len(self._known) >= ENOUGH

    def add(self, sizes: Sequence[Vector], places: Sequence[Vector]) -> None:
        """Take a motion that was watched to its end."""
        self._known.append((np.array(sizes), np.array(places)))

    def foresee(self, sizes: Sequence[Vector], places: Sequence[Vector]) -> float | None:
        """Give what will be left (2) of a motion that follows known ones (1); None if none."""
        n = len(sizes)
        if n < SOONEST or not self.enough:
            return None
        *_, now = spans = _spans(np.array(sizes[-3 * LAST :]))
        asked = now > FAINT * self._matters
        if np.any((1 - ALIKE) * now > self._matters):
            return None
        found = []
        for known, about in self._known:
            if len(known) <= n or np.abs(places[-1] - about[n - 1]).max() >= NEAR:
                continue
            *_, then = theirs = _spans(known[n - 3 * LAST : n])
            as_large = np.all((then >= np.maximum(now, known[n:].max(axis=0)))[asked])
            if as_large and _fall_alike(spans, theirs, asked):
                share = float(np.max(now[asked] / then[asked], initial=0.0))
                found.append((share, float(known[-1].max())))
        if len(found) < ENOUGH:
            return None
        share, left = max(found)
        return share * left


def _spans(sizes: Vector) -> Vector:
    """Largest of each channel in each of the last three spans of LAST windows."""
    return np.asarray(sizes.reshape(3, LAST, -1).max(axis=1))


def _fall_alike(own: Vector, theirs: Vector, asked: Vector) -> bool:
    """Tell whether two motions fall alike in the channels that are asked, from span to span."""
    f, g = (1 - spans[1:, asked] / spans[:-1, asked] for spans in (own, theirs))
    return bool(np.all((g > 0) & (f >= ALIKE * g) & (ALIKE * f <= g)))
