"""How bytes leave and arrive, called from compiled code: a UDP socket or shared memory.

A socket is read without waiting; where nothing is there, the process sleeps until something comes
or time is up, so that a rig on the same core can work.

Shared memory holds two boxes, for commands and for measurements. Each begins with a count that
its writer makes odd before it changes the packet and even, published, after it:

    count (64 bits), bytes (64 bits), packet                                                  (1)

A reader takes a packet whose count is even, new, and still the same after it was copied.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from rths.hardware.wire.medium import BOX, UDP
from rths.loop.abi import load_acquire, load_integer, store_integer, store_release
from rths.loop.compiled.clock import sleep, write_time

NAP = 20_000
"""Nanoseconds between two looks into a box."""
DONT_WAIT = 0x40
"""MSG_DONTWAIT of <sys/socket.h>: a loop on the clock never waits in the system."""
_i4, _i8 = types.int32, types.int64
_send = types.ExternalFunction("send", _i8(_i4, _i8, _i8, _i4))
_recv = types.ExternalFunction("recv", _i8(_i4, _i8, _i8, _i4))
_poll = types.ExternalFunction("ppoll", _i4(_i8, _i8, _i8, _i8))


def address_of(x: Any) -> int:
    """Address of an array, as a signed number."""
    return np.int64(x.ctypes.data)  # type: ignore[return-value]


def wait(transport: int, handle: int, nanoseconds: int, scratch: int) -> None:
    """Sleep until something may have come, at most so long."""
    if transport == UDP:
        write_time(scratch, nanoseconds)
        store_integer(scratch + 16, handle | 1 << 32)  # struct pollfd: input wanted
        _poll(scratch + 16, _i8(1), scratch, _i8(0))
    else:
        sleep(min(nanoseconds, NAP), scratch)


def write_box(box: int, packet: int, size: int) -> None:
    """Put a packet into a box (1)."""
    count = load_integer(box) | 1
    store_release(box, count)
    store_release(box + 8, size)
    for k in range(0, size, 8):
        store_release(box + 16 + k, load_integer(packet + k))
    store_release(box, count + 1)


def read_box(box: int, packet: int, room: int, seen: int) -> int:
    """Take a new packet out of a box; its size, or -1. ``seen`` is where the last count is kept."""
    count = load_acquire(box)
    if count & 1 or count == load_integer(seen):
        return -1
    size = load_acquire(box + 8)
    if 0 <= size <= room:
        for k in range(0, size, 8):
            store_integer(packet + k, load_acquire(box + 16 + k))
    if load_acquire(box) != count:
        return -1
    store_integer(seen, count)
    return size  # type: ignore[no-any-return]


def transmit(transport: int, handle: int, packet: int, size: int) -> None:
    """Send a command; a full or broken socket is the time-out's business."""
    if transport == UDP:
        _send(_i4(handle), packet, _i8(size), _i4(DONT_WAIT))
    else:
        write_box(handle, packet, size)


def receive(transport: int, handle: int, packet: int, room: int, seen: int) -> int:
    """Take one measurement; its size, or -1 if there is none."""
    if transport == UDP:
        return _recv(_i4(handle), packet, _i8(room), _i4(DONT_WAIT))  # type: ignore[no-any-return]
    return read_box(handle + BOX, packet, room, seen)
