"""Packets as Python sees them, for greetings, tools and tests; the loop has its own reader."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

from rths.hardware.wire.keyed_hash import PUBLIC, SIZE, hash_bytes
from rths.hardware.wire.layout import BODY, COMMAND, HASH_WORDS, HEADER_WORDS, first_word, words_of

HEADER = struct.Struct("<QQqQQQq")
"""The words of a packet before its body."""


def close(packet: bytes, key: bytes) -> bytes:
    """Append the hash of a packet."""
    return packet + hash_bytes(key, packet)


def is_closed(packet: bytes, key: bytes) -> bool:
    """Tell whether a packet ends with its hash."""
    return packet[-SIZE:] == hash_bytes(key, packet[:-SIZE])


@dataclass(frozen=True)
class Packet:
    """A command or a measurement."""

    kind: int
    sequence: int
    time: int
    session: int
    values: tuple[tuple[float, ...], ...]
    """Displacement, velocity and force of each actuator, and the status in a measurement."""
    flags: int = 0
    """Of a command; of a measurement the number of the latch."""
    other_time: int = 0

    def pack(self, key: bytes = PUBLIC) -> bytes:
        """Give the bytes."""
        first = first_word(self.kind, len(self.values))
        session = split_number(self.session)
        head = HEADER.pack(
            first, self.sequence, self.time, *session, self.flags, self.other_time
        )  # fmt: skip
        one = "<ddd" if self.kind == COMMAND else "<dddQ"
        body = b"".join(struct.pack(one, *_bits(v)) for v in self.values)
        return close(head + body, key)


def split_number(number: int) -> tuple[int, int]:
    """Give the lower and the upper half of a number of 128 bits."""
    return number & 0xFFFFFFFFFFFFFFFF, number >> 64


def join_number(low: int, high: int) -> int:
    """Give the number of 128 bits from its halves."""
    return low | high << 64


def _bits(values: Sequence[float]) -> list[float | int]:
    return [*values[:3], *(int(v) for v in values[3:])]


def unpack(data: bytes, key: bytes = PUBLIC) -> Packet | None:
    """Read a command or a measurement; None if it is none."""
    if len(data) < 8 * (HEADER_WORDS + HASH_WORDS) or len(data) % 8:
        return None
    first, sequence, time, low, high, flags, other = HEADER.unpack_from(data)
    kind, m = first >> 40 & 0xFF, first >> 48
    if kind not in BODY or first != first_word(kind, m) or len(data) != 8 * words_of(kind, m):
        return None
    if not is_closed(data, key):
        return None
    one = struct.Struct("<ddd" if kind == COMMAND else "<dddQ")
    values = tuple(one.iter_unpack(data[8 * HEADER_WORDS : -SIZE]))
    return Packet(kind, sequence, time, join_number(low, high), values, flags, other)
