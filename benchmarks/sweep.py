"""A sweep measured: its rate beside the bare engine's, over cores and a cluster; its memory.

    share = bare time of a run / time of a run in a sweep, both on one core                    (1)
    gain = time on one core / time on two                                                      (2)
    overhead = (time of m batches of nothing on a cluster) / m                                 (3)

The bare engine restores an arena and runs the fused loop over the same columns, nothing else. (1)
and (2) are taken in turns; (1) also by counted work, in which others on the machine take no part.
(3) is what a batch costs the scheduler and the wires. Memory is that of a process that sweeps a
plan of a few ticks, sums its results up and writes their page.
"""

from __future__ import annotations

import json
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
from benchmarks.interleaved import count_in_turns, run_in_turns
from rths.config.plan import load
from rths.loop.cycle import Cycle
from rths.sweep.results import Results
from rths.sweep.study import Study, read_study
from rths.sweep.sweep import sweep

TUTORIAL = Path(__file__).parents[1] / "docs" / "tutorial.md"
PARTS = ("rate", "cluster", "memory")
RUNS = 4000
"""Runs of a round: one or two seconds."""
CLUSTERED = 5
"""Rounds are so many times as long on a cluster: meeting it takes some tenths of a second."""
BATCHES = 500
"""Batches of nothing in (3)."""
RESULTS, SHORT = 1_000_000, 0.02
"""Results of the sweep whose memory is looked at, and the length of its runs, s."""


def tutorial_study(runs: int = RUNS, batch: int | None = None, **changes: Any) -> Study:
    """The tutorial's plan, with a delay that varies."""
    text = TUTORIAL.read_text(encoding="utf-8")
    found = re.search(r"```toml\n# first.toml\n(.*?)```", text, re.DOTALL)
    assert found is not None
    tables: dict[str, Any] = {
        "design": "latin_hypercube",
        "runs": runs,
        "variable": [{"field": "transfer.delay", "low": 0.004, "high": 0.012}],
        "outcomes": {"peaks": ["compensator.command", "feedback.force"]},
    }
    if batch is not None:
        tables["batch"] = batch
    return read_study(tables, load(found[1]).with_values(changes))


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


def sweep_anew(study: Study, place: Path, **where: Any) -> Callable[[], Results]:
    """Bind a sweep that begins with an empty folder; one that is ended ends the bench."""

    def go() -> Results:
        shutil.rmtree(place, ignore_errors=True)
        found = sweep(study, place, **where)
        if not found.about["finished"]:
            raise KeyboardInterrupt
        return found

    return go


def measure(
    rounds: int, part: str = "all", runs: int = RUNS, results: int = RESULTS
) -> dict[str, Any]:
    """Take all measurements, or one part of them."""
    rows: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if part in ("rate", "all"):
            rows |= measure_rate(folder, rounds, runs)
        if part in ("cluster", "all"):
            rows |= measure_cluster(folder, rounds, CLUSTERED * runs)
        if part in ("memory", "all"):
            rows |= measure_memory(folder, results)
    machine = {"cores": os.cpu_count()}
    return {"bench": "sweep", "machine": machine, "load": os.getloadavg()[0], "rows": rows}


def measure_rate(folder: Path, rounds: int, runs: int) -> dict[str, Any]:
    """Take (1) and (2)."""
    study = tutorial_study(runs)
    work = {
        "bare": bare_engine(study),
        "one": sweep_anew(study, folder / "1", workers=1),
        "two": sweep_anew(study, folder / "2", workers=2),
    }
    spent = count_in_turns(work, rounds)
    bare, one, two = (spent[name] for name in ("bare", "one", "two"))
    shares = [b.wall / s.wall for b, s in zip(bare, one, strict=True)]
    counted = [b.cpu / s.cpu for b, s in zip(bare, one, strict=True)]
    more = [b.cpu / s.cpu for b, s in zip(bare, two, strict=True)]
    gains = [a.wall / b.wall for a, b in zip(one, two, strict=True)]
    return {
        "rate of a sweep / bare engine, one core": row(median(shares), 0.85, at_most=False),
        "the same by counted work": row(median(counted), 0.85, at_most=False),
        "the same by counted work, two threads": row(median(more), 0.85, at_most=False),
        "two threads / one thread": row(median(gains), 1.85, at_most=False),
        "runs a second, two threads": say(runs / min(s.wall for s in two)),
        "work of a run in a sweep, us": say(1e6 * min(s.cpu for s in one) / runs),
        "work of a run in the bare engine, us": say(1e6 * min(s.cpu for s in bare) / runs),
    }


def say(value: float) -> dict[str, Any]:
    """Give a measured value that has no bar."""
    return {"value": value, "bar": "", "ok": True}


def measure_cluster(folder: Path, rounds: int, runs: int) -> dict[str, Any]:
    """Time a local cluster of two workers beside two threads, and batches of nothing (3)."""
    import distributed

    study, rows = tutorial_study(runs), {}
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0", worker_dashboard_address=":0"
    ) as started:
        address = started.scheduler_address
        work = {
            "threads": sweep_anew(study, folder / "a", workers=2),
            "cluster": sweep_anew(study, folder / "b", cluster=address),
        }
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
    return {**rows, "scheduler, ms a batch": say(1e3 * each)}


def _nothing(number: int) -> int:
    return number


def measure_memory(folder: Path, results: int) -> dict[str, Any]:
    """Let a process of its own sweep, and look at its memory at a tenth and at the end."""
    told = subprocess.run(
        [sys.executable, "-m", "benchmarks.sweep", str(folder / "many"), str(results)],
        capture_output=True,
        check=True,
        text=True,
    )
    found = json.loads(told.stdout.splitlines()[-1])
    return {
        f"memory at {results:g} results, MB": row(found["most"], 300),
        "memory of the sweep at its end / at a tenth": row(found["end"] / found["tenth"], 1.1),
    }


def watch_memory(folder: Path, results: int) -> dict[str, float]:
    """Sweep runs of a few ticks; give the memory of this process, MB, underway and at most."""
    import resource

    from rths.sweep.page import write_page

    study, done, tenth, end = tutorial_study(results, duration=SHORT), 0, 0.0, 0.0
    page = resource.getpagesize()

    def look(more: int) -> None:
        nonlocal done, tenth, end
        done += more
        end = int(Path("/proc/self/statm").read_text().split()[1]) * page / 2**20
        if not tenth or done <= results // 10:
            tenth = end

    write_page(study, sweep_anew(study, folder, workers=1, progress=look)())
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"tenth": tenth, "end": end, "most": most}


if __name__ == "__main__":
    print(json.dumps(watch_memory(Path(sys.argv[1]), int(sys.argv[2]))))
