"""A virtual run: the loop as fast as the machine goes, in portions, so that it can be stopped.

Between two portions the run looks whether the operator wants to end it (Ctrl-C, a termination
signal), hands the new rows to whoever keeps them, and tells how far it is.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rths.assembly.hybrid_test import HybridTest
from rths.config.attachments import attached_files
from rths.config.fingerprint import fingerprint, tell_changes
from rths.config.plan import dumps
from rths.loop.cycle import Cycle, Engine
from rths.loop.stop import Stop
from rths.records.record import Record, channels_of
from rths.records.trail import chain, note
from rths.run.operator import operator

PORTION = {"fused": 1 << 16, "table": 1 << 16, "interpreted": 1 << 11}
"""Ticks of a portion: some milliseconds of work, so that Ctrl-C is answered at once."""

Progress = Callable[[int], None]


class Keeper(Protocol):
    """Whoever keeps the rows of a run."""

    def room(self, ticks: int) -> NDArray[np.float64]:
        """Give rows for the next ticks to be written into."""

    def keep(self, ticks: int) -> None:
        """Keep that many of the rows given last."""


class Memory:
    """Keeps all rows in one array."""

    def __init__(self, ticks: int, width: int) -> None:
        self.rows = np.empty((ticks, width))
        self.kept = 0

    def resize(self, ticks: int, width: int) -> Memory:
        """Give a memory of this size, in the same place if it has it: fresh pages cost time.

        But not if somebody has kept a part of the rows: two references are ours.
        """
        if self.rows.shape != (ticks, width) or sys.getrefcount(self.rows) > 2:
            return Memory(ticks, width)
        self.kept = 0
        return self

    def room(self, ticks: int) -> NDArray[np.float64]:
        """Give the next rows of the array itself."""
        return self.rows[self.kept : self.kept + ticks]

    def keep(self, ticks: int) -> None:
        """Count them in."""
        self.kept += ticks


def run(cycle: Cycle, ticks: int, keeper: Keeper, progress: Progress | None = None) -> Stop:
    """Advance a cycle to ``ticks`` and keep its rows; return why it ended."""
    portion = PORTION[cycle.engine]
    with operator() as wishes:
        while cycle.done < ticks and cycle.stop is None:
            if wishes:
                return _make_stop(
                    cycle, "interrupted", f"interrupted by the operator ({wishes[0]})"
                )
            rows = keeper.room(min(portion, ticks - cycle.done))
            done = cycle.advance(len(rows), rows)
            try:
                keeper.keep(done)
            except OSError as error:
                why = f"the record could not be written: {error.strerror or error}"
                return _make_stop(cycle, "record", why, done)
            if progress is not None:
                progress(done)
    return cycle.stop or _make_stop(cycle, "completed", "completed")


def _make_stop(cycle: Cycle, reason: str, why: str, lost: int = 0) -> Stop:
    """Say why a run ended; ``lost`` are ticks at its end that were not recorded."""
    tick = cycle.done - lost
    time = tick * cycle.tick
    text = why if reason == "completed" else f"stopped at tick {tick} (t = {time:.6g} s): {why}"
    return Stop(reason, tick, time, text)  # type: ignore[arg-type]


def simulate(
    test: HybridTest,
    engine: Engine | None = None,
    progress: Progress | None = None,
    *,
    live: bool = False,
) -> Record:
    """Rehearse a test and give its record in memory; ``live`` is with its simulated link."""
    cycle = test.cycle(engine or "table", live=True) if live else test.cycle(engine)
    layout = cycle.layout
    memory = Memory(test.clock.ticks, len(layout.record_slots))
    begun = time.perf_counter()
    stop = run(cycle, test.clock.ticks, memory, progress)
    details = {"loop": cycle.engine, "wall_seconds": time.perf_counter() - begun}
    channels = channels_of(layout, test.tick)
    rows, files = memory.rows[: memory.kept], attached_files(test)
    return Record(
        test.name, test.tick, channels, rows, stop, dumps(test), test.seed, files, details
    )


def rehearse(
    test: HybridTest,
    path: Path,
    engine: Engine | None = None,
    progress: Progress | None = None,
    changes: Mapping[str, Any] | None = None,
) -> Stop:
    """Rehearse a test of any length straight into a record file.

    ``changes`` are fields of its plan that were changed for this run, for the trail.
    """
    from rths.records.hdf5 import RecordWriter

    cycle = test.cycle(engine)
    channels = channels_of(test.layout, test.tick)
    plan = dumps(test)
    kept: dict[str, Any] = {"seed": test.seed, "files": attached_files(test)}
    with RecordWriter(path, test.name, test.tick, channels, plan, cycle.engine, **kept) as writer:
        writer.stop = run(cycle, test.clock.ticks, writer, progress)
    told = f"rehearsed {test.name}{tell_changes(changes)}"
    done = note("rehearsed", told, {**fingerprint(test), "seal": writer.seal})
    with suppress(OSError):  # a full disk: the rows are what matters
        writer.add({"events": [asdict(e) for e in chain([done])]})
    return writer.stop
