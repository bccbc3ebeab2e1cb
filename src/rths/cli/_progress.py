"""A bar on the terminal while something takes long."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rths.cli._voice import is_quiet

LONG = 1_000_000
"""Ticks from which on a bar is shown: fewer are done before one could read it."""
PATIENCE = 2.0
"""Seconds after which it is said what goes on."""


@contextmanager
def progress(title: str, ticks: int) -> Iterator[Callable[[int], Any] | None]:
    """Give what is told the ticks that are done; None for a short run, or without a terminal.

    A short run is told of as all else that takes long.
    """
    if is_quiet() or not sys.stderr.isatty():
        yield None
        return
    if ticks < LONG:  # on a new machine its blocks are compiled first
        with patience(title):
            yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(title, total=ticks)
        yield lambda done: shown.advance(task, done)


@contextmanager
def patience(title: str, total: int | None = None) -> Iterator[Callable[[int], Any]]:
    """Say what goes on once it has taken two seconds; give what is told the parts that are done.

    Without a total it is said how long it has taken. Nothing is imported, and nothing shown,
    before that time, without a terminal, or if only errors are wanted.
    """
    shown = _Shown(title, total)
    if is_quiet() or not sys.stderr.isatty():
        yield shown.advance
        return
    from threading import Timer

    timer = Timer(PATIENCE, shown.begin)
    timer.daemon = True
    timer.start()
    try:
        yield shown.advance
    finally:
        timer.cancel()
        shown.end()


class _Shown:
    """Counts from the start, and is shown later."""

    def __init__(self, title: str, total: int | None) -> None:
        from threading import Lock

        self.title, self.total, self.done = title, total, 0
        self._lock, self._over = Lock(), False
        self._bar: Any = None
        self._task: Any = None

    def advance(self, parts: int) -> None:
        """Count parts that are done."""
        with self._lock:
            self.done += parts
            if self._bar is not None:
                self._bar.update(self._task, completed=self.done)

    def begin(self) -> None:
        """Show what has been counted so far."""
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
        from rich.progress import TimeElapsedColumn as Elapsed
        from rich.progress import TimeRemainingColumn as Left

        counted = (BarColumn(), MofNCompleteColumn(), Left()) if self.total else (Elapsed(),)
        with self._lock:
            if self._over:
                return
            console = Console(stderr=True)
            self._bar = Progress(
                TextColumn("{task.description}"), *counted, console=console, transient=True
            )
            self._task = self._bar.add_task(self.title, total=self.total, completed=self.done)
            self._bar.start()

    def end(self) -> None:
        """Take it away."""
        with self._lock:
            self._over = True
            if self._bar is not None:
                self._bar.stop()
