"""Many runs of one loop in a single call, compiled: all arguments are addresses or counts.

Before each run the arena is put back to its beginning and what differs is written into it. A call
ends with the last run, or with the first that does not come to its end: the arena is left as it
was then, for Python to say why.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from rths.loop.abi import load_integer, store_integer
from rths.loop.compiled.table import STOPPED
from rths.loop.row import WORD

RUNS, FAILED = 3 * WORD, 4 * WORD
"""Bytes to the runs of a call and to whether the last one raised, behind the loop's own status."""
_i8 = types.int64
_copy = types.ExternalFunction("memcpy", _i8(_i8, _i8, _i8))


@intrinsic
def call_loop(
    typing: Any,
    loop: Any,
    arena: Any,
    places: Any,
    tick: Any,
    ticks: Any,
    record: Any,
    status: Any,
) -> Any:
    """Call a fused loop by its address; give what it returns, 0 unless a block raised."""

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        word, wide = ir.IntType(32), ir.IntType(64)
        with builder.goto_entry_block():
            answer = builder.alloca(word)
            raised = builder.alloca(ir.IntType(8).as_pointer())
        kinds = [answer.type, raised.type, *[wide] * 6]
        target = builder.inttoptr(args[0], ir.FunctionType(word, kinds).as_pointer())
        return builder.call(target, [answer, raised, *args[1:]])

    return types.int32(*(types.int64,) * 7), generate


def many(
    loop: int,
    arena: int,
    places: int,
    first: int,
    size: int,
    spans: int,
    changed: int,
    changes: int,
    ticks: int,
    record: int,
    width: int,
    runs: int,
    status: int,
) -> int:
    """Run a loop so many times, each with changes and a row of the record of its own.

    ``first`` is the arena's beginning, ``size`` numbers; each of the ``changed`` spans is a place
    in it and a number of numbers, which stand in ``changes`` span by span and run by run.
    """
    done = 0
    failed = 0
    stopped = -1
    while done < runs and failed == 0 and stopped < 0:
        _copy(arena, first, WORD * size)
        span = spans
        for _ in range(changed):
            length = WORD * load_integer(span + WORD)
            _copy(arena + WORD * load_integer(span), changes, length)
            changes += length
            span += 2 * WORD
        failed = call_loop(loop, arena, places, 0, ticks, record, status)
        stopped = load_integer(status + STOPPED)
        record += WORD * width
        done += 1
    store_integer(status + RUNS, done)
    store_integer(status + FAILED, failed)
    return 0
