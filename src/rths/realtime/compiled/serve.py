"""The rig's side of a wire, compiled: see realtime/serving.py for what it does and why."""

from __future__ import annotations

from numba import types

from rths.hardware.wire.checksum import is_whole, seal
from rths.hardware.wire.medium import BOX, STAMP, UDP
from rths.hardware.wire.packet import (
    ARMING,
    COMMAND,
    GOODBYE,
    HEADER_WORDS,
    MEASUREMENT,
    TO_ECHO,
    TO_SEQUENCE,
    TO_SESSION,
    TO_TIME,
    first_word,
)
from rths.hardware.wire.transport import DONT_WAIT, read_box, wait, write_box
from rths.loop.abi import load_double, load_integer, store_double, store_integer
from rths.loop.compiled.clock import OF_THE_DAY, now, read_clock, read_time, sleep
from rths.loop.compiled.rows import run_row
from rths.loop.row import ROW_BYTES, WORD
from rths.realtime.rig_words import (
    ACCEPTED,
    ACTUATORS,
    ADDRESS,
    ADDRESS_SIZE,
    ARRIVED,
    DROPPED,
    DUE,
    ENDED,
    FIRST,
    HANDLE,
    HEARD,
    JITTER,
    LOSS,
    MOVED,
    PAST,
    PERIOD,
    RANDOM,
    REFUSED,
    SEEN,
    SEQUENCE,
    SESSION,
    SETTLE,
    SETTLING,
    SLIPS,
    TIMEOUT,
    TRANSPORT,
    TRIGGERED,
    WAITING,
)

NUMBER = 0xFFFFFFFF
"""The bits of a session's number in the word that it shares with the flags."""
LARGEST = 1e300
"""What a command may not reach: its squares and products would not be finite."""
ADDRESS_ROOM = 64
"""Bytes in which the system may write the sender's address."""
_i4, _i8 = types.int32, types.int64
_recvfrom = types.ExternalFunction("recvfrom", _i8(_i4, _i8, _i8, _i4, _i8, _i8))
_ioctl = types.ExternalFunction("ioctl", _i4(_i4, _i8, _i8))
_sendto = types.ExternalFunction("sendto", _i8(_i4, _i8, _i8, _i4, _i8, _i4))


def get(state: int, word: int) -> int:
    """Read a word of the rig's state."""
    return load_integer(state + WORD * word)  # type: ignore[no-any-return]


def put(state: int, word: int, value: int) -> None:
    """Write a word of the rig's state."""
    store_integer(state + WORD * word, value)


def count(state: int, word: int, more: int) -> None:
    """Add to a word of the rig's state."""
    put(state, word, get(state, word) + more)


def take(state: int, inbox: int, room: int) -> int:
    """Take one command off the wire; its size, or -1. The sender's address is kept."""
    handle = get(state, HANDLE)
    if get(state, TRANSPORT) == UDP:
        put(state, ADDRESS_SIZE, ADDRESS_ROOM)
        place, size = state + WORD * ADDRESS, state + WORD * ADDRESS_SIZE
        return _recvfrom(_i4(handle), inbox, _i8(room), _i4(DONT_WAIT), place, size)  # type: ignore[no-any-return]
    return read_box(handle, inbox, room, state + WORD * SEEN)


def find_arrival(state: int, inbox: int, received: int, t: int, scratch: int) -> int:
    """Tell when the packet just taken had arrived: by the system's stamp, or by its sender's."""
    stamp = t
    if received >= 0 and get(state, TRANSPORT) == UDP:
        if _ioctl(_i4(get(state, HANDLE)), _i8(STAMP), scratch) == 0:
            stamp = read_time(scratch)
            stamp -= read_clock(OF_THE_DAY, scratch)  # the stamp is of the clock that can be set
            stamp += now(scratch)
    elif received >= TO_SESSION:
        stamp = load_integer(inbox + TO_TIME)
    return min(max(stamp, t - PAST), t)


def find_packet(state: int, inbox: int, t: int, scratch: int) -> int:
    """Give the size of the packet that waits to be dealt with, taken off the wire if need be."""
    received = get(state, WAITING)
    if received < 0:
        room = WORD * (HEADER_WORDS + 3 * get(state, ACTUATORS) + 2)  # a longer packet shows as one
        received = take(state, inbox, room)
        put(state, WAITING, received)
        put(state, ARRIVED, find_arrival(state, inbox, received, t, scratch))
    return received


def give(state: int, outbox: int, size: int) -> None:
    """Put an answer on the wire."""
    handle = get(state, HANDLE)
    if get(state, TRANSPORT) == UDP:
        length, place = get(state, ADDRESS_SIZE), state + WORD * ADDRESS
        _sendto(_i4(handle), outbox, _i8(size), _i4(DONT_WAIT), place, _i4(length))
    else:
        write_box(handle + BOX, outbox, size)


def is_acceptable(state: int, inbox: int, received: int, t: int) -> bool:
    """Tell whether bytes are a command that the rig may follow."""
    m = get(state, ACTUATORS)
    if not is_whole(inbox, received, HEADER_WORDS + 3 * m + 1, first_word(COMMAND, m)):
        return False
    for k in range(3 * m):
        if not abs(load_double(inbox + WORD * (HEADER_WORDS + k))) < LARGEST:
            return False
    session = load_integer(inbox + TO_SESSION) & NUMBER
    ended = get(state, ENDED)
    if session in (0, ended):
        return False
    if session == get(state, SESSION):
        return bool(load_integer(inbox + TO_SEQUENCE) > get(state, SEQUENCE))
    silent = t - get(state, HEARD) > get(state, TIMEOUT)
    return bool(get(state, SESSION) in (0, ended) or silent)


def accept_command(state: int, inbox: int, command: int, wire: int, t: int) -> None:
    """Take over an accepted command."""
    session = load_integer(inbox + TO_SESSION)
    for c in range(get(state, ACTUATORS)):
        store_double(command + WORD * c, load_double(inbox + WORD * (HEADER_WORDS + 3 * c)))
    put(state, SESSION, session & NUMBER)
    put(state, SEQUENCE, load_integer(inbox + TO_SEQUENCE))
    put(state, HEARD, t)
    if get(state, FIRST) == 0:
        put(state, FIRST, t)
    count(state, ACCEPTED, 1)
    store_double(wire + WORD, float(session & NUMBER))
    goodbye = session >> 32 & GOODBYE
    if goodbye:
        put(state, ENDED, session & NUMBER)
    store_double(wire + 2 * WORD, 1.0 if goodbye else 0.0)


def set_clock(state: int, inbox: int, event: int, begins: bool) -> None:
    """Let the rig's next tick fall half a tick after the earliest command of the first second."""
    middle, due = event + get(state, PERIOD) // 2, get(state, DUE)
    if begins:
        put(state, SETTLING, 0)
    arming = load_integer(inbox + TO_SESSION) >> 32 & ARMING
    if get(state, SETTLING) == 0 and not arming:
        put(state, SETTLING, event + SETTLE)
        due = middle
    if event < get(state, SETTLING) and middle < due:
        due = middle
    put(state, DUE, due)


def move(state: int, rows: int, blocks: int, wire: int, event: int) -> None:
    """Run the blocks of the rig once; what they answer is in their status."""
    quiet = 0.0
    if get(state, SESSION) != 0:
        quiet = (event - get(state, HEARD)) * 1e-9
    store_double(wire, quiet)
    for k in range(blocks):
        run_row(rows + ROW_BYTES * k)
    count(state, MOVED, 1)


def write_answer(state: int, inbox: int, outbox: int, measured: int, t: int) -> int:
    """Write the measurement that answers a command; its size in bytes."""
    m = get(state, ACTUATORS)
    store_integer(outbox, first_word(MEASUREMENT, m))
    store_integer(outbox + TO_SEQUENCE, load_integer(inbox + TO_SEQUENCE))
    store_integer(outbox + TO_TIME, t)
    store_integer(outbox + TO_SESSION, load_integer(inbox + TO_SESSION) & NUMBER)
    store_integer(outbox + TO_ECHO, load_integer(inbox + TO_TIME))
    for c in range(m):
        place = outbox + WORD * (HEADER_WORDS + 4 * c)
        for i in range(3):
            store_double(place + WORD * i, load_double(measured + WORD * (i * m + c)))
        store_integer(place + 3 * WORD, int(load_double(measured + WORD * (3 * m + c))))
    words = HEADER_WORDS + 4 * m + 1
    seal(outbox, words)
    return int(WORD * words)


def draw(state: int, odds: int, which: int, t: int) -> float:
    """Draw a random number from 0 to 1 for a fault of the wire; -1 while it is not there."""
    elapsed = (t - get(state, FIRST)) * 1e-9
    start, end = load_double(odds + WORD * (which + 1)), load_double(odds + WORD * (which + 2))
    if not start <= elapsed < end:
        return -1.0
    s = (1664525 * get(state, RANDOM) + 1013904223) & 0xFFFFFFFF
    put(state, RANDOM, s)
    return s / 4294967296.0


def reply(
    state: int, inbox: int, outbox: int, measured: int, odds: int, event: int, scratch: int
) -> None:
    """Answer a command, unless the wire is to lose the answer; late, if it is to be late."""
    drawn = draw(state, odds, LOSS, event)
    if 0.0 <= drawn < load_double(odds + WORD * LOSS):
        count(state, DROPPED, 1)
        return
    drawn = draw(state, odds, JITTER, event)
    if drawn > 0.0:
        sleep(int(1e9 * drawn * load_double(odds + WORD * JITTER)), scratch)
    give(state, outbox, write_answer(state, inbox, outbox, measured, now(scratch)))


def end_tick(state: int, t: int) -> None:
    """Set the time of the rig's next tick; what it cannot make up for slips and is counted."""
    period = get(state, PERIOD)
    due = get(state, DUE) + period
    if t - due > PAST:
        slipped = (t - due) // period
        count(state, SLIPS, slipped)
        due += slipped * period
    put(state, DUE, due)


def serve(
    state: int,
    rows: int,
    blocks: int,
    command: int,
    wire: int,
    measured: int,
    inbox: int,
    outbox: int,
    odds: int,
    scratch: int,
    until: int,
) -> int:
    """Let ticks of the rig and packets happen in the order of their times."""
    t = now(scratch)
    while t < until:
        received, due = find_packet(state, inbox, t, scratch), get(state, DUE)
        if received < 0 and t < due:
            wait(get(state, TRANSPORT), get(state, HANDLE), min(due, until) - t, scratch)
            t = now(scratch)
            continue
        event = get(state, ARRIVED)
        moves = received < 0 or due <= event
        valid = False
        if moves:
            event = due
        else:
            put(state, WAITING, -1)
            valid = is_acceptable(state, inbox, received, event)
            if valid:
                session = get(state, SESSION)
                accept_command(state, inbox, command, wire, event)
                moves = get(state, SESSION) != session
                set_clock(state, inbox, event, moves)
            else:
                count(state, REFUSED, 1)
        if get(state, TRIGGERED):
            silent = event - get(state, HEARD) > get(state, TIMEOUT)
            moves = valid or (moves and silent and get(state, SESSION) != 0)
        if moves:
            move(state, rows, blocks, wire, event)
        if valid:
            reply(state, inbox, outbox, measured, odds, event, scratch)
        t = now(scratch)
        if event == get(state, DUE):
            end_tick(state, t)
    return 0
