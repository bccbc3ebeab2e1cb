"""A loop in motion: an arena, a way to advance it, and the reason why it stopped."""

from __future__ import annotations

import os
import traceback
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rths.errors import InputError
from rths.loop.block import Vector
from rths.loop.guard import FINITE
from rths.loop.guard import guard as guard_kernel
from rths.loop.layout import Advance, Layout
from rths.loop.safe_path import guard_stop, latch
from rths.loop.stop import Stop
from rths.loop.wiring import Placed

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
        whole, block, code = self._status.tolist()
        if self.engine != "interpreted" and (error or (block >= 0 and code == 0)):
            # compiled code does not say what was raised, and where: Python repeats it and does
            self.arena[:] = before
            error = self._repeat(start, ticks, record)
            whole, block, code = self._status.tolist()
        self.arena[0] = start + whole
        if block >= 0:
            self.stop = self._stop(block, code, error)
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

    def stop_of(self, block: int, code: int) -> Stop:
        """Say what a block's answer means, with the arena as it was left."""
        return self._stop(block, code, None)

    def _stop(self, block: int, code: int, error: Exception | None) -> Stop:
        placed = self.layout.placed[block]
        tick = self.done
        when = f"at tick {tick} (t = {tick * self.tick:.6g} s)"
        found: dict[str, Any] = {"tick": tick, "time": tick * self.tick, "block": placed.label}
        if error is not None:
            text = f"stopped {when}: {placed.label} raised {_error_text(error)}"
            return Stop("exception", message=text, **found)
        if placed.block.kernel is latch:
            return guard_stop(self.layout, self.arena, placed, code - 1, tick, self.tick)
        if placed.block.kernel is not guard_kernel:
            text = f"stopped {when}: {self._stop_text(placed, code - 1)}"
            return Stop("block", message=text, code=code - 1, **found)
        slot = placed.inputs[code - 2]
        low, high = placed.block.params[2 * (code - 2) : 2 * (code - 2) + 2].tolist()
        name, value = self.layout.slot_name(slot), float(self.arena[slot])
        found |= {"signal": name, "value": value}
        if not np.isfinite(value):
            return Stop("not finite", message=f"stopped {when}: {name} is {value}", **found)
        side = f"above its limit {high:g}" if value > high else f"below its limit {low:g}"
        text = f"stopped {when}: {name} = {value:.6g} is {side}"
        limit = (max(low, -FINITE), min(high, FINITE))
        return Stop("limit", message=text, limit=limit, **found)

    def _stop_text(self, placed: Placed, code: int) -> str:
        """Say in words what a block's own stop code means; a link has only one."""
        if placed.role == "hardware" and "hardware.missed" in self.layout.signals:
            return f"link lost: {self.signal('hardware.missed')[0]:.0f} replies missed in a row"
        return f"{placed.label} answered with its stop code {code}"


def _error_text(error: Exception) -> str:
    """Tell an exception in one line, with the place in the block where it was raised."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {error} ({last.filename}:{last.lineno})"
