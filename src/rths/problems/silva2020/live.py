"""A run of the benchmark on the clock, at 4096 Hz, its plant behind a simulated link.

The loop runs in a process of its own, paced by the clock and recorded by a supervisor, as with a
rig; the plant answers from within. Its record is judged like that of a virtual run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from rths.hardware.simulated import Simulated
from rths.problems.silva2020.problem import RECORDED
from rths.problems.silva2020.runs import Bench, Job, Score, name_criteria
from rths.realtime.supervisor import run_realtime
from rths.records.hdf5 import read
from rths.run.run_directory import RunDirectory, read_json


@dataclass(frozen=True)
class LiveScore(Score):
    """What a run on the clock is worth, and how punctual it was."""

    slips: int = 0
    """Periods by which ticks came too late."""
    latency: float = 0.0
    """99.9 % of the ticks began within this time of their instant, s."""

    def difference(self, virtual: Score | None) -> float | None:
        """Give the largest difference of a criterion from the virtual run."""
        if virtual is None or virtual.criteria is None or self.criteria is None:
            return None
        return float(np.abs(self.criteria - virtual.criteria).max())

    def as_dict(self, virtual: Score | None) -> dict[str, Any]:
        """Give what ``--json`` prints."""
        return {
            "criteria": name_criteria(self.criteria),
            "largest_difference": self.difference(virtual),
            "slips": self.slips,
            "latency": self.latency,
        }


def run_live(
    job: Job, folder: Path, noise_seed: int, progress: Callable[[int], None] | None = None
) -> LiveScore | None:
    """Run a job on the clock and leave its record in the folder; None if it was ended early."""
    bench = Bench(job, noise_seed)
    test = replace(bench.test, hardware=Simulated())
    directory = RunDirectory(folder)
    stop = run_realtime(test, folder, progress=progress)
    if stop.reason not in ("completed", "limit"):
        return None
    record = read(directory.record)
    score = bench.score(np.column_stack([record[name] for name in RECORDED]))
    timing = read_json(directory.timing)
    return LiveScore(
        score.criteria, score.peaks, timing["slips"], 1e-6 * timing["latency"]["p99.9"]
    )
