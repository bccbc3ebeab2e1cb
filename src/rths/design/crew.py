"""Who does the parts of a design: threads of this machine, or the workers of a Dask cluster."""

from __future__ import annotations

import pickle
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

from rths.design.task import make_task, work_on
from rths.design.workbench import Workbench
from rths.errors import InputError

PATIENCE = 0.2
"""Seconds after which whoever waits looks whether somebody wants to stop."""
ATTEMPTS = 5
"""Times that a part is given out: one that has lost so many workers has a part in it."""


class Crew(Protocol):
    """Whoever does parts of a design."""

    def submit(self, part: str, *given: Any) -> Future[Any]:
        """Begin a part, by the name of what a workbench does."""

    def tend(self) -> None:
        """Look after what is under way; whoever waits for it calls this from time to time."""


class ThreadCrew:
    """Threads that share one workbench: the compiled loop holds no lock."""

    def __init__(self, bench: Workbench, executor: ThreadPoolExecutor) -> None:
        self._bench, self._executor = bench, executor

    def submit(self, part: str, *given: Any) -> Future[Any]:
        """Begin a part."""
        return self._executor.submit(getattr(self._bench, part), *given)

    def tend(self) -> None:
        """Do nothing: a thread is never lost."""


@dataclass(eq=False)
class _Part:
    """A part that was given to a worker."""

    words: tuple[Any, ...]
    sent: Future[Any]
    attempts: int = 1


class ClusterCrew:
    """Workers elsewhere, each with a workbench of its own; what they lose is given out again."""

    def __init__(self, place: Any) -> None:
        self._place = place
        self._open: dict[Future[Any], _Part] = {}

    def submit(self, part: str, *given: Any) -> Future[Any]:
        """Begin a part."""
        found: Future[Any] = Future()
        words = (work_on, part, pickle.dumps(given))
        self._open[found] = _Part(words, self._place.call(*words))
        return found

    def tend(self) -> None:
        """Pass on what has come; give out again what was lost with a worker or the scheduler."""
        if self._open and not self._place.is_sound:
            self._place.recover(ConnectionError("nobody answers any more"))
        for found, part in list(self._open.items()):
            if found.cancelled():
                del self._open[found]
            elif part.sent.done():
                self._pass_on(found, part)

    def _pass_on(self, found: Future[Any], part: _Part) -> None:
        error = part.sent.exception()
        if error is None:
            found.set_result(part.sent.result())
        elif isinstance(error, InputError) or part.attempts >= ATTEMPTS:
            told = f"{type(error).__name__}: {error}".splitlines()[0]
            lost = InputError("--cluster", None, f"does not do its part ({told})", "Try again.")
            found.set_exception(error if isinstance(error, InputError) else lost)
        else:
            self._place.recover(error)
            part.attempts, part.sent = part.attempts + 1, self._place.call(*part.words)
            return
        del self._open[found]


@contextmanager
def gather_crew(
    bench: Workbench, workers: int, cluster: str | None, wishes: Sequence[str] = ()
) -> Iterator[Crew]:
    """Gather threads, or meet a cluster; whoever wants to stop does not wait for the last part."""
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
        executor.shutdown(wait=not wishes, cancel_futures=True)  # a certificate may take minutes
        if not wishes:
            bench.stop.clear()


def results(crew: Crew, futures: Sequence[Future[Any]], wishes: list[str]) -> list[Any]:
    """Wait for all, in their order; once somebody wants to stop, for none that has not begun."""
    left = set(futures)
    while left and not wishes:
        crew.tend()
        _, left = wait(left, timeout=PATIENCE, return_when=FIRST_COMPLETED)
    if wishes:
        for future in left:
            future.cancel()
    return [f.result() for f in futures if f.done() and not f.cancelled()]
