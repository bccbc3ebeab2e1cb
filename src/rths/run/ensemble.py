"""Thousands of variations of a test over all cores.

Each thread takes the next variation, writes its values into an arena of its own and runs the
compiled loop, which holds no lock. What is wanted of each run is measured at once, so that memory
does not grow with the number of runs; records can be written to a folder as well. Ctrl-C ends the
ensemble after the runs that are under way, and what is finished is kept.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rths.assembly.hybrid_test import HybridTest
from rths.assembly.variation import Values, Variation
from rths.config.attachments import attached_files
from rths.config.plan import dumps
from rths.errors import InputError, suggest
from rths.loop.cycle import Cycle, Engine, choose
from rths.loop.own_kernels import rehearse_own
from rths.loop.stop import Stop
from rths.records.record import Record, channels_of
from rths.run.operator import operator
from rths.run.virtual import Memory, Progress, run

Measure = Callable[[Record], Any]
Watch = Callable[[int, Record, Any], Any]
"""Told the number, the record and the measurement of each run that is done, one at a time."""


WIDE = 1024
"""Numbers that NumPy goes through at once in a table of few columns: row by row takes 50 times."""


def peaks(record: Record) -> Any:
    """Measure the largest absolute value of every recorded column."""
    return peaks_of(record.rows)


def peaks_of(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give the largest absolute value of each column, many rows at once."""
    width = rows.shape[1]
    at_once = max(1, WIDE // max(width, 1))
    whole = len(rows) // at_once * at_once
    size = np.abs(rows[whole:])  # not of all rows: fresh pages cost more than a second look
    if whole:
        many = rows[:whole].reshape(-1, at_once * width)
        most = np.maximum(many.max(axis=0), -many.min(axis=0)).reshape(-1, width)
        size = np.concatenate([most, size])
    return np.asarray(np.ascontiguousarray(size.T).max(axis=1))


@dataclass
class Outcome:
    """What an ensemble has measured: one entry for each variation, None where it did not run."""

    variations: list[Values]
    measured: list[Any] = field(default_factory=list)
    stops: list[Stop | None] = field(default_factory=list)
    columns: tuple[str, ...] = ()
    """What each number of a measurement is: the recorded columns for peaks, else as measured."""

    def __getitem__(self, column: str) -> NDArray[np.float64]:
        """Give one labelled column of the finished runs, as ``outcome["feedback.force"]``."""
        if column not in self.columns:
            remedy = f"{suggest(column, self.columns)}Columns: {', '.join(self.columns) or 'none'}."
            raise InputError("column", column, "was not measured", remedy)
        return np.asarray(self.array()[:, self.columns.index(column)], float)

    def to_pandas(self) -> Any:
        """Give a DataFrame, a row a finished run: what was varied, measured, and how it ended."""
        from rths.records.frames import require_package

        pandas = require_package("pandas", "Outcome.to_pandas")
        ended = [(v, s) for v, s in zip(self.variations, self.stops, strict=True) if s is not None]
        frame = pandas.DataFrame([dict(v) for v, _ in ended])
        if self.columns:
            measured = pandas.DataFrame(self.array(), columns=list(self.columns))
            frame = pandas.concat([frame, measured], axis=1)
        return frame.assign(reason=[s.reason for _, s in ended], time_s=[s.time for _, s in ended])

    @property
    def finished(self) -> int:
        """Number of variations that have run."""
        return sum(s is not None for s in self.stops)

    def array(self) -> Any:
        """Give the measurements of the finished runs as one array."""
        pairs = zip(self.measured, self.stops, strict=True)
        found = [m for m, s in pairs if s is not None]
        return np.array([list(m.values()) if isinstance(m, Mapping) else m for m in found])


def variations_of(given: Mapping[str, Sequence[Any]] | Sequence[Values]) -> list[Values]:
    """Turn columns of values into one mapping for each run; a list of mappings stays as it is."""
    if not isinstance(given, Mapping):
        return [dict(v) for v in given]
    lengths = {len(column) for column in given.values()}
    if len(lengths) > 1:
        raise InputError(
            "variations",
            {path: len(column) for path, column in given.items()},
            "has columns of different lengths",
            "Give every field as many values as there are runs.",
        )
    columns = [[v.item() if hasattr(v, "item") else v for v in c] for c in given.values()]
    return [dict(zip(given, row, strict=True)) for row in zip(*columns, strict=True)]


def ensemble(
    test: HybridTest,
    variations: Mapping[str, Sequence[Any]] | Sequence[Values],
    measure: Measure = peaks,
    *,
    workers: int | None = None,
    engine: Engine | None = None,
    folder: Path | None = None,
    progress: Progress | None = None,
    watch: Watch | None = None,
) -> Outcome:
    """Run every variation of a test; ``variations`` maps paths of fields to columns of values.

    Whoever looks at a record in ``watch`` copies what is to be kept: its memory is used again.
    """
    given = variations_of(variations)
    outcome = Outcome(given, [None] * len(given), [None] * len(given))
    if not given:
        return outcome
    source = Variation(test, given)
    chosen = engine or choose(test.clock.ticks * len(given))
    first = source.vary(given[0])
    rehearse_own(first.layout)
    Cycle(first.layout, first.tick, chosen)  # compile once, before the threads start
    with operator() as wishes:
        crew = _Crew(test, source, outcome, measure, chosen, folder, progress, wishes, watch)
        threads = [
            threading.Thread(target=crew.work) for _ in range(workers or os.cpu_count() or 1)
        ]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
    if crew.error is not None:
        raise crew.error
    return outcome


class _Crew:
    """What the threads of an ensemble share: the next number, and where results go."""

    def __init__(
        self,
        test: HybridTest,
        source: Variation,
        outcome: Outcome,
        measure: Measure,
        engine: Engine,
        folder: Path | None,
        progress: Progress | None,
        wishes: list[str],
        watch: Watch | None,
    ) -> None:
        self.watch = watch
        self.test, self.source, self.outcome, self.measure = test, source, outcome, measure
        self.engine, self.folder, self.progress, self.wishes = engine, folder, progress, wishes
        self.error: BaseException | None = None
        self._next = iter(range(len(outcome.variations)))
        self._lock = threading.Lock()

    def work(self) -> None:
        """Run variations until none is left, one failed, or the operator wants to stop."""
        cycle: Cycle | None = None
        memory = Memory(0, 0)
        while not self.wishes and self.error is None:
            with self._lock:
                k = next(self._next, None)
            if k is None:
                return
            try:
                cycle, memory = self._run_one(k, cycle, memory)
            except BaseException as error:
                self.error = error
                return
            if self.progress is not None:
                self.progress(1)

    def _run_one(self, k: int, cycle: Cycle | None, memory: Memory) -> tuple[Cycle, Memory]:
        """Run variation k, in the cycle of the one before if the layout is the same."""
        values = self.outcome.variations[k]
        varied = self.source.vary(values)
        if cycle is None or cycle.layout is not varied.layout:
            rehearse_own(varied.layout)
            cycle = Cycle(varied.layout, varied.tick, self.engine)
        cycle.restore(varied.arena)
        memory = memory.resize(varied.ticks, len(varied.layout.record_slots))
        stop = run(cycle, varied.ticks, memory)
        channels, rows = channels_of(varied.layout, varied.tick), memory.rows[: memory.kept]
        record = Record(self.test.name, varied.tick, channels, rows, stop)
        if self.folder is not None:
            self._keep(k, values, record)
        measured = self.outcome.measured[k] = self.measure(record)
        if isinstance(measured, Mapping):  # numbers with their names
            self.outcome.columns = tuple(measured)
        elif self.measure is peaks:
            self.outcome.columns = record.labels()
        self.outcome.stops[k] = stop
        if self.watch is not None:
            with self._lock:
                self.watch(k, record, measured)
        return cycle, memory

    def _keep(self, k: int, values: Values, record: Record) -> None:
        from rths.records.hdf5 import write

        assert self.folder is not None
        test = self.test.with_values(dict(values))
        whole = replace(record, plan=dumps(test), seed=test.seed, files=attached_files(test))
        write(whole, self.folder / f"run_{k:05d}.h5", self.engine)
