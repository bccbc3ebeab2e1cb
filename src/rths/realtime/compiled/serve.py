"""The rig's side of a wire, compiled: see realtime/serving.py for what it does and why."""

from __future__ import annotations

from numba import types

from rths.hardware.emulated.drive import WIRE
from rths.hardware.wire.greeting import RELEASE_WORDS
from rths.hardware.wire.layout import (
    ARMING,
    COMMAND,
    HASH_WORDS,
    HEADER_WORDS,
    HELLO,
    RELEASE,
    TO_ECHO,
    TO_FLAGS,
    TO_TIME,
)
from rths.hardware.wire.medium import BOX, STAMP, UDP
from rths.hardware.wire.transport import DONT_WAIT, read_box, wait, write_box
from rths.loop.abi import load_double, load_integer, store_double
from rths.loop.compiled.clock import OF_THE_DAY, now, read_clock, read_time, sleep
from rths.loop.compiled.rows import run_row
from rths.loop.row import ROW_BYTES, WORD
from rths.realtime.compiled.admission import (
    ALIKE,
    accept_command,
    find_kind,
    is_acceptable,
    is_release,
    note_latch,
    release,
)
from rths.realtime.compiled.rig_answers import write_answer, write_welcome
from rths.realtime.compiled.rig_state import count, get, put
from rths.realtime.rig_words import (
    ABSENT,
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
    LATCH,
    LOSS,
    MOVED,
    PAST,
    PERIOD,
    RANDOM,
    REFUSED,
    SEEN,
    SESSIONS,
    SETTLE,
    SETTLING,
    SLIPS,
    TIMEOUT,
    TRANSPORT,
    TRIGGERED,
    WAITING,
)

ADDRESS_ROOM = 64
"""Bytes in which the system may write the sender's address."""
_i4, _i8 = types.int32, types.int64
_recvfrom = types.ExternalFunction("recvfrom", _i8(_i4, _i8, _i8, _i4, _i8, _i8))
_ioctl = types.ExternalFunction("ioctl", _i4(_i4, _i8, _i8))
_sendto = types.ExternalFunction("sendto", _i8(_i4, _i8, _i8, _i4, _i8, _i4))


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
    elif received >= TO_ECHO:
        stamp = load_integer(inbox + TO_TIME)
    return min(max(stamp, t - PAST), t)


def find_packet(state: int, inbox: int, t: int, scratch: int) -> int:
    """Give the size of the packet that waits to be dealt with, taken off the wire if need be."""
    received = get(state, WAITING)
    if received < 0:
        longest = max(3 * get(state, ACTUATORS), RELEASE_WORDS)
        room = WORD * (HEADER_WORDS + longest + HASH_WORDS + 1)  # a longer packet shows as one
        received = take(state, inbox, room)
        put(state, WAITING, received)
        # none arrives before the one before it: that clock was set meanwhile, or is not ours
        arrived = find_arrival(state, inbox, received, t, scratch)
        put(state, ARRIVED, max(get(state, ARRIVED), arrived))
    return received


def give(state: int, outbox: int, size: int) -> None:
    """Put an answer on the wire."""
    handle = get(state, HANDLE)
    if get(state, TRANSPORT) == UDP:
        length, place = get(state, ADDRESS_SIZE), state + WORD * ADDRESS
        _sendto(_i4(handle), outbox, _i8(size), _i4(DONT_WAIT), place, _i4(length))
    else:
        write_box(handle + BOX, outbox, size)


def set_clock(state: int, inbox: int, event: int, begins: bool) -> None:
    """Let the rig's next tick fall half a tick after the earliest command of the first second.

    Between ticks of another length commands fall anywhere: none of them is early.
    """
    period = get(state, PERIOD)
    middle, due = event + period // 2, get(state, DUE)
    apart = load_integer(inbox + TO_ECHO)  # 0 if the loop does not say
    alike = apart <= 0 or abs(period - apart) * ALIKE <= apart
    if begins:
        put(state, SETTLING, 0)
    arming = load_integer(inbox + TO_FLAGS) & ARMING
    if get(state, SETTLING) == 0 and not arming:
        put(state, SETTLING, event + SETTLE)
        due = middle
    if alike and event < get(state, SETTLING) and middle < due:
        due = middle
    put(state, DUE, due)


def move(state: int, rows: int, blocks: int, wire: int, measured: int, event: int) -> None:
    """Run the blocks of the rig once; what they answer is in their status.

    A rig that was away itself has heard nothing meanwhile, whatever waits to be read.
    """
    since, quiet = 0.0, 0.0
    if get(state, SESSIONS) != 0:
        since = (event - get(state, HEARD)) * 1e-9
        quiet = max(since, get(state, ABSENT) * 1e-9)
    put(state, ABSENT, 0)
    store_double(wire + WORD * WIRE.silence, quiet)
    store_double(wire + WORD * WIRE.since, since)
    for k in range(blocks):
        run_row(rows + ROW_BYTES * k)
    note_latch(state, measured)
    count(state, MOVED, 1)


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
        put(state, ABSENT, slipped * period)
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
    """Let ticks of the rig and packets happen in the order of their times.

    It ends early when a session begins or ends, or the rig latches: that must outlive the rig.
    """
    t, ended, latch = now(scratch), get(state, ENDED), get(state, LATCH)
    while t < until and get(state, ENDED) == ended and get(state, LATCH) == latch:
        received, due = find_packet(state, inbox, t, scratch), get(state, DUE)
        if received < 0 and t < due:
            wait(get(state, TRANSPORT), get(state, HANDLE), min(due, until) - t, scratch)
            t = now(scratch)
            continue
        event, kind = get(state, ARRIVED), 0
        moves = received < 0 or due <= event
        if moves:
            event = due
        else:
            put(state, WAITING, -1)
            kind, moves = admit(state, inbox, received, command, wire, measured, event)
        if get(state, TRIGGERED) and kind != RELEASE:
            silent = event - get(state, HEARD) > get(state, TIMEOUT)
            moves = kind == COMMAND or (moves and silent and get(state, SESSIONS) != 0)
        if moves:
            move(state, rows, blocks, wire, measured, event)
        if kind == COMMAND:
            reply(state, inbox, outbox, measured, odds, event, scratch)
        elif kind != 0:
            give(state, outbox, write_welcome(state, inbox, outbox, measured, now(scratch)))
        t = now(scratch)
        if event == get(state, DUE):
            end_tick(state, t)
    return 0


def admit(
    state: int, inbox: int, received: int, command: int, wire: int, measured: int, event: int
) -> tuple[int, bool]:
    """Deal with a packet; give its type if it is to be answered, and whether the rig moves now."""
    kind, moves = find_kind(state, inbox, received), False
    if kind == COMMAND and is_acceptable(state, inbox, received):
        begins = accept_command(state, inbox, command, wire, event)
        set_clock(state, inbox, event, begins)
        moves = begins or get(state, ENDED) != 0
    elif kind == RELEASE and is_release(state, inbox, received):
        moves = release(state, inbox, measured, wire)
    elif kind != HELLO:
        count(state, REFUSED, 1)
        kind = 0
    return kind, moves
