"""The packets of a link: 64-bit words, little endian, closed by a CRC-32.

    word 0   "RTHS" (32 bits), version 1 (8), type (8), actuators m (16)                      (1)
    word 1   sequence number, 1, 2, 3, ... in a session
    word 2   time of sending by the sender's own clock, ns
    word 3   session (32), flags (32)
    word 4   command: ns from one command to the next; measurement: word 2 of its command
    body     command: displacement (m), velocity (m/s), force (N) of each actuator in turn
             measurement: the same three measured, then status bits (64), of each actuator
    last     CRC-32 of all bytes before (32), zero (32)                                       (2)

A measurement repeats sequence number, session and time of the command that it answers: what
answers another command than the last one is late, doubled or foreign, and never fresh. The sum is
that of zlib and Ethernet; it finds every change of up to 32 neighbouring bits.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

MAGIC, VERSION = 0x53485452, 1
"""The letters "RTHS", lowest byte first, and the version of the format: word 0 of (1)."""
COMMAND, MEASUREMENT = 1, 2
"""Kinds of packets."""
HEADER_WORDS = 5
"""Words before the body."""
TO_SEQUENCE, TO_TIME, TO_SESSION, TO_ECHO = 8, 16, 24, 32
"""Bytes to the words 1 to 4 of (1)."""
BODY = {COMMAND: 3, MEASUREMENT: 4}
"""Words for each actuator."""
HAS_VELOCITY, HAS_FORCE, GOODBYE, ARMING = 1, 2, 4, 8
"""Flags of a command: its velocity is meant, its force is meant, it is the last of its session, it
comes before the test and by no clock."""
MOST = 60
"""Largest number of actuators: their packets fit the boxes of a mapped file."""


def first_word(kind: int, actuators: int) -> int:
    """Give word 0 of (1)."""
    return MAGIC | VERSION << 32 | kind << 40 | actuators << 48


def words_of(kind: int, actuators: int) -> int:
    """Count the words of a packet."""
    return HEADER_WORDS + BODY[kind] * actuators + 1


@dataclass(frozen=True)
class Packet:
    """A packet as Python sees it, for tools and tests; the loop has its own reader."""

    kind: int
    sequence: int
    time: int
    session: int
    values: tuple[tuple[float, ...], ...]
    """Displacement, velocity and force of each actuator, and the status in a measurement."""
    flags: int = 0
    other_time: int = 0

    def pack(self) -> bytes:
        """Give the bytes."""
        m = len(self.values)
        head = struct.pack(
            "<QQqIIq",
            first_word(self.kind, m), self.sequence, self.time, self.session, self.flags,
            self.other_time,
        )  # fmt: skip
        one = "<ddd" if self.kind == COMMAND else "<dddQ"
        body = b"".join(struct.pack(one, *_bits(v)) for v in self.values)
        return head + body + struct.pack("<Q", zlib.crc32(head + body))


def _bits(values: Sequence[float]) -> list[float | int]:
    return [*values[:3], *(int(v) for v in values[3:])]


def unpack(data: bytes) -> Packet | None:
    """Read a packet; None if it is none."""
    if len(data) < 8 * (HEADER_WORDS + 1) or len(data) % 8:
        return None
    first, sequence, time, session, flags, other = struct.unpack_from("<QQqIIq", data)
    kind, m = first >> 40 & 0xFF, first >> 48
    if kind not in BODY or first != first_word(kind, m) or len(data) != 8 * words_of(kind, m):
        return None
    if struct.unpack("<Q", data[-8:])[0] != zlib.crc32(data[:-8]):
        return None
    one = struct.Struct("<ddd" if kind == COMMAND else "<dddQ")
    values = tuple(one.iter_unpack(data[8 * HEADER_WORDS : -8]))
    return Packet(kind, sequence, time, session, values, flags, other)
