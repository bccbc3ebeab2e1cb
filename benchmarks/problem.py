"""The speed of the benchmark: one run beside the clock, and many runs over two cores beside one."""

from __future__ import annotations

import os
from functools import partial
from statistics import median
from typing import Any

from benchmarks.engine import priority, row
from benchmarks.interleaved import run_in_turns
from rths.problems.silva2020.candidates import DEFAULT_CANDIDATE, candidate
from rths.problems.silva2020.plant import Plant
from rths.problems.silva2020.problem import BUILT_IN, TICK, draw_plants, folder_of, motion
from rths.problems.silva2020.runs import Job, score_jobs

PLANTS = 100
"""Perturbed plants of a case."""


def measure(rounds: int) -> dict[str, Any]:
    """Time one case, scoring included, and four cases on a hundred plants each."""
    folder = folder_of(None)
    shaken = motion("el_centro" if folder else BUILT_IN, folder)
    chosen = candidate(DEFAULT_CANDIDATE)
    one = [Job(chosen, 1, shaken, Plant())]
    plants = draw_plants(PLANTS, 1, "difference")
    many = [Job(chosen, case, shaken, plant) for case in (1, 2, 3, 4) for plant in plants]
    single = {"one": partial(score_jobs, one, workers=1, engine="fused")}
    work = {str(w): partial(score_jobs, many, workers=w, engine="fused") for w in (1, 2)}
    with priority():
        alone = min(run_in_turns(single, max(5, rounds))["one"])
        seconds = run_in_turns(work, max(1, rounds // 10))
    gains = [a / b for a, b in zip(seconds["1"], seconds["2"], strict=True)]
    each = min(seconds["1"]) / len(many)
    rows = {
        "one case by itself, times real time": row(shaken.ticks * TICK / alone, 300, False),
        "one case among many, times real time": row(shaken.ticks * TICK / each, 300, False),
        f"{len(many)} runs, one thread / two": row(median(gains), 1.8, at_most=False),
    }
    machine = {"cores": os.cpu_count()}
    load = os.getloadavg()[0]
    return {"bench": "benchmark", "ticks": shaken.ticks, "machine": machine, "load": load,
            "rows": rows}  # fmt: skip
