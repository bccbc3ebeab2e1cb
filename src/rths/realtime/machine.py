"""What the machine allows: scheduling class, locked memory, isolated cores, timer, no deep sleep.

Each is asked for when the loop starts and told in words; a test can run without any of them, but
its latency then depends on whatever else the machine does.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import struct
from dataclasses import dataclass
from pathlib import Path

PRIORITY = 80
"""Of 1 to 99: above the interrupts of a PREEMPT_RT kernel (50), below its watchdogs (99)."""
_LOCK_ALL = 3
"""MCL_CURRENT | MCL_FUTURE of <sys/mman.h>: what is mapped now and what will be."""
_TIMER_SLACK = 29
"""PR_SET_TIMERSLACK of <sys/prctl.h>."""


@dataclass(frozen=True)
class Allowance:
    """One thing asked of the machine: whether it was granted, and what that means."""

    name: str
    granted: bool
    words: str


def claim(priority: int = PRIORITY) -> list[Allowance]:
    """Ask for everything that makes a loop punctual; say what was granted."""
    return [_scheduling(priority), _memory(), _core(), _timer(), _stay_awake()]


def _scheduling(priority: int) -> Allowance:
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(priority))
    except (OSError, AttributeError) as error:
        remedy = "allow it with `ulimit -r 90` or in /etc/security/limits.conf (rtprio)"
        words = f"ordinary scheduling ({error}): other programs may delay a tick; {remedy}"
        return Allowance("scheduling", False, words)
    return Allowance("scheduling", True, f"real-time scheduling SCHED_FIFO, priority {priority}")


def _memory() -> Allowance:
    library = ctypes.CDLL(None, use_errno=True)
    if library.mlockall(_LOCK_ALL) == 0:
        return Allowance("memory", True, "memory locked: no page has to be fetched in a tick")
    why = os.strerror(ctypes.get_errno())
    words = f"memory not locked ({why}): a page may have to be fetched; allow it with `ulimit -l`"
    return Allowance("memory", False, words)


def _core() -> Allowance:
    listed = Path("/sys/devices/system/cpu/isolated")
    text = listed.read_text().strip() if listed.exists() else ""
    if not text:
        words = "no core is isolated (kernel option isolcpus): others may run on the loop's core"
        return Allowance("core", False, words)
    first = int(text.replace("-", ",").split(",")[0])
    with contextlib.suppress(OSError):
        os.sched_setaffinity(0, {first})
    return Allowance("core", True, f"on the isolated core {first}")


def _timer() -> Allowance:
    ctypes.CDLL(None).prctl(_TIMER_SLACK, 1, 0, 0, 0)
    preempt = Path("/sys/kernel/realtime")
    if preempt.exists() and preempt.read_text().strip() == "1":
        return Allowance("timer", True, "high-resolution timer on a PREEMPT_RT kernel")
    return Allowance("timer", False, "high-resolution timer on an ordinary kernel: no guarantee")


_kept_awake: list[int] = []


def _stay_awake() -> Allowance:
    """Ask that no core falls into a sleep from which it wakes late, for as long as we live."""
    try:
        if not _kept_awake:
            file = os.open("/dev/cpu_dma_latency", os.O_WRONLY)
            os.write(file, struct.pack("i", 0))
            _kept_awake.append(file)
    except OSError as error:
        words = f"cores may fall into deep sleep ({error}): they wake late; allow writing to"
        return Allowance("sleep", False, f"{words} /dev/cpu_dma_latency")
    return Allowance("sleep", True, "cores kept from deep sleep")
