"""One tick of a link over a wire: send the command, wait for its answer, give what is there.

An answer is accepted if it is whole and repeats sequence number, session and time of the command
of this tick. All others are late, doubled, foreign or damaged: they are counted and thrown away.
"""

from __future__ import annotations

from rths.hardware.wire.layout import (
    COMMAND,
    COMMANDED,
    HAS_FORCE,
    HAS_VELOCITY,
    HASH_WORDS,
    HEADER_WORDS,
    MEASURED,
    MEASUREMENT,
    RELEASE_PRESSURE,
    TO_ECHO,
    TO_FLAGS,
    TO_SEQUENCE,
    TO_SESSION,
    TO_TIME,
    first_word,
)
from rths.hardware.wire.medium import SCRATCH
from rths.hardware.wire.policy import KEPT, SCALES, P, X, make_room, session_place, settle
from rths.hardware.wire.seal import is_whole, seal
from rths.hardware.wire.session import WORDS as SESSION_WORDS
from rths.hardware.wire.transport import address_of, receive, transmit, wait
from rths.loop.abi import load_double, load_integer, store_double, store_integer
from rths.loop.block import Vector, kernel
from rths.loop.compiled.clock import now
from rths.safety.relief import ASKED


def buffers(actuators: int) -> int:
    """Count the states after those of the policy: session, packet out, packet in, count, clock."""
    return SESSION_WORDS + command_words(actuators) + answer_words(actuators) + 2 + SCRATCH


def command_words(actuators: int) -> int:
    """Count the words of a command."""
    return HEADER_WORDS + len(COMMANDED) * actuators + HASH_WORDS


def answer_words(actuators: int) -> int:
    """Count the words of a measurement."""
    return HEADER_WORDS + len(MEASURED) * actuators + HASH_WORDS


def write_command(x: Vector, p: Vector, u: Vector, session: int, out: int, time: int) -> int:
    """Write the command packet of this tick; give its size in bytes."""
    m, flags = int(p[P.actuators]), int(p[P.flags])
    beside = (1 if flags & HAS_VELOCITY else 0) + (1 if flags & HAS_FORCE else 0)
    relief = m * (1 + beside)
    if u.size > relief and u[relief] >= ASKED:
        flags |= RELEASE_PRESSURE
    store_integer(out, first_word(COMMAND, m))
    store_integer(out + TO_SEQUENCE, int(x[X.sequence]))
    store_integer(out + TO_TIME, time)
    store_integer(out + TO_SESSION, load_integer(session))
    store_integer(out + TO_SESSION + 8, load_integer(session + 8))
    store_integer(out + TO_FLAGS, flags)
    store_integer(out + TO_ECHO, int(p[P.period]))
    for c in range(m):
        place, scales = out + 8 * (HEADER_WORDS + len(COMMANDED) * c), P.scales + c
        length, scale = p[scales + SCALES.length * m], p[scales + SCALES.force * m]
        store_double(place + 8 * COMMANDED.displacement, u[c] * (1 / length))
        velocity = u[m + c] * (1 / length) if flags & HAS_VELOCITY else 0.0
        store_double(place + 8 * COMMANDED.velocity, velocity)
        before = 2 * m if flags & HAS_VELOCITY else m
        force = u[before + c] / scale if flags & HAS_FORCE else 0.0
        store_double(place + 8 * COMMANDED.force, force)
    words = command_words(m)
    seal(out, words, session + 16)
    return 8 * words


def answers(packet: int, received: int, x: Vector, p: Vector, session: int, time: int) -> bool:
    """Tell whether bytes are the answer to the command of this tick."""
    m = int(p[P.actuators])
    if not is_whole(packet, received, answer_words(m), first_word(MEASUREMENT, m), session + 16):
        return False
    same = load_integer(packet + TO_SEQUENCE) == int(x[X.sequence])
    for k in (0, 8):
        same = same and load_integer(packet + TO_SESSION + k) == load_integer(session + k)
    return bool(same and load_integer(packet + TO_ECHO) == time)


@kernel
def link(x: Vector, p: Vector, u: Vector, y: Vector) -> int:
    # p, x, y: as named in policy.py
    # u = displacements, velocities if meant, forces if meant, what the relief does if there is one
    m = int(p[P.actuators])
    transport, handle = int(p[P.transport]), int(p[P.handle])
    session = address_of(x) + 8 * session_place(m)
    out = session + 8 * SESSION_WORDS
    packet = out + 8 * command_words(m)
    room = 8 * (answer_words(m) + 1)  # one word more, so that longer packets show
    seen = packet + room
    scratch = seen + 8
    x[X.sequence] += 1.0
    begun = now(scratch)
    transmit(transport, handle, out, write_command(x, p, u, session, out, begun))
    fresh = False
    while True:
        received = receive(transport, handle, packet, room, seen)
        passed = now(scratch) - begun
        if received >= 0:
            if answers(packet, received, x, p, session, begun):
                fresh = True
                break
            x[X.refused] += 1.0
        left = int(p[P.timeout]) - passed
        if left <= 0:
            break
        if received < 0:
            wait(transport, handle, left, scratch)
    if fresh:
        make_room(x, m)
        for c in range(m):
            place, kept = packet + 8 * (HEADER_WORDS + len(MEASURED) * c), X.kept + c
            x[kept + KEPT.displacement * m] = load_double(place + 8 * MEASURED.displacement)
            x[kept + KEPT.velocity * m] = load_double(place + 8 * MEASURED.velocity)
            x[kept + KEPT.force * m] = load_double(place + 8 * MEASURED.force)
            status = load_integer(place + 8 * MEASURED.status) & 0xFFFFFFFF
            x[kept + KEPT.status * m] = float(status)
    return settle(x, p, y, fresh, passed * 1e-9)
