"""A batch: the task that is sent to a worker, a job and a number, and the table that comes back."""

from __future__ import annotations

import json
from dataclasses import dataclass
from math import nan
from typing import Any

import numpy as np

from rths.sweep.job import Job
from rths.sweep.outcome import is_word
from rths.sweep.workshop import open_job

Columns = dict[str, Any]
"""Arrays of float64, or lists of words, by column."""


@dataclass(frozen=True)
class Batch:
    """The results of one task."""

    number: int
    columns: Columns

    @property
    def runs(self) -> int:
        """Number of runs."""
        return len(self.columns["run"])


def run_batch(job: Job, number: int) -> Batch:
    """Run one batch of a job; the same on every machine."""
    shop = open_job(job)
    first = number * job.batch
    count = min(job.batch, job.design.size - first)
    varied = job.design.columns(first, count)
    ends: list[str] = []
    times = np.full(count, nan)
    found: Columns = {
        name: [""] * count if is_word(name) else np.full(count, nan) for name in job.columns
    }
    points = [dict(zip(varied, row, strict=True)) for row in zip(*varied.values(), strict=True)]
    for k, (end, when, row) in enumerate(shop.run(points)):
        ends.append(end)
        times[k] = when
        for name, value in row.items():
            if name in found:
                found[name][k] = value
    for column in found.values():
        if isinstance(column, np.ndarray):
            column[np.isnan(column)] = nan  # one of many bits, wherever it came from
    inputs = {v.field: _column(varied[v.field], v.is_number) for v in job.design.variables}
    runs = np.arange(first, first + count)
    return Batch(number, {"run": runs, **inputs, "end": ends, "time": times, **found})


def _column(values: list[Any], numbers: bool) -> Any:
    """Make an array of numbers, or a list of words: what is neither is written as JSON."""
    if numbers:
        return np.array(values, float)
    return [v if isinstance(v, str) else json.dumps(v) for v in values]
