"""The engine measured: both compiled loops beside C, ensembles, start-up and memory."""

from __future__ import annotations

import os
import platform
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from benchmarks import c_side, processes
from benchmarks.compositions import composition, noise_file
from benchmarks.interleaved import ratio, run_in_turns
from rths.loop.cycle import Engine, bind
from rths.loop.layout import Layout
from rths.run.ensemble import ensemble
from rths.studies.wallace2005.three_ways import PLAN

TICKS = 20_000
"""Ticks of a round: milliseconds, so that a round fits between two disturbances."""
FUSED_BAR = {"spring": 1.2, "bilinear": 1.3, "frame": 1.5}
"""Time of the fused loop over that of the same loop in C, at most."""


def row(value: float, bar: float, at_most: bool = True) -> dict[str, Any]:
    """Set a measured value beside its bar."""
    sign = "<=" if at_most else ">="
    ok = value <= bar if at_most else value >= bar
    return {"value": float(value), "bar": f"{sign} {bar:g}", "ok": bool(ok)}


def measure(rounds: int) -> dict[str, Any]:
    """Take all measurements of the engine."""
    rows: dict[str, dict[str, Any]] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        motion = noise_file(folder, TICKS)
        steps = _loops(rows, folder, motion, rounds)
        _ensemble(rows, motion)
        with priority():
            found = [processes.steps_of_openseespy(TICKS) for _ in range(3)]
        peer = max((p for p in found if p is not None), default=None)
        label = "steps/s, fused loop / OpenSeesPy transient"
        skipped = {"skipped": "OpenSeesPy is not installed"}
        rows[label] = skipped if peer is None else row(steps / peer, 75, at_most=False)
        run, help_ = processes.start_up(PLAN, folder, max(5, rounds // 6))
        rows["rths run, warm / import numpy, numba"] = row(run, 2.5)
        rows["rths --help / import typer, rich"] = row(help_, 1.5)
        memory = processes.memory_of_long_run(PLAN, folder)
        rows["memory beyond the record, 1e7 steps, MB"] = row(memory, 150)
    machine = {"cores": os.cpu_count(), "python": platform.python_version()}
    return {"bench": "engine", "machine": machine, "load": os.getloadavg()[0], "rows": rows}


def bind_restarting(engine: Engine, layout: Layout, record: Any) -> Callable[[], object]:
    """Bind a loop so that each call runs the whole record from the first state."""
    arena, status = layout.initial.copy(), np.zeros(3, np.int64)
    advance = bind(engine, layout, arena)

    first = [(0, layout.bus), *((a.x, a.x + a.nx) for a in layout.places)]

    def go() -> object:
        for begin, end in first:  # the state alone: parameters do not change
            arena[begin:end] = layout.initial[begin:end]
        return advance(0, len(record), record, status)

    return go


def _loops(rows: dict[str, Any], folder: Path, motion: Path, rounds: int) -> float:
    """Time both loops beside C; give the steps per second of the fused loop."""
    library = c_side.compile_library(folder)
    missing = {"skipped": "no C compiler"}
    steps = 0.0
    for name, bar in FUSED_BAR.items():
        layout = composition(name, motion, TICKS).layout
        records = {k: np.empty((TICKS, 4)) for k in ("table", "fused", "C", "C table")}
        loops: tuple[Engine, ...] = ("table", "fused")
        work: dict[str, Callable[[], object]] = {}
        work |= {k: bind_restarting(k, layout, records[k]) for k in loops}
        if library is not None:
            work["C"] = c_side.bind_specialised(library, name, layout, records["C"])
            if name == "spring":
                work["C table"] = c_side.bind_by_pointer(library, layout, records["C table"])
        with priority():
            seconds = run_in_turns(work, rounds)
        same = records["table"].tobytes() == records["fused"].tobytes()
        assert same, f"{name}: the two loops differ"
        label = f"fused loop / specialised C, {name}"
        rows[label] = row(ratio(seconds, "fused", "C"), bar) if library else missing
        if library is not None:
            scale = np.abs(records["C"]).max(axis=0)
            assert np.all(np.abs(records["fused"] - records["C"]).max(axis=0) < 1e-9 * scale)
        if name == "spring":
            steps = TICKS / min(seconds["fused"])
            label = "table loop / C loop calling C blocks"
            rows[label] = row(ratio(seconds, "table", "C table"), 1.3) if library else missing
        for loop, times in seconds.items():
            rows.setdefault(f"ns per step, {name}, {loop}", {"value": min(times) / TICKS * 1e9})
            rows[f"ns per step, {name}, {loop}"] |= {"bar": "", "ok": True}
    return steps


def _ensemble(rows: dict[str, Any], motion: Path, runs: int = 400, repeats: int = 5) -> None:
    """Time the same ensemble with one and with two threads, in turns."""
    test = composition("spring", motion, 3 * TICKS)
    values = {"transfer.delay": np.linspace(0.002, 0.006, runs).tolist()}
    work = {str(w): partial(ensemble, test, values, workers=w, engine="fused") for w in (1, 2)}
    with priority():
        seconds = run_in_turns(work, repeats)
    gains = [a / b for a, b in zip(seconds["1"], seconds["2"], strict=True)]
    rows["ensemble, one thread / two threads"] = row(median(gains), 1.8, at_most=False)


@contextmanager
def priority() -> Iterator[None]:
    """Ask for real-time priority while measuring, so that a crowded machine shows its own speed."""
    try:
        before = os.sched_getscheduler(0), os.sched_getparam(0)
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))
    except (OSError, AttributeError):
        yield
        return
    try:
        yield
    finally:
        os.sched_setscheduler(0, *before)
