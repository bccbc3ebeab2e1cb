"""What loop and rig say before a session, and what ends a latch; all with the key of the rig.

    hello     words 3, 4: a random number; no body
    welcome   words 3, 4: those of the hello; word 5: number of the latch; word 6: its word 2;
              body: who the rig is (64 bytes of text), challenge (128), highest session (128),
              state bits (64), ns of the rig's tick, then of each actuator the limits of the
              rig: displacement (m), velocity (m/s), acceleration (m/s²), force (N)              (1)
    release   words 3, 4: the challenge of a welcome; word 5: number of the latch that ends;
              body: a name, a second name (64 bytes of text each), the cause (256 bytes)         (2)

A rig answers each hello and each release with a welcome. A release ends a latch if it names the
latch that is there, carries the present challenge, a name and a cause that have letters and nothing
but text, and two different names if the rig wants two, and the rig is at rest; the
challenge then changes, so that nobody can send it again.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass

from rths.hardware.wire.keyed_hash import SIZE
from rths.hardware.wire.layout import (
    HASH_WORDS,
    HEADER_WORDS,
    HELLO,
    MAGIC,
    RELEASE,
    VERSION,
    WELCOME,
    first_word,
)
from rths.hardware.wire.packet import HEADER, close, is_closed, join_number, split_number
from rths.plain_text import make_plain

NAME_BYTES, CAUSE_BYTES = 64, 256
"""Bytes of text for an identity or a name, and for a cause, filled up with zeros."""
IDENTITY, CHALLENGE, HIGHEST, STATE, TICK, LIMITS = 0, 8, 10, 12, 13, 14
"""Words of the body (1)."""
RELEASE_WORDS = (2 * NAME_BYTES + CAUSE_BYTES) // 8
"""Words of the body (2)."""
SECOND, CAUSE = NAME_BYTES // 8, 2 * NAME_BYTES // 8
"""Words of the body (2) at which second name and cause begin; the name is at its beginning."""
ENGAGED, AT_REST, TWO_NAMES = 1, 2, 4
"""State bits of a rig: a session goes on, it does not move, a release needs two names."""


def welcome_words(actuators: int) -> int:
    """Count the words of a welcome."""
    return HEADER_WORDS + LIMITS + 4 * actuators + HASH_WORDS


def release_words() -> int:
    """Count the words of a release."""
    return HEADER_WORDS + RELEASE_WORDS + HASH_WORDS


@dataclass(frozen=True)
class Welcome:
    """What a rig tells of itself."""

    version: int
    identity: str
    latch: int
    """Number of the latch, 0 if there is none."""
    challenge: int
    highest: int
    """Highest number of a session that it has taken."""
    state: int
    tick: float
    """Seconds of the rig's own tick."""
    limits: tuple[tuple[float, ...], ...]
    """Displacement, velocity, acceleration and force that each actuator may not exceed."""
    genuine: bool
    """Whether it has the key."""

    @property
    def actuators(self) -> int:
        """How many actuators it has."""
        return len(self.limits)


def pack_hello(nonce: int, time: int, actuators: int, key: bytes) -> bytes:
    """Write a hello."""
    head = HEADER.pack(first_word(HELLO, actuators), 0, time, *split_number(nonce), 0, 0)
    return close(head, key)


def pack_release(
    challenge: int, latch: int, actuators: int, texts: tuple[str, str, str], key: bytes
) -> bytes:
    """Write a release with a name, a second name (or nothing) and the cause."""
    first = first_word(RELEASE, actuators)
    head = HEADER.pack(first, 0, 0, *split_number(challenge), latch, 0)
    sizes = (NAME_BYTES, NAME_BYTES, CAUSE_BYTES)
    body = b"".join(pad_text(t, n) for t, n in zip(texts, sizes, strict=True))
    return close(head + body, key)


def pad_text(text: str, size: int) -> bytes:
    """Give a text as so many bytes; what is too long is cut at a whole letter."""
    cut = text.encode()[:size].decode(errors="ignore").encode()
    return cut + bytes(size - len(cut))


def read_text(data: bytes) -> str:
    """Read a text that was filled up with zeros; what a terminal would obey is replaced."""
    return make_plain(data.rstrip(b"\0").decode(errors="replace"))


def unpack_welcome(data: bytes, nonce: int, key: bytes) -> Welcome | None:
    """Read the answer to a hello; None if it is none.

    What is not genuine, or of another version, is read as far as it goes: whoever asked is told
    why it is of no use.
    """
    if len(data) < 8 * (HEADER_WORDS + HASH_WORDS):
        return None
    first, _, _, low, high, latch, _ = HEADER.unpack_from(data)
    version, kind, m = first >> 32 & 0xFF, first >> 40 & 0xFF, first >> 48
    if first & 0xFFFFFFFF != MAGIC or kind != WELCOME or join_number(low, high) != nonce:
        return None
    if version != VERSION:
        return Welcome(version, "", 0, 0, 0, 0, 0.0, (), genuine=False)
    if len(data) != 8 * welcome_words(m):
        return None
    body = data[8 * HEADER_WORDS : -SIZE]
    *numbers, state, tick = struct.unpack_from("<4QQq", body, 8 * CHALLENGE)
    limits = struct.iter_unpack("<4d", body[8 * LIMITS :])
    return Welcome(
        version,
        read_text(body[:NAME_BYTES]),
        latch,
        join_number(*numbers[:2]),
        join_number(*numbers[2:]),
        state,
        1e-9 * tick,
        tuple(limits),
        genuine=is_closed(data, key),
    )
