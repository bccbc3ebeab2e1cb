"""Run faults of one kind by chance, and count what must not be; a seed repeats a portion.

    python -m benchmarks faults --fault flip_force --count 1000 --seed 100000
    python -m benchmarks faults --fault stall --count 50 --seed 100000 --live

Seeds below 100,000 are for development; those from 100,000 on judge and are not looked at before.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable
from math import inf
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.faults.kinds import KINDS
from benchmarks.faults.plans import RAMP, Sound, sound_tests
from benchmarks.faults.virtual import Outcome, Window, run_fault, run_signal, run_stall, run_two
from benchmarks.faults.wire import run_replay, run_takeover

DURATION = 2.5
"""s: the ramp, a fault, the time in which it has to trip, and some more."""
WINDOW = Window(RAMP + 0.1, 0.9)
EACH = 25
"""Faults for each test that is drawn: its guards take longer to suggest than it takes to run."""
MOST = 3
"""Times the runs wanted that are begun at the most, refused ones included."""
Run = Callable[[Sound, Window, int], Outcome]
APART: dict[str, Run] = {
    "two": run_two,
    "stall": run_stall,
    "signal": run_signal,
    "replay": run_replay,
    "takeover": run_takeover,
}
"""Kinds that are no fault of the rig."""
FAULTS = ("none", *KINDS, *APART)


def run_of(fault: str) -> Run:
    """Give what runs a kind."""
    names = [fault] if fault in KINDS else []
    return APART.get(fault, lambda sound, window, seed: run_fault(sound, names, window, seed))


def measure(
    fault: str, count: int, seed: int, live: bool = False, seconds: float = inf
) -> list[Outcome]:
    """Run so many faults of a kind; after so many seconds no other is begun.

    Live tests that were refused before they began are kept, and do not count.
    """
    random, found, begun = np.random.default_rng([seed, FAULTS.index(fault)]), [], 0
    until = time.monotonic() + seconds
    with tempfile.TemporaryDirectory(prefix="faults_") as folder:
        sounds = sound_tests(random, Path(folder), DURATION)
        if live:
            from benchmarks.faults.live import run_live

        while begun < count and len(found) < MOST * count and time.monotonic() < until:
            if len(found) % EACH == 0:
                sound = next(sounds)
            own = int(random.integers(1 << 31))
            if live:
                row = run_live(fault, sound, own, Path(folder))
            else:
                row = run_of(fault)(sound, WINDOW, own)
            begun += 1 if not live or row["reason"] != "refused" else 0
            found.append({"fault": fault, "seed": seed, "live": live, **row})
    return found


def summarise(rows: Iterable[Outcome]) -> dict[str, Any]:
    """Count ends, guards and what was wrong, and give the longest time to a trip that was due."""
    rows = list(rows)
    due = [r["after"] for r in rows if r["promised"] is not None and r["after"] is not None]
    told: dict[str, Any] = {
        "runs": len(rows), "wrong": dict(Counter(w for r in rows for w in r["wrong"])),
        "ended": dict(Counter(r["reason"] for r in rows)),
        "by": dict(Counter(r["guard"] for r in rows if r["guard"])),
    }  # fmt: skip
    if due:
        told |= {"due": len(due), "latest trip": max(due), "typical trip": float(np.median(due))}
    return told


def report(rows: list[Outcome]) -> str:
    """Say in one line of JSON what was found, and below it each run that was wrong."""
    lines = [json.dumps(summarise(rows))]
    return "\n".join([*lines, *(json.dumps(r) for r in rows if r["wrong"])])
