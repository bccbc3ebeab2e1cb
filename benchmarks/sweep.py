"""A sweep measured: its rate beside the bare engine's, over cores and a cluster; its memory.

    share = bare time of a run / time of a run in a sweep, both on one core                    (1)
    gain = time on one core / time on two                                                      (2)
    overhead = (time of m batches of nothing on a cluster) / m                                 (3)

The bare engine restores an arena and runs the fused loop over the same columns, nothing else. (1)
and (2) are taken in turns. (3) is what a batch costs the scheduler and the wires.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import wait
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

from benchmarks.engine import row
from benchmarks.interleaved import run_in_turns
from rths.config.plan import load
from rths.loop.cycle import Cycle
from rths.sweep.results import Results
from rths.sweep.study import Study, read_study
from rths.sweep.sweep import sweep

TUTORIAL = Path(__file__).parents[1] / "docs" / "tutorial.md"
RUNS = 4000
"""Runs of a round: one or two seconds."""
BATCHES = 500
"""Batches of nothing in (3)."""


def tutorial_study(runs: int = RUNS) -> Study:
    """The tutorial's plan with a delay and a stiffness that vary."""
    text = TUTORIAL.read_text(encoding="utf-8")
    found = re.search(r"```toml\n# first.toml\n(.*?)```", text, re.DOTALL)
    assert found is not None
    tables: dict[str, Any] = {
        "design": "latin_hypercube",
        "runs": runs,
        "variable": [{"field": "transfer.delay", "low": 0.004, "high": 0.012}],
        "outcomes": {"peaks": ["compensator.command", "feedback.force"]},
    }
    return read_study(tables, load(found[1]))


def bare_engine(study: Study) -> Callable[[], object]:
    """Bind the fused loop to run as often as the study, with nothing around it."""
    test = study.wanted.trim(study.test)
    cycle = Cycle(test.layout, test.tick, "fused")
    rows = np.empty((test.clock.ticks, len(test.layout.record_slots)))
    first = cycle.snapshot()

    def go() -> None:
        for _ in range(study.runs):
            cycle.restore(first)
            cycle.advance(len(rows), rows)

    return go


def measure(
    rounds: int, runs: int = RUNS, cluster: bool = True, results: int = 1_000_000
) -> dict[str, Any]:
    """Take all measurements."""
    study = tutorial_study(runs)
    rows: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)

        def on(workers: int, place: Path) -> Callable[[], object]:
            def go() -> object:
                shutil.rmtree(place, ignore_errors=True)
                return sweep(study, place, workers=workers)

            return go

        work = {"bare": bare_engine(study), "1": on(1, folder / "1"), "2": on(2, folder / "2")}
        seconds = run_in_turns(work, rounds)
        shares = [b / s for b, s in zip(seconds["bare"], seconds["1"], strict=True)]
        gains = [a / b for a, b in zip(seconds["1"], seconds["2"], strict=True)]
        rows["rate of a sweep / bare engine, one core"] = row(median(shares), 0.85, at_most=False)
        rows["two threads / one thread"] = row(median(gains), 1.85, at_most=False)
        rows["runs a second, two threads"] = {
            "value": runs / min(seconds["2"]), "bar": "", "ok": True
        }  # fmt: skip
        if cluster:
            _cluster(rows, study, folder, rounds)
        rows["memory at 1e6 results, MB"] = row(memory_of(folder / "many", results), 300)
    machine = {"cores": os.cpu_count()}
    return {"bench": "sweep", "machine": machine, "load": os.getloadavg()[0], "rows": rows}


def _cluster(rows: dict[str, Any], study: Study, folder: Path, rounds: int) -> None:
    """Time a local cluster of two workers beside two threads, and batches of nothing (3)."""
    import distributed

    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, worker_dashboard_address=None
    ) as started:
        address = started.scheduler_address

        def go(place: str, **where: Any) -> Callable[[], object]:
            def act() -> object:
                shutil.rmtree(folder / place, ignore_errors=True)
                return sweep(study, folder / place, **where)

            return act

        work = {"threads": go("a", workers=2), "cluster": go("b", cluster=address)}
        seconds = run_in_turns(work, rounds)
        ratios = [a / b for a, b in zip(*seconds.values(), strict=True)]
        rows["rate of a cluster / threads"] = row(median(ratios), 0.9, at_most=False)
        same = Results(folder / "a").digest() == Results(folder / "b").digest()
        rows["cluster and threads alike"] = row(float(same), 1.0, at_most=False)
        with distributed.Client(address, set_as_default=False) as client:
            executor = client.get_executor(pure=False)
            wait([executor.submit(_nothing, k) for k in range(BATCHES)])
            begun = perf_counter()
            wait([executor.submit(_nothing, k) for k in range(BATCHES)])
            each = (perf_counter() - begun) / BATCHES
    rows["scheduler, ms a batch"] = {"value": 1e3 * each, "bar": "", "ok": True}


def _nothing(number: int) -> int:
    return number


FILL = """
import resource, sys
from pathlib import Path
import numpy as np
from rths.sweep.batch import Batch
from rths.sweep.data_set import DataSet
from rths.sweep.results import Results
from rths.sweep.statistics import summarise, thin
rows, size = int(sys.argv[2]), 1000
data = DataSet(Path(sys.argv[1]))
rng = np.random.default_rng(0)
with data.hold():
    data.open("key", {"runs": rows, "variables": ["a", "b"], "outcomes": ["peak.x", "peak.y"]})
    for n in range(rows // size):
        c = {"run": np.arange(n * size, (n + 1) * size), "a": rng.random(size),
             "b": rng.random(size), "end": ["completed"] * size, "time": np.full(size, 20.0),
             "peak.x": rng.random(size), "peak.y": rng.random(size)}
        data.add(Batch(n, c))
summarise(Results(Path(sys.argv[1])))
thin(Results(Path(sys.argv[1])))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""


def memory_of(folder: Path, results: int) -> float:
    """Give the most memory, MB, of a process that keeps so many results and sums them up."""
    told = subprocess.run(
        [sys.executable, "-c", FILL, str(folder), str(results)],
        capture_output=True,
        check=True,
        text=True,
    )
    return float(told.stdout)
