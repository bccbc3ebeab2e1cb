"""The clocks of the system, called from compiled code by the names of the C library.

``times`` is the address of two int64, a struct timespec: seconds and nanoseconds.
"""

from __future__ import annotations

from numba import types

from rths.loop.abi import load_integer, store_integer
from rths.loop.row import WORD

SECOND = 1_000_000_000
"""Nanoseconds."""
OF_THE_DAY, MONOTONIC = 0, 1
"""Clocks: one that can be set, and one that only goes on."""
_ABSOLUTE, _INTERRUPTED = 1, 4
"""TIMER_ABSTIME of <time.h>, and EINTR of <errno.h>: a signal came, sleep again."""
_i4, _i8 = types.int32, types.int64
_gettime = types.ExternalFunction("clock_gettime", _i4(_i4, _i8))
_nanosleep = types.ExternalFunction("clock_nanosleep", _i4(_i4, _i4, _i8, _i8))


def read_clock(which: int, times: int) -> int:
    """Read a clock, ns."""
    _gettime(_i4(which), times)
    return read_time(times)


def read_time(times: int) -> int:
    """Give the time that stands in ``times``, ns."""
    return load_integer(times) * SECOND + load_integer(times + WORD)  # type: ignore[no-any-return]


def write_time(times: int, nanoseconds: int) -> None:
    """Put a time into ``times``."""
    store_integer(times, nanoseconds // SECOND)
    store_integer(times + WORD, nanoseconds % SECOND)


def now(times: int) -> int:
    """Read the monotonic clock, ns."""
    return read_clock(MONOTONIC, times)


def sleep_until(due: int, times: int) -> None:
    """Sleep until a time of the monotonic clock; a signal does not end it."""
    if now(times) < due:
        write_time(times, due)
        while _nanosleep(_i4(MONOTONIC), _i4(_ABSOLUTE), times, _i8(0)) == _INTERRUPTED:
            pass


def sleep(nanoseconds: int, times: int) -> None:
    """Sleep for a while, or until a signal comes."""
    write_time(times, nanoseconds)
    _nanosleep(_i4(MONOTONIC), _i4(0), times, _i8(0))
