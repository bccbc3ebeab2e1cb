"""The time of a design: nothing is begun that would last beyond its end.

How long a part takes is known from those before it: the longest counts. A part that is under way
is never ended, as a certificate cannot be; so the end is passed by one part at most, and by that
only if it takes longer than all before it.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager


class TimeLeft:
    """Tells what may still be begun."""

    def __init__(self, seconds: float, longest: float = 0.0) -> None:
        self._end = time.monotonic() + seconds
        self.longest = longest

    @property
    def seconds(self) -> float:
        """What is left, s; 0 once it is over."""
        return max(0.0, self._end - time.monotonic())

    def allows(self, kept: float = 0.0) -> bool:
        """Tell whether one more part fits in, with some seconds kept for what comes after it."""
        return self.seconds >= self.longest + kept and self.seconds > 0.0

    @contextmanager
    def measure(self) -> Iterator[None]:
        """Take the time of a part."""
        begun = time.monotonic()
        try:
            yield
        finally:  # what was refused has taken its time too
            self.longest = max(self.longest, time.monotonic() - begun)
