"""The operator's wish to stop: Ctrl-C or a termination signal ends a run in good order."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

SIGNALS = [getattr(signal, n) for n in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, n)]
"""Ctrl-C, a request to end, a terminal that was closed."""
HANG_UP = getattr(signal, "SIGHUP", None)


@contextmanager
def operator() -> Iterator[list[str]]:
    """Collect the operator's signals to stop; a second one ends the program as usual.

    A terminal that is closed says so as often as it likes: the shell and the system both do. Where
    it was said beforehand that this does not matter (nohup) it does not.
    """
    wishes: list[str] = []
    if threading.current_thread() is not threading.main_thread():
        yield wishes
        return
    before = {s: signal.getsignal(s) for s in SIGNALS}
    if before.get(HANG_UP) == signal.SIG_IGN:
        del before[HANG_UP]

    def wish(number: int, frame: object) -> None:
        wishes.append(signal.Signals(number).name)
        if number != HANG_UP:
            signal.signal(number, before[signal.Signals(number)])

    try:
        for s in before:
            signal.signal(s, wish)
        yield wishes
    finally:
        for s, handler in before.items():
            signal.signal(s, handler)
