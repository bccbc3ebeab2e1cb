"""What a thread of a sweep runs variations with: a loop, its arena and rows.

Where peaks are all that is wanted and the loop is worth compiling, the loop of peaks runs many
variations in one call. Else, and where a block raised an exception, a run goes portion by portion,
so that long runs take no more memory than short ones. Peaks are the same, bit for bit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from rths.assembly.variation import VariedLoop
from rths.loop.block import Vector
from rths.loop.cycle import Cycle, Engine
from rths.loop.layout import Layout
from rths.loop.peak_loop import RAISED, PeakLoop
from rths.loop.stop import Reason, Stop
from rths.run.ensemble import peaks_of
from rths.run.virtual import PORTION, Memory

COMPLETED: Reason = "completed"
Ended = tuple[str, float, list[float]]
"""Why a run ended, when, and its peaks."""


class ThreadLoop:
    """Runs one variation after the other; the next one uses what the last one has left."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._peak_loop: PeakLoop | None = None
        self._cycle: Cycle | None = None
        self._memory = Memory(0, 0)

    def run_changes(
        self, loop: VariedLoop, changed: Sequence[int], changes: Vector
    ) -> Iterator[Ended]:
        """Run variations that differ in some blocks, a row of ``changes`` each, in few calls."""
        runner = self._find_peak_loop(loop.layout, changed)
        peaks = np.empty((len(changes), len(loop.layout.record_slots)))
        first = 0
        while first < len(changes):
            ran = runner.run(changes[first:], loop.ticks, peaks[first:])
            *ended, last = peaks[first : first + ran].tolist()
            first += ran
            for row in ended:
                yield COMPLETED, loop.ticks * loop.tick, row
            yield self._say_end(runner, loop, changes[first - 1], last)

    def _find_peak_loop(self, layout: Layout, changed: Sequence[int]) -> PeakLoop:
        found = self._peak_loop
        if found is None or found.layout is not layout or found.changed != tuple(changed):
            found = self._peak_loop = PeakLoop(layout, changed)
        return found

    def _say_end(
        self, runner: PeakLoop, loop: VariedLoop, row: Vector, peaks: list[float]
    ) -> Ended:
        """Say how the last run of a call ended."""
        whole, block, answer = runner.stopped
        if block == RAISED:
            again = VariedLoop(loop.layout, runner.make_arena(row), loop.tick, loop.ticks)
            return ThreadLoop("table").run_peaks(again)
        if block < 0:
            return COMPLETED, loop.ticks * loop.tick, peaks
        left = Cycle(loop.layout, loop.tick, "interpreted")  # it only says why
        left.restore(runner.arena)
        left.arena[0] = whole
        stop = left.stop_of(block, answer)
        return stop.reason, float(stop.time), peaks

    def _begin(self, loop: VariedLoop) -> Cycle:
        """Give a cycle at the beginning of a variation."""
        if self._cycle is None or self._cycle.layout is not loop.layout:
            self._cycle = Cycle(loop.layout, loop.tick, self.engine)
        self._cycle.restore(loop.arena)
        return self._cycle

    def run_peaks(self, loop: VariedLoop) -> Ended:
        """Run to the end with the peaks alone kept."""
        cycle, width = self._begin(loop), len(loop.layout.record_slots)
        portion = min(loop.ticks, PORTION[cycle.engine])
        self._memory = self._memory.resize(portion, width)
        peaks, rows = np.zeros(width), self._memory.rows
        while cycle.done < loop.ticks and cycle.stop is None:
            done = cycle.advance(min(portion, loop.ticks - cycle.done), rows)
            if done:
                peaks = np.maximum(peaks, peaks_of(rows[:done]))
        stop = cycle.stop or _planned_end(cycle)
        return stop.reason, float(stop.time), peaks.tolist()

    def run_whole(self, loop: VariedLoop) -> tuple[Stop, NDArray[np.float64]]:
        """Run to the end; give why it ended, and all rows, which the next run writes over."""
        cycle = self._begin(loop)
        self._memory = self._memory.resize(loop.ticks, len(loop.layout.record_slots))
        done = cycle.advance(loop.ticks, self._memory.rows)
        return cycle.stop or _planned_end(cycle), self._memory.rows[:done]


def _planned_end(cycle: Cycle) -> Stop:
    return Stop(COMPLETED, cycle.done, cycle.done * cycle.tick, COMPLETED)
