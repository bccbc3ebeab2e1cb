"""The state of a rig that serves: int64 words that Python fills and compiled code works with."""

from __future__ import annotations

(
    TRANSPORT, HANDLE, ACTUATORS, DUE, PERIOD, TRIGGERED, SEQUENCE, HEARD, TIMEOUT,
    ACCEPTED, REFUSED, MOVED, SLIPS, DROPPED, SEEN, RANDOM, FIRST, SETTLING, WAITING, ARRIVED,
    SESSIONS, ENDED, LATCH, LATCHES, RELEASES, TWO_NAMES, OUTDATED, ROLLS, ADDRESS_SIZE,
    ABSENT,
) = range(30)  # fmt: skip
"""One word each. SESSIONS counts those that have begun; ENDED tells whether the present one has
said goodbye, or whether there is none; LATCH is the number of the latch, LATCHES the highest ever;
OUTDATED is the version of the wire that a stranger spoke, ROLLS counts challenges; ABSENT are the
nanoseconds of a session that have slipped since the last tick, or in which a triggered rig did not
move."""
KEY, SEED, SESSION_KEY, PEER = 30, 32, 34, 36
"""Two words each: the key of the rig, that of its challenges, that of the session, and the address
of the one who has the session."""
CHALLENGE, SESSION = 38, 40
"""Two words each, one after the other: the key of a session is made from both. SESSION is also the
highest number ever, for each session is above all before it."""
TRIAL, TRIAL_KEY = 42, 46
"""Challenge and number of a session that may begin, four words, and its key, two."""
ADDRESS = 48
"""The sender's address, eight words."""
RELEASED = 56
"""Names and cause of the last release, 48 words."""
IDENTITY = 104
"""Who the rig is, eight words of text."""
LIMITS = 112
"""First of the limits of each actuator: displacement, velocity, acceleration, force, float64."""
SETTLE = 1_000_000_000
"""Nanoseconds at the beginning of a test in which the rig sets its clock."""
PAST = 1_000_000_000
"""Nanoseconds of its own absence that a rig makes up for; the rest slips and is counted."""
LOSS, JITTER = 0, 3
"""Where in the odds value, start and end of a fault of the wire lie."""


def count_words(actuators: int) -> int:
    """Count the words of the whole state."""
    return LIMITS + 4 * actuators
