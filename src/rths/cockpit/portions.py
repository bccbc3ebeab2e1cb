"""Samples in portions: every page gets all of them, whoever operates sooner than whoever watches.

    at every look a portion for the operator; at every look k with k mod n = 0, or without an
    operator at each, one for every page                                                        (1)

A portion begins where the last one of its page has ended: no sample is missing or comes twice
when a page begins to operate. Pages that begin at the same sample are given the same bytes.
"""

from __future__ import annotations

from rths.cockpit.crowd import Crowd
from rths.cockpit.view import View

LOOK = 1 / 60
"""Seconds between two portions for the operator, whose hand follows what the screen shows."""
WATCHED = 1 / 20
"""Seconds between two portions for whoever watches: the lines move on, a twentieth of a second
later. Each portion costs a message to each page, on the machine on which the loop runs."""
EVERY = round(WATCHED / LOOK)
"""n of (1)."""


class Portions:
    """Who of a crowd is due."""

    def __init__(self) -> None:
        self._looks = 0

    def give(self, view: View, crowd: Crowd, operator: int | None, to_all: bool = False) -> None:
        """Give new samples to the pages that are due (1), or to all because something happens."""
        self._looks += 1
        to_all = to_all or operator is None or self._looks >= EVERY
        if to_all:
            self._looks = 0
        made: dict[int, bytes | None] = {}
        for page in list(crowd.pages.values()):
            if not to_all and page.number != operator:
                continue
            if page.given not in made:
                made[page.given] = view.frame_since(page.given)
            if (frame := made[page.given]) is not None:
                page.put(frame)
            page.given = view.drawn
