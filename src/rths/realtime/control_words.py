"""Control words: what the loop and its supervisor tell one another in shared memory.

    word w begins at byte 64 w;   the rows of the ring begin at byte 64 · 16                    (1)

Each word has one writer and a cache line of its own, so that the two processes never write into the
same line. Python and the compiled loop take the places from here.
"""

from __future__ import annotations

from enum import IntEnum

LINE = 64
"""Bytes of a cache line."""
ITEM = 8
"""Bytes of one int64 or float64."""


class ControlWord(IntEnum):
    """A control word, numbered by its first cache line; int64 where nothing else is said."""

    WRITTEN = 0
    """Rows that the loop has written; published after the row itself."""
    TAKEN = 1
    """Rows that the supervisor has taken: their room may be written again."""
    LOST = 2
    """Rows of the loop that found no room."""
    STOP = 3
    """Not 0 if the supervisor asks the loop to end."""
    BEAT = 4
    """Heartbeat of the supervisor, one more with every look at the ring."""
    STATE = 5
    """What the loop is doing, a LoopState."""
    SLIPS = 6
    """Whole periods by which the loop has slipped."""
    SLIP_LIMIT = 7
    """Slipped periods after which the loop ends the test; written before it starts."""
    OPERATOR = 8
    """First of the operator's signals, float64, one after the other up to LATCH."""
    LATCH = 12
    """First value of the safety latch, float64, as the loop last wrote it."""
    SIGNAL = 13
    """Number of the signal that has reached the loop's process, or 0."""
    PROCESS = 14
    """Number of the loop's process, for whoever keeps out of its way; 0 before it is there."""

    @property
    def offset(self) -> int:
        """Bytes from the beginning of shared memory, for compiled code."""
        return LINE * self

    @property
    def place(self) -> int:
        """Number of the int64 or float64 at which the word begins."""
        return self.offset // ITEM


CONTROL_BYTES = 16 * LINE
"""Bytes of all control words: the rows begin after them."""


class LoopState(IntEnum):
    """What the loop is doing: the values of the word STATE."""

    STARTING = 0
    READY = 1
    RUNNING = 2
    ENDED = 3
