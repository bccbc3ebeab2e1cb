"""Arming: the rig answers and stands where the test begins, or there is no test.

The loop's own link sends the first commands of the session again and again, marked as such, before
the clock is started. The rig may have to come to them at its safe rate.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from rths.assembly.hybrid_test import HybridTest
from rths.errors import InputError
from rths.guard.rig_status import UNREADY
from rths.hardware.wire.layout import ARMING
from rths.hardware.wire.policy import P
from rths.hardware.wire.status import APPROACHING, status_text
from rths.loop.block import Vector
from rths.loop.machine_code import translate_function
from rths.loop.row import ROW_BYTES
from rths.loop.table import Table

SILENT, APPROACH, PAUSE = 2.0, 120.0, 0.005
"""Seconds to wait for an answer, and for an approach; seconds between two commands."""


@dataclass(frozen=True, eq=False)
class Arming:
    """The first commands of a session: until the rig is ready, and then until the test begins."""

    test: HybridTest
    table: Table
    arena: Vector
    wanted: Callable[[], None]
    """Called before each command; it raises if nobody waits for the test any more."""

    def __enter__(self) -> Callable[[], object]:
        """Wait until the rig is ready, or refuse the test; give what keeps it from timing out."""
        hardware, layout = self.test.hardware, self.test.live_layout
        if hardware is None or hardware.simulated:
            return self.wanted
        (block,) = [k for k, p in enumerate(layout.placed) if p.role == "hardware"]
        row = self.table.rows.ctypes.data + ROW_BYTES * self.table.order.index(block)
        call = load_ask()

        def ask() -> int:
            self.wanted()
            return call(row)

        self._mark(ARMING)
        _wait_until_ready(self.test, self.arena, ask)
        return ask

    def __exit__(self, *error: object) -> None:
        self._mark(0)

    def _mark(self, flag: int) -> None:
        layout = self.test.live_layout
        for placed, place in zip(layout.placed, layout.places, strict=True):
            if placed.role == "hardware":
                flags = int(self.arena[place.p + P.flags])
                self.arena[place.p + P.flags] = flags & ~ARMING | flag


def _wait_until_ready(test: HybridTest, arena: Vector, ask: Callable[[], int]) -> None:
    signals = test.live_layout.signals
    (missed,), status_slots = signals["hardware.missed"].slots, signals["hardware.status"].slots
    begun = heard = time.monotonic()
    status = APPROACHING
    while status & APPROACHING:
        ask()
        now = time.monotonic()
        if arena[missed] == 0.0:
            heard = now
            status = 0
            for bits in arena[list(status_slots)]:
                status |= int(bits)
        if status & UNREADY:
            raise _refusal(
                test, f"is not ready: {status_text(status & UNREADY)}", "Clear it at the rig."
            )
        if now - heard > SILENT:
            remedy = "Start it (rths rig PLAN), or correct the table [hardware]."
            raise _refusal(test, f"has not answered for {SILENT:g} s", remedy)
        if now - begun > APPROACH:
            remedy = "Bring it nearer to where the test begins."
            raise _refusal(test, f"is on its way for {APPROACH:g} s", remedy)
        time.sleep(PAUSE)


def _refusal(test: HybridTest, problem: str, remedy: str) -> InputError:
    hardware = test.hardware
    where = [str(getattr(hardware, n)) for n in ("address", "port", "name") if hasattr(hardware, n)]
    return InputError("hardware", ":".join(where), f"the rig {problem}", remedy)


@cache
def load_ask() -> Callable[..., int]:
    """Load the call of one row, or compile it."""
    return translate_function("rths.loop.compiled.rows", "run_row").make_callable()
