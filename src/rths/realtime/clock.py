"""The monotonic clock of the system, called from compiled code by the names of the C library."""

from __future__ import annotations

from numba import njit, types

from rths.loop.abi import load_integer, store_integer
from rths.loop.compilation import OPTIONS

_MONOTONIC, _ABSOLUTE, _INTERRUPTED = 1, 1, 4
_SECOND = 1_000_000_000
_gettime = types.ExternalFunction("clock_gettime", types.int32(types.int32, types.int64))
_nanosleep = types.ExternalFunction(
    "clock_nanosleep", types.int32(types.int32, types.int32, types.int64, types.int64)
)


@njit(inline="always", **OPTIONS)
def now(times):  # type: ignore[no-untyped-def]
    """Read the clock, ns; ``times`` is the address of two int64."""
    _gettime(types.int32(_MONOTONIC), times)
    return load_integer(times) * _SECOND + load_integer(times + 8)


@njit(inline="always", **OPTIONS)
def sleep_until(due, times):  # type: ignore[no-untyped-def]
    """Sleep until an absolute time, ns; a signal does not end it."""
    if now(times) < due:
        store_integer(times, due // _SECOND)
        store_integer(times + 8, due % _SECOND)
        while (
            _nanosleep(types.int32(_MONOTONIC), types.int32(_ABSOLUTE), times, types.int64(0))
            == _INTERRUPTED
        ):
            pass
