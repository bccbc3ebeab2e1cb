"""A session: all commands of one loop, under one number and one key.

    number = max(ns since 1970 times 2^64 + a random half, number before + 1)                  (1)
    key    = SipHash-128(key of the rig; challenge of the rig, number)                         (2)

A rig takes a new session only if its number is above that of every one before. It gives each
session a challenge that never comes again, so that packets of an earlier session are refused even
by a rig that was restarted and remembers nothing.
"""

from __future__ import annotations

import secrets
import struct
import time
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rths.hardware.wire.keyed_hash import SIZE, hash_bytes

WORDS = 4
"""Words of a session in compiled code: number, then key, each two."""


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
    number = max(time.time_ns() << 64 | secrets.randbits(64), before + 1)
    return Session(number, session_key(key, challenge, number))


def session_key(key: bytes, challenge: int, number: int) -> bytes:
    """Derive the key (2) of a session."""
    mask = (1 << 64) - 1
    halves = (challenge & mask, challenge >> 64, number & mask, number >> 64)
    return hash_bytes(key, struct.pack("<4Q", *halves))
