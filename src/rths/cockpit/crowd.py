"""Pages that look on: each has a queue of its own that never grows, and whoever does not read goes.

A message is put into every queue and waits for none. A page that falls behind misses frames, which
say at which tick they begin; one that has taken nothing for some seconds is cut off.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field

MOST_WAITING = 120
"""Messages that wait for one page: two seconds of the operator's, five of a watcher's."""
PATIENCE = 5.0
"""Seconds after which a page that takes nothing is cut off."""
MOST_PAGES = 64
"""Pages at a time; more than a laboratory has screens."""
Message = str | bytes


@dataclass(eq=False)
class Onlooker:
    """One page."""

    number: int
    address: str
    cut_off: Callable[[], None]
    """What ends its connection at once, without waiting for it."""
    waiting: asyncio.Queue[Message] = field(
        default_factory=lambda: asyncio.Queue(maxsize=MOST_WAITING)
    )
    behind: float | None = None
    """Since when it has been behind."""
    given: int = 0
    """Samples of the test that it has been given, or has missed by being behind."""

    def put(self, message: Message) -> None:
        """Put a message into the queue; cut the page off if there was no room for long."""
        try:
            self.waiting.put_nowait(message)
            self.behind = None
        except asyncio.QueueFull:
            now = time.monotonic()
            self.behind = now if self.behind is None else self.behind
            if now - self.behind > PATIENCE:
                self.cut_off()


class Crowd:
    """All pages of one test."""

    def __init__(self) -> None:
        self.pages: dict[int, Onlooker] = {}
        self._next = 1

    @property
    def is_full(self) -> bool:
        """Whether no more are let in."""
        return len(self.pages) >= MOST_PAGES

    def enter(self, address: str, cut_off: Callable[[], None]) -> Onlooker:
        """Let a page in."""
        page = Onlooker(self._next, address, cut_off)
        self._next += 1
        self.pages[page.number] = page
        return page

    def leave(self, page: Onlooker) -> None:
        """Forget a page."""
        self.pages.pop(page.number, None)

    def tell(self, message: Message) -> None:
        """Put a message into every queue."""
        for page in list(self.pages.values()):
            page.put(message)
