"""The table loop, compiled: all arguments are addresses or counts.

The rows of a tick run one after the other; then the recorded signals are stored. The status is that
of ``Advance``, with the number of the row in the place of the block.
"""

from __future__ import annotations

from rths.loop.abi import store_integer
from rths.loop.compiled.rows import copy_doubles, run_tick
from rths.loop.row import GO_ON, ROW_BYTES, WORD

DONE, STOPPED, ANSWER = 0, WORD, 2 * WORD
"""Bytes to whole ticks done, row that stopped the loop (or -1) and its answer in a status."""


def table(
    rows: int,
    marks: int,
    period: int,
    tick: int,
    ticks: int,
    first_slot: int,
    slots: int,
    record: int,
    status: int,
) -> int:
    """Run whole ticks, or up to the row that does not go on."""
    last_slot = first_slot + WORD * slots
    phase = tick % period
    done = 0
    stopped = -1
    while done < ticks:
        row, answer = run_tick(rows, marks, phase)
        if answer != GO_ON:
            stopped = (row - rows) // ROW_BYTES
            store_integer(status + ANSWER, answer)
            break
        record = copy_doubles(first_slot, last_slot, record)
        done += 1
        phase += 1
        if phase == period:
            phase = 0
    store_integer(status + DONE, done)
    store_integer(status + STOPPED, stopped)
    return 0
