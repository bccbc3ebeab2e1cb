"""``rths bench frames-live``: frames on the clock, and what a tick of them takes of its period.

    share = 99.9 % of the busy times of a tick, over the period                                 (1)

Busy is the time that the loop itself measures from its waking to the end of a tick. A slip is the
step's own if a tick was busy for longer than its period; all others are the machine's. The frame
of Chen and Ricles has its two actuators and dampers, and a step of one tick; the other has nine
storeys, five bays and force-based fibre members everywhere.
"""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.frames import build_test, tall_frame
from rths.assembly.hybrid_test import HybridTest
from rths.realtime.journal import read_journal
from rths.realtime.supervisor import Pace, run_realtime
from rths.records.timing import ROW_HEADER
from rths.studies.chen2010.virtual_set import TESTS, plan, whole_frame

MOST = 0.6
"""Largest share (1)."""
BUSY = ROW_HEADER.index("busy")


def frame_tests(seconds: float) -> dict[str, HybridTest]:
    """Give the tests by their names."""
    tests = {}
    for rate in (1024, 4096):
        chen = plan(*TESTS[4], structure=whole_frame())
        name = f"Chen and Ricles, 122 degrees of freedom, {rate} Hz"
        tests[name] = replace(chen, tick=1 / rate, step=1 / rate, duration=seconds)
    nine = build_test(tall_frame(9, 5), "8.x")
    name = "nine storeys, five bays, 162 degrees of freedom, 1024 Hz"
    tests[name] = replace(nine, tick=1 / 1024, duration=seconds)
    return tests


def measure(seconds: float) -> dict[str, Any]:
    """Run each on the clock; give the share (1) and the slips of the step."""
    rows: dict[str, Any] = {}
    lines = []
    for name, test in frame_tests(seconds).items():
        busy = run_once(test)
        share = float(np.percentile(busy, 99.9)) / test.tick
        own = int((busy > test.tick).sum())
        middle, high, worst = 1e6 * np.percentile(busy, [50.0, 99.9, 100.0])
        told = f"busy {middle:.0f} µs in the middle, {high:.0f} at 99.9 %, {worst:.0f} at most"
        lines.append(f"{name}: {told}\n")
        rows[f"{name}, share"] = {"value": share, "bar": f"<= {MOST}", "ok": share <= MOST}
        rows[f"{name}, slips"] = {"value": own, "bar": "0", "ok": own == 0}
    lines.append(f"load of the machine {json.dumps(os.getloadavg())}\n")
    return {"table": "".join(lines), "rows": rows}


def run_once(test: HybridTest) -> np.ndarray[Any, Any]:
    """Run a test on the clock; give the busy times of its ticks, s."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "run"
        run_realtime(test, folder, Pace())
        return np.asarray(1e-9 * read_journal(folder / "journal")[1][:, BUSY])
