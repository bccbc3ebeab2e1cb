"""The rig's side of a wire, compiled: answer commands, and let the rig live by its own clock.

    at a tick of the rig   it moves to the last command that was accepted                      (1)
    at a packet            it is answered at once, with what was measured last                 (2)

Both happen in the order of their times, whenever this process comes to it: a specimen does not wait
for a busy machine. Only the answer is then late, and the loop may not wait for it.

With a clock of its own, command and answer thus lie one tick of the loop apart, provided that one
tick of the rig falls between two commands. In the first second of a test the rig therefore sets
its clock half a tick after the earliest command, as far as can be from one that comes early or
late. After that it runs freely, and drifts if it is made to. Only the first command of a session
moves it at once, so that the answer says nothing of the session before. A rig that is triggered
moves at the packet, before it answers, and by its clock only while nothing comes.

A command is accepted if it is whole, finite, of the present session and newer than the last one. A
new session begins only when none is there, or the one before has said goodbye or has been silent
for the time-out. One that has said goodbye never comes back.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numba import types

from rths.hardware.udp import STAMP
from rths.hardware.wire import packet
from rths.hardware.wire.packet import (
    ARMING,
    COMMAND,
    GOODBYE,
    HEADER_WORDS,
    MEASUREMENT,
    first_word,
    is_whole,
    seal,
)
from rths.hardware.wire.transport import BOX, DONT_WAIT, SECOND, UDP, now, read_box, wait, write_box
from rths.loop.abi import load_double, load_integer, store_double, store_integer
from rths.loop.compilation import compile_function, digest
from rths.loop.machine_code import machine_function

(
    TRANSPORT, HANDLE, ACTUATORS, DUE, PERIOD, TRIGGERED, SESSION, SEQUENCE, HEARD, TIMEOUT,
    ACCEPTED, REFUSED, MOVED, SLIPS, DROPPED, SEEN, RANDOM, FIRST, SETTLING,
    WAITING, ARRIVED, ENDED, ADDRESS_SIZE, ADDRESS,
) = range(24)  # fmt: skip
WORDS = 32
"""int64 words of a rig's state: the names above; the last is the first of the sender's address."""
SETTLE = 1_000_000_000
"""Nanoseconds at the beginning of a test in which the rig sets its clock."""
PAST = 1_000_000_000
"""Nanoseconds of its own absence that a rig makes up for; the rest slips and is counted."""
LOSS, JITTER = 0, 3
"""Where in the odds value, start and end of a fault of the wire lie."""
_i4, _i8 = types.int32, types.int64
_recvfrom = types.ExternalFunction("recvfrom", _i8(_i4, _i8, _i8, _i4, _i8, _i8))
_ioctl = types.ExternalFunction("ioctl", _i4(_i4, _i8, _i8))
_gettime = types.ExternalFunction("clock_gettime", _i4(_i4, _i8))
_sendto = types.ExternalFunction("sendto", _i8(_i4, _i8, _i8, _i4, _i8, _i4))


def take(state: int, inbox: int, room: int) -> int:
    """Take one command off the wire; its size, or -1. The sender's address is kept."""
    if load_integer(state + 8 * TRANSPORT) == UDP:
        store_integer(state + 8 * ADDRESS_SIZE, 64)
        handle = load_integer(state + 8 * HANDLE)
        place, size = state + 8 * ADDRESS, state + 8 * ADDRESS_SIZE
        return _recvfrom(_i4(handle), inbox, _i8(room), _i4(DONT_WAIT), place, size)  # type: ignore[no-any-return]
    return read_box(load_integer(state + 8 * HANDLE), inbox, room, state + 8 * SEEN)


def arrival(state: int, inbox: int, received: int, t: int, scratch: int) -> int:
    """Tell when the packet just taken had arrived: by the system's stamp, or by its sender's."""
    stamp = t
    if received >= 0 and load_integer(state + 8 * TRANSPORT) == UDP:
        if _ioctl(_i4(load_integer(state + 8 * HANDLE)), _i8(STAMP), scratch) == 0:
            stamp = load_integer(scratch) * SECOND + load_integer(scratch + 8)
            _gettime(_i4(0), scratch)  # the stamp is of the clock that can be set
            stamp -= load_integer(scratch) * SECOND + load_integer(scratch + 8) - now(scratch)
    elif received >= 24:
        stamp = load_integer(inbox + 16)
    return min(max(stamp, t - PAST), t)


def give(state: int, outbox: int, size: int) -> None:
    """Put an answer on the wire."""
    handle = load_integer(state + 8 * HANDLE)
    if load_integer(state + 8 * TRANSPORT) == UDP:
        length = load_integer(state + 8 * ADDRESS_SIZE)
        place = state + 8 * ADDRESS
        _sendto(_i4(handle), outbox, _i8(size), _i4(DONT_WAIT), place, _i4(length))
    else:
        write_box(handle + BOX, outbox, size)


def acceptable(state: int, inbox: int, received: int, t: int) -> bool:
    """Tell whether bytes are a command that the rig may follow."""
    m = load_integer(state + 8 * ACTUATORS)
    if not is_whole(inbox, received, HEADER_WORDS + 3 * m + 1, first_word(COMMAND, m)):
        return False
    for k in range(3 * m):
        if not abs(load_double(inbox + 8 * (HEADER_WORDS + k))) < 1e300:
            return False
    session = load_integer(inbox + 24) & 0xFFFFFFFF
    ended = load_integer(state + 8 * ENDED)
    if session in (0, ended):
        return False
    if session == load_integer(state + 8 * SESSION):
        return bool(load_integer(inbox + 8) > load_integer(state + 8 * SEQUENCE))
    silent = t - load_integer(state + 8 * HEARD) > load_integer(state + 8 * TIMEOUT)
    return bool(load_integer(state + 8 * SESSION) in (0, ended) or silent)


def hear(state: int, inbox: int, command: int, wire: int, t: int) -> None:
    """Take over an accepted command."""
    m, session = load_integer(state + 8 * ACTUATORS), load_integer(inbox + 24)
    for c in range(m):
        store_double(command + 8 * c, load_double(inbox + 8 * (HEADER_WORDS + 3 * c)))
    store_integer(state + 8 * SESSION, session & 0xFFFFFFFF)
    store_integer(state + 8 * SEQUENCE, load_integer(inbox + 8))
    store_integer(state + 8 * HEARD, t)
    if load_integer(state + 8 * FIRST) == 0:
        store_integer(state + 8 * FIRST, t)
    store_integer(state + 8 * ACCEPTED, load_integer(state + 8 * ACCEPTED) + 1)
    store_double(wire + 8, float(session & 0xFFFFFFFF))
    goodbye = session >> 32 & GOODBYE
    if goodbye:
        store_integer(state + 8 * ENDED, session & 0xFFFFFFFF)
    store_double(wire + 16, 1.0 if goodbye else 0.0)


def answer_of(state: int, inbox: int, outbox: int, measured: int, t: int) -> int:
    """Write the measurement that answers a command; its size in bytes."""
    m = load_integer(state + 8 * ACTUATORS)
    store_integer(outbox, first_word(MEASUREMENT, m))
    store_integer(outbox + 8, load_integer(inbox + 8))
    store_integer(outbox + 16, t)
    store_integer(outbox + 24, load_integer(inbox + 24) & 0xFFFFFFFF)
    store_integer(outbox + 32, load_integer(inbox + 16))
    for c in range(m):
        place = outbox + 8 * (HEADER_WORDS + 4 * c)
        for i in range(3):
            store_double(place + 8 * i, load_double(measured + 8 * (i * m + c)))
        store_integer(place + 24, int(load_double(measured + 8 * (3 * m + c))))
    words = HEADER_WORDS + 4 * m + 1
    seal(outbox, words)
    return int(8 * words)


def chance(state: int, odds: int, which: int, t: int) -> float:
    """Give a fault of the wire times a random number from 0 to 1, or -1 if it is not there."""
    passed = (t - load_integer(state + 8 * FIRST)) * 1e-9
    start, end = load_double(odds + 8 * which + 8), load_double(odds + 8 * which + 16)
    if not start <= passed < end:
        return -1.0
    s = (1664525 * load_integer(state + 8 * RANDOM) + 1013904223) & 0xFFFFFFFF
    store_integer(state + 8 * RANDOM, s)
    return s / 4294967296.0  # type: ignore[no-any-return]


SOURCE = """# {digests}
def serve(state, rows, blocks, command, wire, measured, inbox, outbox, odds, scratch, until):
    room = 8 * ({head} + 3 * load_integer(state + {actuators}) + 2)
    period = load_integer(state + {period})
    t = now(scratch)
    while t < until:
        received = load_integer(state + {waiting})
        if received < 0:
            received = take(state, inbox, room)
            store_integer(state + {waiting}, received)
            store_integer(state + {arrived}, arrival(state, inbox, received, t, scratch))
        due = load_integer(state + {due})
        if received < 0 and t < due:
            wait(load_integer(state + {transport}), load_integer(state + {handle}),
                 min(due, until) - t, scratch)
            t = now(scratch)
            continue
        event = load_integer(state + {arrived})
        moves = received < 0 or due <= event
        valid = False
        if moves:
            event = due
        else:
            store_integer(state + {waiting}, -1)
            valid = acceptable(state, inbox, received, event)
            if valid:
                begun = load_integer(state + {session})
                hear(state, inbox, command, wire, event)
                middle = event + period // 2
                if load_integer(state + {session}) != begun:
                    store_integer(state + {settling}, 0)
                    moves = True
                arming = load_integer(inbox + 24) >> 32 & {arming}
                if load_integer(state + {settling}) == 0 and not arming:
                    store_integer(state + {settling}, event + {settle})
                    due = middle
                if event < load_integer(state + {settling}) and middle < due:
                    due = middle
                store_integer(state + {due}, due)
            else:
                store_integer(state + {refused}, load_integer(state + {refused}) + 1)
        silent = event - load_integer(state + {heard}) > load_integer(state + {timeout})
        if load_integer(state + {triggered}):
            moves = valid or (moves and silent and load_integer(state + {session}) != 0)
        if moves:
            quiet = 0.0
            if load_integer(state + {session}) != 0:
                quiet = (event - load_integer(state + {heard})) * 1e-9
            store_double(wire, quiet)
            row = rows
            while row != rows + 64 * blocks:
                u = load_integer(row + 24)
                left = load_integer(row + 48)
                source = load_integer(row + 56)
                place = u
                while left:
                    store_double(place, load_double(load_integer(source)))
                    place += 8
                    source += 8
                    left -= 1
                entry, x, p = load_integer(row), load_integer(row + 8), load_integer(row + 16)
                call(entry, x, p, u, load_integer(row + 32), load_integer(row + 40))
                row += 64
            store_integer(state + {moved}, load_integer(state + {moved}) + 1)
        if valid:
            odd = chance(state, odds, {loss}, event)
            if 0.0 <= odd < load_double(odds + 8 * {loss}):
                store_integer(state + {dropped}, load_integer(state + {dropped}) + 1)
            else:
                odd = chance(state, odds, {jitter}, event)
                if odd > 0.0:
                    pause(int(1e9 * odd * load_double(odds + 8 * {jitter})), scratch)
                give(state, outbox, answer_of(state, inbox, outbox, measured, now(scratch)))
        t = now(scratch)
        if event == due:
            due += period
            if t - due > {past}:
                slipped = (t - due) // period
                store_integer(state + {slips}, load_integer(state + {slips}) + slipped)
                due += slipped * period
            store_integer(state + {due}, due)
    return 0
"""


def pause(nanoseconds: int, scratch: int) -> None:
    """Sleep: a reply that is late on purpose."""
    store_integer(scratch, nanoseconds // 1_000_000_000)
    store_integer(scratch + 8, nanoseconds % 1_000_000_000)
    _nanosleep(scratch, _i8(0))


_nanosleep = types.ExternalFunction("nanosleep", _i4(_i8, _i8))
OURS = (take, arrival, give, acceptable, hear, answer_of, chance, pause, now, wait)


@cache
def load_serve() -> Callable[..., int]:
    """Load the rig's loop, or compile it."""
    places = {
        "actuators": ACTUATORS, "due": DUE, "transport": TRANSPORT, "handle": HANDLE,
        "refused": REFUSED, "heard": HEARD, "timeout": TIMEOUT, "triggered": TRIGGERED,
        "session": SESSION, "moved": MOVED, "dropped": DROPPED, "period": PERIOD, "slips": SLIPS,
        "settling": SETTLING, "waiting": WAITING, "arrived": ARRIVED,
    }  # fmt: skip
    at = {name: 8 * place for name, place in places.items()}
    digests = " ".join(digest(f) for f in OURS)
    times = {"past": PAST, "settle": SETTLE, "arming": ARMING}
    odds = {"loss": LOSS, "jitter": JITTER}
    source = SOURCE.format(digests=digests, head=packet.HEADER_WORDS, **times, **odds, **at)
    return machine_function("serve", source, 11, _names).callable()


def _names() -> dict[str, Any]:
    from rths.loop import abi

    names = ("call", "load_double", "load_integer", "store_double", "store_integer")
    return {n: getattr(abi, n) for n in names} | {f.__name__: compile_function(f) for f in OURS}


def state_words() -> Any:
    """Reserve a rig's state, no packet waiting in it."""
    words = np.zeros(WORDS, np.int64)
    words[WAITING] = -1
    return words
