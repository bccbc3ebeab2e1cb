"""The table loop: one compiled loop for every combination of blocks.

Each row of an int64 table holds the addresses of one block: its entry, x, p, u, y, its sizes, the
number of inputs to gather and where to gather them from. The rows of one period stand one after
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
from rths.loop.machine_code import machine_function

ROW = 8  # int64 words: entry, x, p, u, y, n, inputs to gather, list of their addresses


SOURCE = """
def table(rows, marks, period, tick, ticks, first_slot, slots, record, status):
    last_slot = first_slot + 8 * slots
    phase = tick % period
    done = 0
    while done < ticks:
        row = rows + 64 * load_integer(marks + 8 * phase)
        end = rows + 64 * load_integer(marks + 8 * phase + 8)
        while row != end:
            u = load_integer(row + 24)
            left = load_integer(row + 48)
            if left:
                source = load_integer(row + 56)
                place = u
                while left:
                    store_double(place, load_double(load_integer(source)))
                    place += 8
                    source += 8
                    left -= 1
            entry, x, p = load_integer(row), load_integer(row + 8), load_integer(row + 16)
            code = call(entry, x, p, u, load_integer(row + 32), load_integer(row + 40))
            if code != 1:
                store_integer(status, done)
                store_integer(status + 8, (row - rows) // 64)
                store_integer(status + 16, code)
                return 0
            row += 64
        slot = first_slot
        while slot != last_slot:
            store_double(record, load_double(load_integer(slot)))
            record += 8
            slot += 8
        done += 1
        phase += 1
        if phase == period:
            phase = 0
    store_integer(status, done)
    store_integer(status + 8, -1)
    return 0
"""
"""All arguments are addresses or counts. The rows of a tick run one after the other; then the
recorded signals are stored. status is that of ``Advance``, with the number of the row."""


@cache
def load_table() -> Callable[..., int]:
    """Load the loop, or compile it: once for all tests."""
    return machine_function("table", SOURCE, 9, _names).callable()


def _names() -> dict[str, Any]:
    from rths.loop import abi

    names = ("call", "load_double", "load_integer", "store_double", "store_integer")
    return {name: getattr(abi, name) for name in names}


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
    gathers = np.array([s for p in layout.placed for s in p.inputs], np.int64) * 8 + base
    per_block = np.zeros((len(layout.placed), ROW), np.int64)
    first = 0
    for k, (p, a) in enumerate(zip(layout.placed, layout.places, strict=True)):
        u, count = base + 8 * a.u, a.nu
        bus = range(p.inputs[0], p.inputs[0] + a.nu) if a.nu else range(0)
        written = range(p.output, p.output + a.ny)
        if a.nu and p.inputs == tuple(bus) and not set(bus) & set(written):
            u, count = base + 8 * p.inputs[0], 0  # neighbours on the bus: read them in place
        source = gathers.ctypes.data + 8 * first
        y, n = base + 8 * p.output, sizes[k].ctypes.data
        per_block[k] = (addresses[k], base + 8 * a.x, base + 8 * a.p, u, y, n, count, source)
        first += a.nu
    order = [k for tick in layout.schedule for k in tick]
    rows = np.ascontiguousarray(per_block[order]) if order else per_block
    marks = np.cumsum([0, *map(len, layout.schedule)]).astype(np.int64)
    slots = base + 8 * layout.record_slots
    return Table(rows, marks, slots, order, (arena, sizes, gathers))


def table_loop(layout: Layout, arena: Vector) -> Advance:
    """Bind the table loop to one arena."""
    t = table_of(layout, arena, [p.block.kernel.address for p in layout.placed])
    run = load_table()

    def advance(
        tick: int, ticks: int, record: NDArray[np.float64], status: NDArray[np.int64]
    ) -> None:
        run(
            t.rows.ctypes.data,
            t.marks.ctypes.data,
            len(t.marks) - 1,
            tick,
            ticks,
            t.slots.ctypes.data,
            t.slots.size,
            record.ctypes.data,
            status.ctypes.data,
        )
        if status[1] >= 0:
            status[1] = t.order[status[1]]

    return advance
