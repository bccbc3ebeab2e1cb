"""Keys of the operator while a test runs in a terminal.

q ramps out, space trips, m and n hand over to the measured and back to the numerical force, + and -
move the measured share by a tenth.
"""

from __future__ import annotations

import contextlib
import os
import select
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, Any

from rths.realtime.lifecycle import LifeCycle

HELP = "q ramp out, space trip, m measured force, n numerical force, + - measured share"
HAND_OVER = 2.0
"""Seconds that handing over takes."""
STEP = 0.1
"""Measured share by which + and - move it: a tenth."""


def obey_key(key: str, life: LifeCycle) -> bool:
    """Do what a key means; say whether it means anything now."""
    reason = f"key {key!r}"
    if key == "q":
        return life.ramp_out(reason)
    if key == " ":
        return life.trip(reason)
    if key in ("m", "n"):
        return life.hand_over(1.0 if key == "m" else 0.0, HAND_OVER, reason)
    if key in ("+", "-"):
        share = life.share
        if share is None:
            return False
        wanted = min(max(share + (STEP if key == "+" else -STEP), 0.0), 1.0)
        return life.hand_over(round(wanted, 10), STEP * HAND_OVER, reason)
    return False


def visitor(read: Callable[[], str]) -> Callable[[LifeCycle], None]:
    """Give what the supervisor calls now and then: it does what the keys mean."""

    def visit(life: LifeCycle) -> None:
        for key in read():
            obey_key(key, life)

    return visit


def _is_in_front(number: int) -> bool:
    """Tell whether a terminal's keys are for this program, and not for another beside it."""
    try:
        return os.tcgetpgrp(number) == os.getpgrp()
    except OSError:  # not the terminal of this session: nobody stops us
        return True


def read_nothing() -> str:
    """Stand for the keys where none are read, also when the program comes to the front later."""
    return ""


@contextmanager
def keyboard(stream: IO[Any] | None = None) -> Iterator[Callable[[], str]]:
    """Read keys as they are pressed, without waiting; none come where no terminal is.

    Nor do they to a program in the background, which the system stops if it touches the terminal.
    """
    source = stream if stream is not None else sys.stdin
    if not source.isatty() or not _is_in_front(source.fileno()):
        yield read_nothing
        return
    import termios
    import tty

    number = source.fileno()
    before = termios.tcgetattr(number)

    def read() -> str:
        if not _is_in_front(number):
            return ""
        ready, _, _ = select.select([number], [], [], 0)
        with contextlib.suppress(OSError):  # the terminal was closed: SIGHUP says so
            return os.read(number, 64).decode(errors="ignore") if ready else ""
        return ""

    try:
        tty.setcbreak(number)
        yield read
    finally:
        if _is_in_front(number):
            with contextlib.suppress(termios.error):
                termios.tcsetattr(number, termios.TCSADRAIN, before)
