"""A job opened on the machine that does it: its test, its compiled loop, and one run after another.

A process opens a job once. Each of its threads has a loop of its own over one layout; a variation
that only changes blocks is written into its arena, every other one is built anew.
"""

from __future__ import annotations

import shutil
import tempfile
import threading
import weakref
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from math import nan
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rths.assembly.hybrid_test import HybridTest
from rths.assembly.variation import Variation, VariedLoop
from rths.config.attachments import rebuild_test
from rths.errors import InputError
from rths.loop.cycle import Cycle, bind, choose
from rths.loop.layout import Advance
from rths.loop.own_kernels import rehearse_own
from rths.loop.stop import Stop
from rths.records.record import Record, channels_of
from rths.run.ensemble import peaks_of
from rths.run.virtual import PORTION, Memory
from rths.sweep.field_path import change_test, field_values
from rths.sweep.job import Job, check_versions, hold_store
from rths.sweep.outcome import REFUSED, Measure
from rths.trust import grant_trust

PROBED = 5
"""Points of the design at which writing into the arena is compared with building anew."""
Row = tuple[str, float, dict[str, Any]]
"""Why a run ended, when, and its outcomes."""


@dataclass
class _Place:
    """What a thread has: a loop, and rows for it."""

    cycle: Cycle | None = None
    memory: Memory | None = None
    advance: Advance | None = None
    status: NDArray[np.int64] = field(default_factory=lambda: np.zeros(3, np.int64))

    def run_at_once(self, loop: VariedLoop) -> NDArray[np.float64] | None:
        """Run a test in one call and give its peaks; None if it does not come to its end.

        Most runs do, and need nobody who could say why they did not: that is asked of a cycle.
        """
        cycle, shape = self.cycle, (loop.ticks, len(loop.layout.record_slots))
        assert cycle is not None
        if self.memory is None or self.memory.rows.shape != shape:
            self.memory = Memory(*shape)
        if self.advance is None:
            self.advance = bind(cycle.engine, cycle.layout, cycle.arena)
        cycle.arena[:] = loop.arena
        self.status[:] = 0, 0, 0
        try:
            self.advance(0, loop.ticks, self.memory.rows, self.status)
        except Exception:
            return None
        done, block, _ = self.status.tolist()
        return peaks_of(self.memory.rows) if block < 0 and done == loop.ticks else None


class Workshop:
    """Runs the variations of one job."""

    def __init__(self, job: Job, test: HybridTest | None = None) -> None:
        self.job = job
        self._folder: Path | None = None
        if test is None:
            check_versions(job.versions)
            self._folder = Path(tempfile.mkdtemp(prefix="rths-job-"))
            weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)
            # what was trusted where the job was made; this machine does not remember it
            with grant_trust(True, remember=False):
                test = rebuild_test(job.plan, job.files, self._folder)
        self.folder = self._folder or Path().absolute()
        self.test = job.wanted.trim(test)
        self.rebuilds = any(path.names_kind for path in job.paths.values())
        varies = tuple(path.role for path in job.paths.values())
        self.measure = Measure(job.wanted, self.test, varies)
        self.engine = choose(self.test.clock.ticks * job.design.size)
        self.source = None if self.rebuilds else self._make_source()
        self._places = threading.local()
        if job.wanted.runs:
            with hold_store():
                rehearse_own(self.test.layout)
                Cycle(self.test.layout, self.test.tick, self.engine)

    def _make_source(self) -> Variation | None:
        """Make what writes variations into an arena, tried where the plan allows its values."""
        size = self.job.design.size
        for k in range(PROBED):
            ends = []
            for run in {k, size - 1 - k} & set(range(size)):
                values = {f: c[0] for f, c in self.job.design.columns(run, 1).items()}
                ends.append(field_values(self.test, self.job.paths, values))
            try:
                return Variation(self.test, ends)
            except InputError:
                continue
        return None

    def run(self, values: Mapping[str, Any]) -> Row:
        """Run one variation; one that the plan refuses is an outcome too."""
        try:
            loop, test = self._vary(values)
            found: dict[str, Any] = {}
            end, when = "completed", loop.ticks * loop.tick
            if self.job.wanted.runs:
                end, when, found = self._run_loop(loop, test)
            if self.job.wanted.certificate:
                found |= self.measure.judge(test or self._build(values))
        except InputError:
            return REFUSED, nan, {}
        return end, when, found

    def _build(self, values: Mapping[str, Any]) -> HybridTest:
        with grant_trust(True, remember=False) if self._folder else nullcontext():
            return change_test(self.test, self.job.paths, values, self.folder)

    def _vary(self, values: Mapping[str, Any]) -> tuple[VariedLoop, HybridTest | None]:
        """Give the loop of a variation, and its test if it had to be built."""
        if self.source is not None and self.source.shares_layout:
            found = self.source.vary(field_values(self.test, self.job.paths, values))
            if found.layout is self.test.layout:
                return found, None
        test = self._build(values)
        return VariedLoop(test.layout, test.layout.initial, test.tick, test.clock.ticks), test

    def _run_loop(
        self, loop: VariedLoop, test: HybridTest | None
    ) -> tuple[str, float, dict[str, Any]]:
        place = self._place(loop)
        cycle = place.cycle
        assert cycle is not None
        if loop.ticks <= PORTION[self.engine] and not self.job.wanted.metrics:
            peaks = place.run_at_once(loop)
            if peaks is not None:
                found = dict(zip(self.measure.peak_names, peaks.tolist(), strict=True))
                return "completed", loop.ticks * loop.tick, found
        cycle.restore(loop.arena)
        if not self.job.wanted.metrics:
            peaks, done = self._run_portions(cycle, loop, place)
            found = dict(zip(self.measure.peak_names, peaks.tolist(), strict=True))
        else:
            rows, done = self._run_whole(cycle, loop, place)
            found = self._measure_record(cycle, loop, rows, test)
        if cycle.stop is not None:
            return cycle.stop.reason, float(cycle.stop.time), found
        return "completed", done * loop.tick, found

    def _place(self, loop: VariedLoop) -> _Place:
        """Give this thread's loop, bound to the layout of the variation."""
        place: _Place = vars(self._places).setdefault("place", _Place())
        if place.cycle is None or place.cycle.layout is not loop.layout:
            rehearse_own(loop.layout)
            place.cycle = Cycle(loop.layout, loop.tick, self.engine)
            place.advance = None
        return place

    def _run_portions(
        self, cycle: Cycle, loop: VariedLoop, place: _Place
    ) -> tuple[NDArray[np.float64], int]:
        """Run to the end with the peaks alone kept: long runs take no more memory than short."""
        width = len(loop.layout.record_slots)
        portion = min(loop.ticks, PORTION[cycle.engine])
        if place.memory is None or place.memory.rows.shape != (portion, width):
            place.memory = Memory(portion, width)
        peaks, rows = np.zeros(width), place.memory.rows
        while cycle.done < loop.ticks and cycle.stop is None:
            done = cycle.advance(min(portion, loop.ticks - cycle.done), rows)
            if done:
                peaks = np.maximum(peaks, peaks_of(rows[:done]))
        return peaks, cycle.done

    def _run_whole(
        self, cycle: Cycle, loop: VariedLoop, place: _Place
    ) -> tuple[NDArray[np.float64], int]:
        shape = (loop.ticks, len(loop.layout.record_slots))
        if place.memory is None or place.memory.rows.shape != shape:
            place.memory = Memory(*shape)
        rows = place.memory.rows
        done = cycle.advance(loop.ticks, rows)
        return rows[:done], done

    def _measure_record(
        self, cycle: Cycle, loop: VariedLoop, rows: NDArray[np.float64], test: HybridTest | None
    ) -> dict[str, Any]:
        """Give peaks and metrics; metrics are those of runs that came to their end."""
        channels = channels_of(loop.layout, loop.tick)
        stop = cycle.stop or Stop("completed", len(rows), len(rows) * loop.tick, "completed")
        record = Record(self.test.name, loop.tick, channels, rows, stop)
        labels = dict(
            zip(record.labels(), peaks_of(rows).tolist() if len(rows) else (), strict=False)
        )
        found: dict[str, Any] = {
            name: labels.get(name.removeprefix("peak."), nan) for name in self.measure.peak_names
        }
        if cycle.stop is None:
            found |= self.measure.measure_metrics(record, test or self.test)
        return found


_lock = threading.Lock()
_open: dict[str, Workshop] = {}


def open_job(job: Job, test: HybridTest | None = None) -> Workshop:
    """Open a job, or find it open; a process works at one study at a time."""
    key = job.key
    with _lock:
        if key not in _open:
            made = Workshop(job, test)
            _open.clear()
            _open[key] = made
        return _open[key]
