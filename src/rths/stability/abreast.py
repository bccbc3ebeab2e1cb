"""Trials abreast, told in their order: the answer is that of one after the other, sooner.

A trial is compiled code for most of its time, and holds no lock of the interpreter. While the
result of one is looked at, the next are on their way on other cores. Whoever has seen enough stops
asking, and what was begun beyond that is thrown away: so a trial may not depend on what became of
another, and how many cores there are changes no answer. What nobody waits for any more, as enough
was seen or somebody has pressed Ctrl-C, ends at its next stretch.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event, local
from typing import TypeVar

MOST = 2
"""Trials at a time: each further one is work that may be thrown away."""
T = TypeVar("T")
_here = local()
"""Of each thread that tries: the events by any of which nobody waits for it any more."""


class UnwantedError(Exception):
    """Raised in a trial for which nobody waits any more."""


def check_wanted() -> None:
    """End the present trial, if nobody waits for it any more."""
    if any(over.is_set() for over in _events()):
        raise UnwantedError


def _events() -> tuple[Event, ...]:
    """Events of the present thread: what a trial begins ends with it."""
    return getattr(_here, "overs", ())


def _enter(overs: tuple[Event, ...]) -> None:
    _here.overs = overs


def count_cores() -> int:
    """Give the cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def try_abreast(trials: Iterable[Callable[[], T]]) -> Iterator[T]:
    """Give the results of trials in their order; the next are drawn, and tried, meanwhile.

    What is raised while a trial is drawn is raised in its place, after the results before it.
    """
    if count_cores() < MOST:
        for trial in trials:
            yield trial()
        return
    waiting, over = deque[Future[T]](), Event()
    crew = ThreadPoolExecutor(MOST, initializer=_enter, initargs=((*_events(), over),))
    try:
        for begun in _begin(crew, trials):
            waiting.append(begun)
            if len(waiting) > MOST:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        over.set()
        crew.shutdown(wait=True, cancel_futures=True)


class Ahead:
    """Trials that are begun before it is known whether they are wanted, one after the other.

    What was not asked for when this is left is thrown away; on one core nothing is begun ahead.
    """

    def __init__(self) -> None:
        self._over = Event()
        self._crew: ThreadPoolExecutor | None = None

    def begin(self, trial: Callable[[], T]) -> Callable[[], T]:
        """Begin a trial; give what waits for its result."""
        if count_cores() < MOST:
            return trial
        if self._crew is None:
            overs = (*_events(), self._over)
            self._crew = ThreadPoolExecutor(1, initializer=_enter, initargs=(overs,))
        return self._crew.submit(trial).result

    def __enter__(self) -> Ahead:
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        if self._crew is not None:
            self._crew.shutdown(wait=True, cancel_futures=True)


def _begin(crew: ThreadPoolExecutor, trials: Iterable[Callable[[], T]]) -> Iterator[Future[T]]:
    """Begin trials one by one; one that cannot be drawn is one that fails."""
    try:
        for trial in trials:
            yield crew.submit(trial)
    except Exception as raised:
        failed = Future[T]()
        failed.set_exception(raised)
        yield failed
