"""The cockpit steps aside: while a test runs, its processes keep off the core of the loop.

    cores of the cockpit = cores that it had - core of the loop,   all of them if none is left  (1)

A loop with real-time scheduling stays on the core on which it is, isolated or not. That core is
idle most of the time, so that others are put there, and whoever computes there competes with it.
Where cores cannot be chosen, on another system or in a container, the cockpit goes on where it is
and says so.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from rths.realtime.machine import Allowance

_CORE = 36
"""Place of the core among the fields of /proc/PID/stat behind the name, as proc(5) counts them."""


def find_core(process: int) -> int | None:
    """Find the core of a process that has real-time scheduling; None of any other."""
    try:
        if process <= 0 or os.sched_getscheduler(process) != os.SCHED_FIFO:
            return None
        behind_name = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2]
        return int(behind_name.split()[_CORE])
    except (OSError, OverflowError, AttributeError, IndexError, ValueError):
        return None


class Aside:
    """Where the processes of a cockpit run."""

    def __init__(self, processes: Callable[[], Iterable[int]]) -> None:
        """Give the processes of the cockpit; others that they start go where they are."""
        self._processes = processes
        self._had: set[int] = set()
        self._off: int | None = None

    def keep_off(self, loop: int) -> Allowance | None:
        """Keep off the core of a loop (1), wherever it is now; None if nothing is known of it."""
        core = find_core(loop)
        if core is None:
            self.come_back()
            return None
        try:
            if core != self._off:
                self.come_back()
                self._had = os.sched_getaffinity(0)
                self._off = core
            left = self._had - {core}
            if left and left != self._had:
                self._move(left)
        except OSError as error:
            return _tell(False, f"may run on the loop's core {core} ({error})")
        if not left:
            return _tell(False, f"runs on the loop's core {core}: it may use no other")
        return _tell(True, f"keeps off core {core}, on which the loop runs")

    def come_back(self) -> None:
        """Go back to all cores (1)."""
        if self._off is not None:
            self._off = None
            with suppress(OSError):
                self._move(self._had)

    def _move(self, cores: set[int]) -> None:
        """Move every thread that is not there: a call for a process moves only its first one."""
        for process in self._processes():
            with suppress(FileNotFoundError):  # it has just ended
                for thread in os.listdir(f"/proc/{process}/task"):
                    with suppress(ProcessLookupError):
                        if os.sched_getaffinity(int(thread)) != cores:
                            os.sched_setaffinity(int(thread), cores)


def _tell(granted: bool, words: str) -> Allowance:
    return Allowance("cockpit", granted, f"the cockpit {words}")
