"""A job opened on the machine that does it: its test, its compiled loop, and one run after another.

A process opens a job once. Each of its threads has a loop of its own over one layout. A variation
that only changes blocks brings those along, and some of them run in one call; every other one is
built anew.
"""

from __future__ import annotations

import shutil
import tempfile
import threading
import weakref
from collections.abc import Mapping, Sequence
from contextlib import nullcontext, suppress
from math import nan
from pathlib import Path
from typing import Any

import numpy as np

from rths.assembly.hybrid_test import HybridTest
from rths.assembly.variation import Variation, VariedLoop
from rths.config.attachments import rebuild_test
from rths.errors import InputError
from rths.loop.block import Block, Vector
from rths.loop.cycle import Cycle, choose
from rths.loop.own_kernels import rehearse_own
from rths.loop.peak_loop import PeakLoop
from rths.records.record import Record, channels_of
from rths.run.ensemble import peaks_of
from rths.sweep.field_path import change_test, field_values
from rths.sweep.job import Job, check_versions, hold_store
from rths.sweep.outcome import REFUSED, Measure
from rths.sweep.thread_loop import COMPLETED, ThreadLoop
from rths.trust import grant_trust

PROBED = 5
"""Points of the design at which writing into the arena is compared with building anew."""
TICKS_AT_ONCE = 1 << 20
"""Ticks of one call: some ten milliseconds, in which no other thread waits for us."""
UNUSABLE = (ArithmeticError, ValueError, MemoryError)
"""What a plan, or a block of the user's own, raises at values that it cannot be built with."""
Values = Mapping[str, Any]
Row = tuple[str, float, dict[str, Any]]
"""Why a run ended, when, and its outcomes."""


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
        wanted = job.wanted
        self.stacks = self.engine == "fused" and not (wanted.metrics or wanted.certificate)
        """Whether peaks are all that is wanted, of so many runs that their loop pays."""
        self._threads = threading.local()
        if wanted.runs:
            with hold_store():
                self._compile()

    def _compile(self) -> None:
        """Compile the loop before threads ask for it."""
        rehearse_own(self.test.layout)
        if self.stacks:
            PeakLoop(self.test.layout)
        else:
            Cycle(self.test.layout, self.test.tick, self.engine)

    def _make_source(self) -> Variation | None:
        """Make what writes variations into an arena, tried where the plan allows its values."""
        size = self.job.design.size
        for k in range(min(PROBED, size)):
            ends = []
            for run in sorted({k, size - 1 - k}):
                values = {f: c[0] for f, c in self.job.design.columns(run, 1).items()}
                ends.append(field_values(self.test, self.job.paths, values))
            try:
                return Variation(self.test, ends)
            except UNUSABLE:
                continue
        return None

    def run(self, points: Sequence[Values]) -> list[Row]:
        """Run variations; each is the same whatever others run with it."""
        if not self.stacks:
            return [self._run_one(values) for values in points]
        size = max(1, TICKS_AT_ONCE // self.test.clock.ticks)
        parts = (points[k : k + size] for k in range(0, len(points), size))
        return [row for part in parts for row in self._run_stack(part)]

    def _run_stack(self, points: Sequence[Values]) -> list[Row]:
        """Run variations that differ in blocks in one call, and any other by itself."""
        found: list[Row] = [(REFUSED, nan, {})] * len(points)
        changes: dict[int, Vector] = {}
        alone: dict[int, VariedLoop] = {}
        numbers: tuple[int, ...] = ()
        for i, values in enumerate(points):
            with suppress(*UNUSABLE):
                blocks = self._make_blocks(values)
                if blocks is None:
                    alone[i] = _loop_of(self._build(values))
                    continue
                parts = [v for b in blocks.values() for v in (b.states, b.params)]
                changes[i], numbers = np.concatenate(parts), tuple(blocks)
        for i, loop in alone.items():
            found[i] = self._run_changes(loop, (), np.empty((1, 0)))[0]
        if changes:
            rows = self._run_changes(_loop_of(self.test), numbers, np.array([*changes.values()]))
            for i, row in zip(changes, rows, strict=True):
                found[i] = row
        return found

    def _run_changes(self, loop: VariedLoop, numbers: Sequence[int], changes: Vector) -> list[Row]:
        names = self.measure.peak_names
        return [
            (end, when, dict(zip(names, peaks, strict=True)))
            for end, when, peaks in self._thread_loop.run_changes(loop, numbers, changes)
        ]

    @property
    def _thread_loop(self) -> ThreadLoop:
        """The loop of this thread."""
        found: ThreadLoop = vars(self._threads).setdefault("loop", ThreadLoop(self.engine))
        return found

    def _make_blocks(self, values: Values) -> dict[int, Block] | None:
        """Make the blocks in which a variation differs; None if it has to be built anew."""
        if self.source is None or not self.source.shares_layout:
            return None
        return self.source.make_blocks(field_values(self.test, self.job.paths, values))

    def _run_one(self, values: Values) -> Row:
        """Run one variation; one that the plan refuses is an outcome too."""
        try:
            loop, test = self._vary(values)
        except UNUSABLE:
            return REFUSED, nan, {}
        try:
            row: Row = (COMPLETED, loop.ticks * loop.tick, {})
            if self.job.wanted.runs:
                row = self._run_loop(loop, test)
            if self.job.wanted.certificate:
                row[2].update(self.measure.judge(test or self._build(values)))
        except InputError:
            return REFUSED, nan, {}
        return row

    def _build(self, values: Values) -> HybridTest:
        with grant_trust(True, remember=False) if self._folder else nullcontext():
            test = change_test(self.test, self.job.paths, values, self.folder)
        rehearse_own(test.layout)
        return test

    def _vary(self, values: Values) -> tuple[VariedLoop, HybridTest | None]:
        """Give the loop of a variation, and its test if it had to be built."""
        if self.source is not None and self.source.shares_layout:
            found = self.source.vary(field_values(self.test, self.job.paths, values))
            if found.layout is self.test.layout:
                return found, None
        test = self._build(values)
        return _loop_of(test), test

    def _run_loop(self, loop: VariedLoop, test: HybridTest | None) -> Row:
        if self.job.wanted.metrics:
            return self._measure_run(loop, test)
        end, when, peaks = self._thread_loop.run_peaks(loop)
        return end, when, dict(zip(self.measure.peak_names, peaks, strict=True))

    def _measure_run(self, loop: VariedLoop, test: HybridTest | None) -> Row:
        """Give peaks and metrics; metrics are those of runs that came to their end."""
        stop, rows = self._thread_loop.run_whole(loop)
        channels = channels_of(loop.layout, loop.tick)
        record = Record(self.test.name, loop.tick, channels, rows, stop)
        labels = dict(
            zip(record.labels(), peaks_of(rows).tolist() if len(rows) else (), strict=False)
        )
        found: dict[str, Any] = {
            name: labels.get(name.removeprefix("peak."), nan) for name in self.measure.peak_names
        }
        if stop.reason == COMPLETED:
            found |= self.measure.measure_metrics(record, test or self.test)
        return stop.reason, float(stop.time), found


def _loop_of(test: HybridTest) -> VariedLoop:
    """Give the loop of a test that was built."""
    return VariedLoop(test.layout, test.layout.initial, test.tick, test.clock.ticks)


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
