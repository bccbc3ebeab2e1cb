"""What every compiled loop does with a row: gather the inputs of its block and call it."""

from __future__ import annotations

from rths.loop.abi import call, load_double, load_integer, store_double
from rths.loop.row import (
    ENTRY,
    GATHERED,
    GO_ON,
    INPUTS,
    OUTPUTS,
    PARAMETERS,
    ROW_BYTES,
    SIZES,
    SOURCES,
    STATE,
    WORD,
)


def copy_doubles(source: int, end: int, place: int) -> int:
    """Copy the numbers whose addresses stand from ``source`` to ``end``; give the place after."""
    while source != end:
        store_double(place, load_double(load_integer(source)))
        place += WORD
        source += WORD
    return place


def run_row(row: int) -> int:
    """Gather the inputs of a block, call it, and give its answer."""
    u = load_integer(row + INPUTS)
    gathered = load_integer(row + GATHERED)
    if gathered:
        source = load_integer(row + SOURCES)
        copy_doubles(source, source + WORD * gathered, u)
    entry, x, p = (
        load_integer(row + ENTRY),
        load_integer(row + STATE),
        load_integer(row + PARAMETERS),
    )
    y, sizes = load_integer(row + OUTPUTS), load_integer(row + SIZES)
    return call(entry, x, p, u, y, sizes)  # type: ignore[no-any-return]


def run_tick(rows: int, marks: int, phase: int) -> tuple[int, int]:
    """Run the rows of a tick until one does not go on; give its place, or the end, and its answer.

    ``marks`` are the numbers of the first row of each tick of a period, and of the row after it.
    """
    row = rows + ROW_BYTES * load_integer(marks + WORD * phase)
    end = rows + ROW_BYTES * load_integer(marks + WORD * (phase + 1))
    answer = GO_ON
    while row != end:
        answer = run_row(row)
        if answer != GO_ON:
            break
        row += ROW_BYTES
    return row, answer
