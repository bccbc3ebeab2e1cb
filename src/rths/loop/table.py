"""The table loop: one compiled loop for every combination of blocks.

Each row of an int64 table holds the addresses of one block. The rows of one period stand one after
the other, so that a tick runs the rows between two marks and asks no block whether it is its turn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rths.loop.block import Vector
from rths.loop.layout import Advance, Layout
from rths.loop.machine_code import translate_function
from rths.loop.row import ROW_WORDS, WORD, Row


@cache
def load_table() -> Callable[..., int]:
    """Load the loop, or compile it: once for all tests."""
    return translate_function("rths.loop.compiled.table", "table").make_callable()


@dataclass(frozen=True, eq=False)
class Table:
    """The rows of one period, the marks between its ticks, and what they point to."""

    rows: NDArray[np.int64]
    marks: NDArray[np.int64]
    slots: NDArray[np.int64]
    order: list[int]
    pointed: tuple[Any, ...]
    """Arrays whose addresses stand in the rows: they must live as long as the table."""


def table_of(layout: Layout, arena: Vector, addresses: Sequence[int]) -> Table:
    """Fill the table of a layout for one arena and the entries of its blocks."""
    base = arena.ctypes.data
    sizes = np.array([[a.nx, a.np, a.nu, a.ny] for a in layout.places], np.int64).reshape(-1, 4)
    gathers = np.array([s for p in layout.placed for s in p.inputs], np.int64) * WORD + base
    per_block = np.zeros((len(layout.placed), ROW_WORDS), np.int64)
    first = 0
    for k, (p, a) in enumerate(zip(layout.placed, layout.places, strict=True)):
        u, count = base + WORD * a.u, a.nu
        bus = range(p.inputs[0], p.inputs[0] + a.nu) if a.nu else range(0)
        written = range(p.output, p.output + a.ny)
        if a.nu and p.inputs == tuple(bus) and not set(bus) & set(written):
            u, count = base + WORD * p.inputs[0], 0  # neighbours on the bus: read them in place
        source = gathers.ctypes.data + WORD * first
        x, parameters, y = base + WORD * a.x, base + WORD * a.p, base + WORD * p.output
        own = sizes[k].ctypes.data
        per_block[k] = Row(addresses[k], x, parameters, u, y, own, count, source)
        first += a.nu
    order = [k for tick in layout.schedule for k in tick]
    rows = np.ascontiguousarray(per_block[order]) if order else per_block
    marks = np.cumsum([0, *map(len, layout.schedule)]).astype(np.int64)
    slots = base + WORD * layout.record_slots
    return Table(rows, marks, slots, order, (arena, sizes, gathers))


def table_loop(layout: Layout, arena: Vector) -> Advance:
    """Bind the table loop to one arena."""
    t = table_of(layout, arena, [p.block.kernel.address for p in layout.placed])
    run = load_table()
    # asked for once: certificates call a loop of some ticks a thousand times
    rows, marks, slots = (a.ctypes.data for a in (t.rows, t.marks, t.slots))
    stages, width = len(t.marks) - 1, t.slots.size

    def advance(
        tick: int, ticks: int, record: NDArray[np.float64], status: NDArray[np.int64]
    ) -> None:
        run(
            rows,
            marks,
            stages,
            tick,
            ticks,
            slots,
            width,
            record.ctypes.data,
            status.ctypes.data,
        )
        if status[1] >= 0:
            status[1] = t.order[status[1]]

    return advance
