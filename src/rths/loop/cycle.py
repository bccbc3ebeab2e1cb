"""A loop in motion: an arena, a way to advance it, and the reason why it stopped."""

from __future__ import annotations

import os
import traceback
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rths.errors import InputError
from rths.loop.block import Vector
from rths.loop.halt import Halt, explain_code
from rths.loop.layout import Advance, Layout
from rths.loop.row import GO_ON, RAISED
from rths.loop.stop import Stop

Engine = Literal["table", "fused", "interpreted"]
FUSED_PAYS = 10_000_000
"""Ticks from which compiling a loop of its own takes less time than it saves."""


def compiler_is_off() -> bool:
    """Tell whether the user has switched Numba off, to debug a kernel or to count its lines."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")


def choose(ticks: int) -> Engine:
    """Choose a loop by the size of the work."""
    if compiler_is_off():
        return "interpreted"
    return "fused" if ticks >= FUSED_PAYS else "table"


def bind(engine: Engine, layout: Layout, arena: Vector) -> Advance:
    """Bind one of the loops to an arena; Numba is imported only if it is needed."""
    if engine == "interpreted" or compiler_is_off():
        from rths.loop.interpreted import interpreted_loop

        return interpreted_loop(layout, arena)
    if engine == "fused":
        from rths.loop.fused import fused_loop

        return fused_loop(layout, arena)
    from rths.loop.table import table_loop

    return table_loop(layout, arena)


class Cycle:
    """One test in motion: advance it, take a snapshot, restore it, ask why it stopped."""

    def __init__(self, layout: Layout, tick: float, engine: Engine) -> None:
        self.layout, self.tick, self.engine = layout, tick, engine
        self.arena = layout.initial.copy()
        self.stop: Stop | None = None
        self._advance = bind(engine, layout, self.arena)
        self._status = np.zeros(3, np.int64)

    @property
    def done(self) -> int:
        """Ticks done since the start."""
        return int(self.arena[0])

    def advance(self, ticks: int, record: NDArray[np.float64]) -> int:
        """Run up to ``ticks`` ticks, one row of ``record`` each; return how many were whole."""
        if self.stop is not None:
            return 0
        self._check(ticks, record)
        start, before = self.done, self.arena.copy()
        error: Exception | None = None
        try:
            self._advance(start, ticks, record, self._status)
        except Exception as raised:
            error = raised
        whole, block, answer = self._status.tolist()
        if self.engine != "interpreted" and (error or (block >= 0 and answer == RAISED)):
            # compiled code does not say what was raised, and where: Python repeats it and does
            self.arena[:] = before
            error = self._repeat(start, ticks, record)
            whole, block, answer = self._status.tolist()
        self.arena[0] = start + whole
        if block >= 0:
            self.stop = self.stop_of(block, answer, error)
        return int(whole)

    def _check(self, ticks: int, record: NDArray[np.float64]) -> None:
        """Refuse a record that compiled code, which sees only its address, would write beyond."""
        fits = record.ndim == 2 and record.shape[1] == len(self.layout.record_slots)
        if not (fits and len(record) >= ticks and record.dtype == np.float64):
            raise InputError(
                "record",
                (record.shape, str(record.dtype)),
                f"has no room for {ticks} row(s) of {len(self.layout.record_slots)} float64",
                "Give an array with a row for each tick and a column for each recorded number.",
            )
        if not record.flags.c_contiguous:
            raise InputError("record", "array", "is not contiguous", "Give whole rows.")

    def _repeat(self, start: int, ticks: int, record: NDArray[np.float64]) -> Exception | None:
        try:
            bind("interpreted", self.layout, self.arena)(start, ticks, record, self._status)
        except Exception as raised:
            return raised
        return None

    def snapshot(self) -> Vector:
        """Copy the whole state of the test."""
        return self.arena.copy()

    def restore(self, snapshot: Vector) -> None:
        """Put a snapshot back: what follows is bit for bit what followed it before."""
        self.arena[:] = snapshot
        self.stop = None

    def signal(self, name: str) -> Vector:
        """Read the present value of a signal."""
        return self.arena[list(self.layout.signals[name].slots)]

    def stop_of(self, block: int, answer: int, error: Exception | None = None) -> Stop:
        """Let a block say what its answer means, with the arena as it was left."""
        placed, place = self.layout.placed[block], self.layout.places[block]
        states, code = self.arena[place.x : place.x + place.nx], answer - GO_ON
        halt = Halt(
            self.layout, self.arena, placed, placed.block, states, code, self.done, self.tick
        )
        if error is not None or answer == RAISED:
            what = _error_text(error) if error is not None else "an exception"
            text = f"stopped {halt.when}: {placed.label} raised {what}"
            return halt.stop("exception", text, block=placed.label)
        return (placed.block.explains or explain_code)(halt)


def _error_text(error: Exception) -> str:
    """Tell an exception in one line, with the place in the block where it was raised."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({last.filename}:{last.lineno})"
