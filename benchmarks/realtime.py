"""The paced loop beside cyclictest: same priority, same interval, same duration, in turns.

Both sleep on the same clock until an absolute time and report how late they woke. The loop runs in
a process of its own with a whole hybrid test in it; cyclictest does nothing but wake.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from benchmarks.engine import row
from rths.config.plan import load
from rths.realtime.machine import PRIORITY
from rths.realtime.supervisor import Pace, run_realtime
from rths.studies.wallace2005.three_ways import PLAN

RATES = (1024, 4096)
"""Rates of usual and of fast controllers, Hz."""
QUANTILES = (99.0, 99.9)
BARS = {99.0: 1.2, 99.9: 1.5}
"""Latency over that of cyclictest, at most, by percentile."""


def measure(pairs: int, seconds: float) -> dict[str, Any]:
    """Take ``pairs`` pairs of runs at each rate; give the median ratio of their percentiles."""
    rows: dict[str, Any] = {}
    peer = shutil.which("cyclictest")
    for rate in RATES:
        found: dict[str, list[np.ndarray[Any, Any]]] = {"loop": [], "peer": []}
        for _ in range(pairs):
            found["loop"].append(_loop(rate, seconds))
            if peer is not None:
                found["peer"].append(_cyclictest(peer, rate, seconds))
        for q in QUANTILES:
            ours = [float(np.percentile(v, q)) for v in found["loop"]]
            rows[f"p{q:g} latency at {rate} Hz, us"] = {
                "value": median(ours),
                "bar": "",
                "ok": True,
            }
            label = f"p{q:g} latency at {rate} Hz / cyclictest"
            if peer is None:
                rows[label] = {"skipped": "cyclictest is not installed (package rt-tests)"}
                continue
            theirs = [float(np.percentile(v, q)) for v in found["peer"]]
            ratios = [a / b for a, b in zip(ours, theirs, strict=True)]
            rows[label] = row(median(ratios), BARS[q])
    machine = {"cores": os.cpu_count(), "priority": PRIORITY, "python": sys.version.split()[0]}
    load_ = os.getloadavg()[0]
    return {"bench": "realtime", "machine": machine, "load": load_, "rows": rows}


def _loop(rate: int, seconds: float) -> np.ndarray[Any, Any]:
    """Run a hybrid test on the clock; give the latencies in microseconds."""
    from rths.realtime.journal import read_journal

    test = load(PLAN, {"clock.tick": 1 / rate, "clock.duration": seconds})
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "run"
        run_realtime(test, folder, Pace())
        return np.asarray(read_journal(folder / "journal")[1][:, 1] / 1e3)


def _cyclictest(command: str, rate: int, seconds: float) -> np.ndarray[Any, Any]:
    """Run cyclictest once; give the latencies in microseconds."""
    interval, loops = round(1e6 / rate), round(seconds * rate)
    with tempfile.TemporaryDirectory() as name:
        out = Path(name) / "histogram"
        flags = ["-m", "-q", "-t1", f"-p{PRIORITY}", f"-i{interval}", f"-l{loops}", "-h20000"]
        subprocess.run([command, *flags, f"--histfile={out}"], check=True, capture_output=True)
        pairs = re.findall(r"^(\d+)\s+(\d+)", out.read_text(), re.M)
    counts = np.array(pairs, dtype=int)
    return np.repeat(counts[:, 0] + 0.5, counts[:, 1])  # whole microseconds, rounded down
