"""A sweep: the batches of a study run anywhere, their results in one data set."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import ExitStack
from math import inf
from pathlib import Path
from typing import Any

from rths.errors import InputError, suggest
from rths.run.operator import operator
from rths.run.run_directory import RUNS
from rths.sweep.batch import Batch
from rths.sweep.data_set import DataSet
from rths.sweep.job import Job, make_job
from rths.sweep.outcome import Measure, is_word
from rths.sweep.results import Results
from rths.sweep.stopping import Tally
from rths.sweep.study import Study, read_study
from rths.sweep.workplace import ExecutorPlace, Workplace, run_batches
from rths.sweep.workshop import open_job

Progress = Callable[[int], Any]
"""Told how many runs more are on their way to the disk."""


def sweep(
    study: Study | Path | str | Mapping[str, Any],
    folder: Path | str | None = None,
    *,
    executor: Executor | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    overwrite: bool = False,
    progress: Progress | None = None,
    trust: bool = False,
) -> Results:
    """Run a study and give its results; what an earlier call has finished is not run again.

    ``executor`` is any of concurrent.futures, with ``workers`` batches at a time; without one,
    threads. ``cluster`` is the address of a Dask scheduler, or ``"local"`` to start one here.
    """
    asked = study if isinstance(study, Study) else read_study(study, trust=trust)
    place = Path(folder) if folder is not None else RUNS / asked.name
    count = workers or os.cpu_count() or 1
    job = make_job(asked, _columns(asked))
    data = DataSet(place)
    with data.hold(), ExitStack() as stack:
        data.open(job.key, _describe(asked, job), overwrite)
        if progress is not None and data.rows:
            progress(data.rows)
        if _is_finished(asked, data):
            return Results(place)
        order = _Order(asked, data)
        if order.enough is None:
            data.require_versions(job.versions)
        where = _find_place(stack, job, asked, executor, count, cluster)
        _run(order, data, where, progress)
    return Results(place)


def _columns(study: Study) -> tuple[str, ...]:
    """Name the outcomes; the plan as it is must give them."""
    test = study.wanted.trim(study.test)
    varies = tuple(path.role for path in study.paths.values())
    found = Measure(study.wanted, test, varies).columns
    rule = study.stopping.of
    if rule is not None and is_word(rule):
        remedy = "Name an outcome that is a number."
        raise InputError("stop.of", rule, "is a word and has no mean", remedy)
    if rule is not None and rule not in found:
        remedy = f"{suggest(rule, found)}Outcomes: {', '.join(found) or 'none'}."
        raise InputError("stop.of", rule, "is no outcome of the study", remedy)
    return found


def _describe(study: Study, job: Job) -> dict[str, Any]:
    return {
        "name": study.name,
        "plan": job.plan,
        "design": type(study.design).__name__,
        "variables": [v.field for v in study.design.variables],
        "outcomes": list(job.columns),
        "runs": study.runs,
        "batch": study.batch,
        "seed": study.design.seed,
        "versions": dict(job.versions),
        "finished": False,
        "interrupted": False,
    }


def _is_finished(study: Study, data: DataSet) -> bool:
    if len(data.done) < study.batches:
        return False
    data.note(finished=True)
    return True


def _find_place(
    stack: ExitStack,
    job: Job,
    study: Study,
    executor: Executor | None,
    workers: int,
    cluster: str | None,
) -> Workplace:
    """Find who runs the batches."""
    if cluster is not None:
        from rths.sweep.cluster import ClusterPlace

        return stack.enter_context(ClusterPlace(job, cluster, workers))
    if executor is None:
        open_job(job, study.test)  # compile once, before the threads start
        executor = stack.enter_context(ThreadPoolExecutor(workers, "rths-sweep"))
    elif isinstance(executor, ThreadPoolExecutor):
        open_job(job, study.test)
    return ExecutorPlace(executor, job, workers)


def _run(order: _Order, data: DataSet, place: Workplace, progress: Progress | None) -> None:
    """Run what is left, until it is enough or somebody wants to stop."""
    study = order.study
    begun, most = time.monotonic(), study.stopping.seconds or inf
    with operator() as wishes:

        def wants_stop() -> bool:
            return bool(wishes) or order.enough is not None or time.monotonic() - begun > most

        for batch in run_batches(place, order.left(), wants_stop):
            data.add(batch)
            order.look(batch)
            if progress is not None:
                progress(batch.runs)
    data.write()
    if order.enough is not None:
        data.note(finished=True, counted=order.enough)
    elif len(data.done) == study.batches:
        data.note(finished=True)
    elif wishes:
        data.note(interrupted=True)


class _Order:
    """Looks at batches in the order of their numbers, whenever they come, for the rules."""

    def __init__(self, study: Study, data: DataSet) -> None:
        self.study, self.data = study, data
        self.enough: int | None = None
        """Number of runs that count, once a rule is fulfilled."""
        self._tally = Tally(study.stopping)
        rules = study.stopping
        self._asked = rules.lost is not None or rules.precision is not None
        self._next = 0
        self._early: dict[int, Batch] = {}
        if self._asked and data.done:
            self._look_back()

    def left(self) -> Iterator[int]:
        """Numbers of the batches that are not there yet."""
        return (n for n in range(self.study.batches) if n not in self.data.done)

    def _look_back(self) -> None:
        """Look at what an earlier sweep has left."""
        import numpy as np

        found: dict[int, list[Any]] = {}
        for part in Results(self.data.folder).parts():
            for number in np.unique(part["run"] // self.study.batch):
                rows = part["run"] // self.study.batch == number
                found.setdefault(int(number), []).append({k: v[rows] for k, v in part.items()})
        for number, parts in sorted(found.items()):
            columns = {k: np.concatenate([p[k] for p in parts]) for k in parts[0]}
            self.look(Batch(number, columns))

    def look(self, batch: Batch) -> None:
        """Take a batch; all up to the first that is missing are counted."""
        if not self._asked or self.enough is not None:
            return
        self._early[batch.number] = batch
        while self.enough is None and self._next in self._early:
            self._tally.add(self._early.pop(self._next).columns)
            self._next += 1
            if self._tally.is_enough:
                self.enough = min(self._next * self.study.batch, self.study.runs)
