"""Who does the parts of a design: threads of this machine, or the workers of a Dask cluster."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from typing import Any, Protocol

from rths.design.task import make_task, work_on
from rths.design.workbench import Workbench

PATIENCE = 0.2
"""Seconds after which whoever waits looks whether somebody wants to stop."""


class Crew(Protocol):
    """Whoever does parts of a design."""

    def submit(self, part: str, *given: Any) -> Future[Any]:
        """Begin a part: tune or judge."""


class ThreadCrew:
    """Threads that share one workbench: the compiled loop holds no lock."""

    def __init__(self, bench: Workbench, executor: ThreadPoolExecutor) -> None:
        self._bench, self._executor = bench, executor

    def submit(self, part: str, *given: Any) -> Future[Any]:
        """Begin a part."""
        return self._executor.submit(getattr(self._bench, part), *given)


class ClusterCrew:
    """Workers elsewhere, each with a workbench of its own."""

    def __init__(self, place: Any) -> None:
        self._place = place

    def submit(self, part: str, *given: Any) -> Future[Any]:
        """Begin a part."""
        found: Future[Any] = self._place.call(work_on, part, pickle.dumps(given))
        return found


@contextmanager
def gather_crew(bench: Workbench, workers: int, cluster: str | None) -> Iterator[Crew]:
    """Gather threads, or meet a cluster."""
    if cluster is not None:
        from rths.sweep.cluster import ClusterPlace

        task = make_task(bench.test, bench.commission)
        with ClusterPlace(task, cluster, workers) as place:
            yield ClusterCrew(place)
        return
    executor = ThreadPoolExecutor(workers, "rths-design")
    try:
        yield ThreadCrew(bench, executor)
    finally:
        bench.stop.set()
        executor.shutdown(cancel_futures=True)
        bench.stop.clear()


def results(futures: Sequence[Future[Any]], wishes: list[str]) -> list[Any]:
    """Wait for all, in their order; once somebody wants to stop, for none that has not begun."""
    left = set(futures)
    while left and not wishes:
        _, left = wait(left, timeout=PATIENCE, return_when=FIRST_COMPLETED)
    if wishes:
        for future in left:
            future.cancel()
    return [f.result() for f in futures if f.done() and not f.cancelled()]
