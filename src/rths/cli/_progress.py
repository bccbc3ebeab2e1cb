"""A bar on the terminal while a long run goes on."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

LONG = 1_000_000
"""Ticks from which on a bar is shown: fewer are done before one could read it."""


@contextmanager
def progress(title: str, ticks: int) -> Iterator[Callable[[int], Any] | None]:
    """Give what is told the ticks that are done; None for a short run, or without a terminal."""
    if ticks < LONG or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task(title, total=ticks)
        yield lambda done: shown.advance(task, done)
