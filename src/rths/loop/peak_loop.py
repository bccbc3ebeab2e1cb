"""The loop of peaks: variations of one layout run one after the other, of which peaks are kept.

    m_i = max over whole ticks of |s_i|,   not a number if one of them was none                 (1)

It is the fused loop with (1) in the place of a row for every tick: nothing is written while it
runs. One call runs as many variations as it is given, without the interpreter's lock. They share
all but the states and parameters of some blocks, which every one brings along.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from rths.loop.block import Vector
from rths.loop.fused import load_fused, places_of
from rths.loop.layout import Layout
from rths.loop.machine_code import translate_function

RAISED = -2
"""What stands for the block of a run in which one raised: the loop does not know which."""


@cache
def _load_many() -> Callable[..., int]:
    """Load what calls the loop again and again: once for all tests."""
    return translate_function("rths.loop.compiled.many", "many").make_callable()


class PeakLoop:
    """Runs variations of a layout that differ in some blocks; one thread at a time."""

    def __init__(self, layout: Layout, changed: Sequence[int] = ()) -> None:
        """``changed`` are the numbers of the blocks that differ."""
        self.layout, self.changed = layout, tuple(changed)
        self.arena = layout.initial.copy()
        self.status = np.zeros(5, np.int64)
        places = [layout.places[k] for k in self.changed]
        self._spans = np.array([[a.x, a.nx + a.np] for a in places], np.int64).reshape(-1, 2)
        self.width = int(self._spans[:, 1].sum())
        """Numbers that a variation brings along: states and parameters of each changed block."""
        self._loop, self._many = load_fused(layout, peaks=True), _load_many()
        self._places = places_of(layout)

    def run(self, changes: Vector, ticks: int, peaks: Vector) -> int:
        """Run variations, a row each, from the first on; give how many ran.

        A run that does not come to its end is the last of a call. Its peaks are those up to there.
        """
        count = len(changes)
        self._check(changes, (count, self.width))
        self._check(peaks, (count, len(self.layout.record_slots)))
        peaks[:] = 0.0
        self._many(
            self._loop.address,
            self.arena.ctypes.data,
            self._places.ctypes.data,
            self.layout.initial.ctypes.data,
            self.arena.size,
            self._spans.ctypes.data,
            len(self._spans),
            changes.ctypes.data,
            ticks,
            peaks.ctypes.data,
            peaks.shape[1],
            count,
            self.status.ctypes.data,
        )
        return int(self.status[3])

    def make_arena(self, changes: Vector) -> Vector:
        """Give the arena with which a variation begins."""
        arena, left = self.layout.initial.copy(), changes
        for place, size in self._spans.tolist():
            arena[place : place + size], left = left[:size], left[size:]
        return arena

    @property
    def stopped(self) -> tuple[int, int, int]:
        """Whole ticks of the last run, the block that stopped it (-1: none) and its answer."""
        done, block, answer, _, failed = self.status.tolist()
        return (0, RAISED, 0) if failed else (done, block, answer)

    @staticmethod
    def _check(rows: NDArray[np.float64], shape: tuple[int, int]) -> None:
        """Refuse rows that compiled code, which sees only their address, would reach beyond."""
        if rows.shape != shape or rows.dtype != np.float64 or not rows.flags.c_contiguous:
            raise TypeError(f"{rows.dtype} of {rows.shape} where {shape} float64 are wanted")
