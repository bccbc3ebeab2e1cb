"""How often a page is heard: as often as a hand can ask, so that others are heard at once.

    act k is heard at max(when it comes, t_k),   t_k = max(t_(k-1), now - n/r) + 1/r             (1)

with n acts at once and r in every second after them. What a page sends faster waits on its way.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

AT_ONCE, A_SECOND = 20, 10.0
"""n and r of (1)."""


class Pace:
    """The pace of one page."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._heard = clock, -float("inf")

    def find_wait(self) -> float:
        """Give the seconds until the next act is heard (1)."""
        now = self._clock()
        self._heard = max(self._heard, now - AT_ONCE / A_SECOND) + 1.0 / A_SECOND
        return max(0.0, self._heard - now)

    async def keep(self) -> None:
        """Wait until the next act is heard; others have their turn in any case."""
        await asyncio.sleep(self.find_wait())
