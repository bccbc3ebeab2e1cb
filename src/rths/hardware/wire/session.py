"""A session: all commands of one loop, under one number and one key.

    number = highest before + r,   0 < r < 2^64 by chance                                      (1)
    key    = SipHash-128(key of the rig; challenge of the rig, number)                         (2)

A rig takes a new session only if its number is above that of every one before, by less than 2^64:
nobody can use up the numbers, not even who needs no key for it, within 2^64 sessions. Two loops
that were welcomed at the same time have different numbers. The rig gives each session a challenge
that never comes again, so that packets of an earlier session are refused even by a rig that was
restarted and remembers nothing.
"""

from __future__ import annotations

import secrets
import struct
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rths.errors import InputError
from rths.hardware.wire.keyed_hash import SIZE, hash_bytes

WORDS = 4
"""Words of a session in compiled code: number, then key, each two."""
STEP = 1 << 64
"""The number of a session is above the one before by less than that (1)."""
LAST = (1 << 128) - STEP
"""From here on a rig has no numbers left for (1)."""


@dataclass(frozen=True)
class Session:
    """Number and key of a session."""

    number: int
    key: bytes = field(repr=False)

    @property
    def words(self) -> NDArray[np.int64]:
        """Number and key for compiled code."""
        return np.frombuffer(self.number.to_bytes(SIZE, "little") + self.key, np.int64)


NOBODY = Session(0, bytes(SIZE))
"""The session of a wire on which none has begun; a rig refuses its number."""


def new_session(key: bytes, challenge: int, before: int) -> Session:
    """Begin a session with a rig by its key, its challenge and the highest number it knows."""
    if before >= LAST:
        problem = "leaves no number for the next session: somebody has used them up"
        remedy = "Find out who; once the rig is known to be safe, let it forget the number."
        raise InputError("session", before, problem, remedy)
    number = before + 1 + secrets.randbelow(STEP - 1)
    return Session(number, session_key(key, challenge, number))


def session_key(key: bytes, challenge: int, number: int) -> bytes:
    """Derive the key (2) of a session."""
    mask = (1 << 64) - 1
    halves = (challenge & mask, challenge >> 64, number & mask, number >> 64)
    return hash_bytes(key, struct.pack("<4Q", *halves))
