"""How punctual this machine is: an empty loop on the clock for a while, and what follows from it.

    latency = time of waking - time it was due                                                (1)

A rate is called safe if the 99.9 % latency leaves half of its period for the work.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rths.loop.block import Block, kernel
from rths.loop.layout import Layout
from rths.loop.table import table_of
from rths.loop.wiring import Wiring
from rths.realtime.control_words import CONTROL_BYTES, ITEM, ControlWord
from rths.realtime.machine import PRIORITY, Allowance, claim
from rths.realtime.pacing import load_paced

RATES = (8192, 4096, 2048, 1024, 512, 256, 128)
"""Rates that may be called safe, Hz: from the fastest that is paced downwards."""
FOREVER = 1 << 60
"""Slips and silent ticks that no measurement reaches."""


@kernel
def idle(x: NDArray[np.float64], p: object, u: object, y: NDArray[np.float64]) -> None:
    x[0] += 1.0


@dataclass(frozen=True, eq=False)
class Latency:
    """Latencies of every tick of a measurement, ns, with the conditions they were taken under."""

    nanoseconds: NDArray[np.float64]
    slips: int
    rate: float
    allowances: list[Allowance]

    def quantile(self, percent: float) -> float:
        """Give a percentile, in microseconds."""
        return float(np.percentile(self.nanoseconds, percent)) / 1e3

    @property
    def safe_rate(self) -> int | None:
        """The highest rate whose half period holds 99.9 % of the latencies; None if none does."""
        worst = self.quantile(99.9) * 1e-6
        return next((r for r in RATES if worst <= 0.5 / r), None)


def measure_latency(seconds: float, rate: float, priority: int = PRIORITY) -> Latency:
    """Pace an empty loop in this process."""
    w = Wiring()
    w.place("idle", Block(idle, [], 1, outputs=0), [])
    layout = Layout.of(w, [])
    arena = layout.initial.copy()
    t = table_of(layout, arena, [p.block.kernel.address for p in layout.placed])
    ticks = max(1, round(seconds * rate))
    size = 1 << ticks.bit_length()
    control = np.zeros(CONTROL_BYTES // ITEM, np.int64)
    control[ControlWord.SLIP_LIMIT.place] = FOREVER
    rows, status, times = np.zeros((size, 3)), np.zeros(4, np.int64), np.zeros(2, np.int64)
    paced = load_paced()
    allowances = claim(priority)
    paced(
        t.rows.ctypes.data, t.marks.ctypes.data, 1, 0, ticks, t.slots.ctypes.data, 0,
        control.ctypes.data, rows.ctypes.data, size - 1, status.ctypes.data,
        round(1e9 / rate), FOREVER, times.ctypes.data,
    )  # fmt: skip
    return Latency(rows[:ticks, 1], int(control[ControlWord.SLIPS.place]), rate, allowances)
