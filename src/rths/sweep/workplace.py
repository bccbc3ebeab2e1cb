"""Where batches run: any ``concurrent.futures.Executor``, kept busy and not flooded.

A few batches more than there are workers are under way at a time, so that none waits for the next
and the memory of the sweeping process does not grow with their number. A batch whose worker is
lost, or has other versions, is given out again; what every worker refuses is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED as FIRST
from concurrent.futures import CancelledError, Executor, Future, wait
from typing import Any, Protocol

from rths.errors import InputError
from rths.sweep.batch import Batch, run_batch
from rths.sweep.job import OtherVersionsError

AHEAD = 2
"""Batches under way for each worker: one that runs and one that is next."""
PATIENCE = 0.2
"""Seconds after which whoever waits for a batch looks whether somebody wants to stop."""
KEPT = "What is finished is kept; the same command goes on with the rest."
"""What is told whenever a sweep ends before its end."""
ATTEMPTS = 5
"""Times that a batch is given out: one that has lost so many workers has a part in it."""


class Workplace(Protocol):
    """Whoever runs batches."""

    @property
    def workers(self) -> int:
        """Batches that run at a time."""

    def submit(self, number: int) -> Future[Batch]:
        """Give out a batch."""

    @property
    def is_sound(self) -> bool:
        """Whether it may be waited for: what was given out before a loss may never be answered."""

    def recover(self, error: BaseException) -> bool:
        """Mend the place after an error that is no fault of the batch; False if it cannot be."""


class ExecutorPlace:
    """An executor of the standard library, or any other."""

    def __init__(self, executor: Executor, job: Any, workers: int) -> None:
        self._executor, self._job, self._workers = executor, job, workers

    @property
    def workers(self) -> int:
        """Batches that run at a time."""
        return self._workers

    def submit(self, number: int) -> Future[Batch]:
        """Give out a batch."""
        return self._executor.submit(run_batch, self._job, number)

    @property
    def is_sound(self) -> bool:
        """An executor answers, if only that it is broken."""
        return True

    def recover(self, error: BaseException) -> bool:
        """An executor that has broken cannot be mended: the sweep is ended and goes on later."""
        return False


def run_batches(
    place: Workplace, numbers: Iterable[int], wants_stop: Callable[[], bool]
) -> Iterator[Batch]:
    """Run batches and give each as it comes; after a wish to stop those that are under way."""
    left = iter(numbers)
    open_: dict[Future[Batch], int] = {}
    attempts: dict[int, int] = {}
    again: list[int] = []
    stopped = False
    try:
        while True:
            stopped = stopped or wants_stop()
            if stopped:
                _cancel(open_)
            while not stopped and len(open_) < AHEAD * max(1, place.workers):
                number = again.pop() if again else next(left, None)
                if number is None:
                    break
                open_[place.submit(number)] = number
            if not open_:
                return
            done, _ = wait(open_, timeout=PATIENCE, return_when=FIRST)
            if not done and not place.is_sound:
                lost = ConnectionError("nobody answers any more")
                if not _recover(place, lost):
                    raise _explain(min(open_.values()), lost)
            for future in sorted(done, key=lambda f: open_[f]):
                number = open_.pop(future)
                found = _take(future, number, place, attempts)
                if found is not None:
                    yield found
                elif not stopped:
                    again.append(number)
    finally:
        _cancel(open_)


def _cancel(open_: dict[Future[Batch], int]) -> None:
    """Take back what has not begun."""
    for future in list(open_):
        if future.cancel():
            del open_[future]


def _take(
    future: Future[Batch], number: int, place: Workplace, attempts: dict[int, int]
) -> Batch | None:
    """Give what a batch has found; None if it is to be given out again."""
    try:
        return future.result()
    except (Exception, CancelledError) as error:
        told = isinstance(error, InputError)
        if told and not isinstance(error, OtherVersionsError):
            raise
        attempts[number] = attempts.get(number, 0) + 1
        if attempts[number] >= ATTEMPTS or not _recover(place, error):
            if told:
                raise
            raise _explain(number, error) from error
        return None


def _recover(place: Workplace, error: BaseException) -> bool:
    """Mend a place, or tell why it cannot be, and that nothing is lost."""
    try:
        return place.recover(error)
    except InputError as e:
        raise InputError(e.field, e.value, e.problem, f"{e.remedy} {KEPT}") from None


def _explain(number: int, error: BaseException) -> InputError:
    problem = f"could not be run ({type(error).__name__}: {error})".replace("\n", " ")
    return InputError("batch", number, problem, KEPT)
