"""How the loop on the clock has ended, as its compiled code says it."""

from __future__ import annotations

from enum import IntEnum


class Ending(IntEnum):
    """The fourth word of the status of a loop on the clock."""

    COMPLETED = 0
    """At its last tick."""
    BLOCK = 1
    """A block did not go on."""
    ASKED = 2
    """The supervisor asked for it."""
    SLIPS = 3
    """Too many periods slipped."""
    HEARTBEAT = 4
    """The supervisor's heart has stopped."""

    @property
    def reason(self) -> str:
        """The reason of a stop that ended so, if no block says it better."""
        return "interrupted" if self is Ending.ASKED else self.name.lower()
