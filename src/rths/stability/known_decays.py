"""Motions that were watched to their end and decayed: what follows some of them is not watched on.

    a_n = largest m_w of the last LAST windows of n
    follows:  a_n < a_(n-LAST),  and  a_n <= a_n of ENOUGH known decays about the same place,
              none of which has risen above its a_n later                                      (1)
    left    = m_K a_n / a_n of the least of those,   m_K: what was left of it at its end        (2)

A loop with little damping takes hundreds of periods to come to rest. To see each of its motions to
the end leaves work for some thirty pushes, which is too few for all ways in which it can be pushed:
a cycle that four pushes of ten in one shape of a mode lead to was missed. The few that lead there
part from the others long before these have ended, as they no longer fall. What has come to rest
elsewhere, as it yields, is another loop there; where a delay swings slowly a motion comes and goes;
and a law that learns may do anything later: nothing is known of it by others.
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


class KnownDecays:
    """Amplitudes and places by window of motions that decayed, each to its end."""

    def __init__(self) -> None:
        self._known: list[tuple[Sequence[float], Sequence[Vector]]] = []

    def add(self, sizes: Sequence[float], places: Sequence[Vector]) -> None:
        """Take a motion that was watched to its end."""
        self._known.append((sizes, places))

    def foresee(self, sizes: Sequence[float], places: Sequence[Vector]) -> float | None:
        """Give what will be left (2) of a motion that follows known ones (1); None if none."""
        n = len(sizes)
        if n < SOONEST:
            return None
        now, before = max(sizes[-LAST:]), max(sizes[-2 * LAST : -LAST])
        larger = [
            (max(known[n - LAST : n]), known[-1])
            for known, about in self._known
            if len(known) > n
            and max(known[n - LAST : n]) >= max(now, *known[n:])
            and np.abs(places[-1] - about[n - 1]).max() < NEAR
        ]
        if now >= before or len(larger) < ENOUGH:
            return None
        least, left = min(larger)
        return left * now / least
