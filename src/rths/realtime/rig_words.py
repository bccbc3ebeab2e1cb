"""The state of a rig that serves: int64 words that Python fills and compiled code works with."""

from __future__ import annotations

(
    TRANSPORT, HANDLE, ACTUATORS, DUE, PERIOD, TRIGGERED, SESSION, SEQUENCE, HEARD, TIMEOUT,
    ACCEPTED, REFUSED, MOVED, SLIPS, DROPPED, SEEN, RANDOM, FIRST, SETTLING,
    WAITING, ARRIVED, ENDED, ADDRESS_SIZE, ADDRESS,
) = range(24)  # fmt: skip
WORDS = 32
"""int64 words of a rig's state: the names above; the last is the first of the sender's address."""
SETTLE = 1_000_000_000
"""Nanoseconds at the beginning of a test in which the rig sets its clock."""
PAST = 1_000_000_000
"""Nanoseconds of its own absence that a rig makes up for; the rest slips and is counted."""
LOSS, JITTER = 0, 3
"""Where in the odds value, start and end of a fault of the wire lie."""
