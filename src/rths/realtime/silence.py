"""The supervisor says when the loop is silent: a stalled loop cannot say so itself.

Nothing else can be done from here. The rig goes safe by its own time-out, and when the loop wakes
up its own guards (link, slips, what the rig says of itself) decide; but whoever stands beside it
should know.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

SILENT = 0.25
"""Seconds without a row after which the loop counts as silent: hundreds of ticks, a dozen looks."""


@dataclass(eq=False)
class Listener:
    """Listens for rows, and says when none come and when they come again."""

    say: Callable[[str], None]
    clock: Callable[[], float] = monotonic
    heard: float | None = None
    """When the last row came, or when listening began."""
    due: float = SILENT
    """Seconds of silence after which something is said next: ever twice as many."""

    def listen(self, rows: int) -> None:
        """Take note of how many rows have come since the last time."""
        now = self.clock()
        if self.heard is None:
            self.heard = now
        quiet = now - self.heard
        if rows:
            if self.due > SILENT:
                self.say(f"the loop is back after {quiet:.2f} s of silence")
            self.heard, self.due = now, SILENT
        elif quiet >= self.due:
            self.say(f"the loop has been silent for {quiet:.2f} s")
            while self.due <= quiet:
                self.due *= 2
