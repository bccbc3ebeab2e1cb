"""The layout of the packets of a link: 64-bit words, little endian, closed by a keyed hash.

    word 0      "RTHS" (32 bits), version 2 (8), type (8), actuators m (16)                    (1)
    word 1      sequence number, 1, 2, 3, ... in a session
    word 2      time of sending by the sender's own clock, ns
    words 3, 4  session (128), the lower half first
    word 5      command: flags; measurement: number of the rig's latch, 0 if there is none
    word 6      command: ns from one command to the next; measurement: word 2 of its command
    body        command: displacement (m), velocity (m/s), force (N) of each actuator in turn
                measurement: the same three measured, then status bits (64), of each actuator
    last two    SipHash-2-4-128 of all bytes before, with the key of the session               (2)

A measurement repeats sequence number, session and time of the command that it answers: what
answers another command than the last one is late, doubled or foreign, and never fresh. Who does not
have the key can neither make a packet nor change one.
"""

from __future__ import annotations

from rths.loop.fields import fields

MAGIC, VERSION = 0x53485452, 2
"""The letters "RTHS", lowest byte first, and the version of the format: word 0 of (1)."""
COMMAND, MEASUREMENT, HELLO, WELCOME, RELEASE = 1, 2, 3, 4, 5
"""Kinds of packets; the last three are described in greeting.py."""
HEADER_WORDS, HASH_WORDS = 7, 2
"""Words before the body, and after it."""
TO_SEQUENCE, TO_TIME, TO_SESSION, TO_FLAGS, TO_ECHO = 8, 16, 24, 40, 48
"""Bytes to the words of (1); those to the flags lead to the latch in what a rig sends."""
COMMANDED = fields(displacement="m", velocity="m/s", force="N")
MEASURED = fields(**COMMANDED.meaning, status="bits")
"""Words of one actuator in the body."""
BODY = {COMMAND: len(COMMANDED), MEASUREMENT: len(MEASURED)}
"""Words for each actuator."""
HAS_VELOCITY, HAS_FORCE, GOODBYE, ARMING, RELEASE_PRESSURE, TRIPPED = 1, 2, 4, 8, 16, 32
"""Flags of a command: its velocity is meant, its force is meant, it is the last of its session, it
comes before the test and by no clock, the rig is to release its oil pressure, the test has tripped
and the rig is to latch."""
MOST = 60
"""Largest number of actuators: their packets fit the boxes of a mapped file."""


def first_word(kind: int, actuators: int) -> int:
    """Give word 0 of (1)."""
    return MAGIC | VERSION << 32 | kind << 40 | actuators << 48


def words_of(kind: int, actuators: int) -> int:
    """Count the words of a command or a measurement."""
    return HEADER_WORDS + BODY[kind] * actuators + HASH_WORDS
