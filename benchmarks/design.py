"""Designs measured: on rigs that nobody has chosen and on the single-actuator benchmark.

    ratio = error of the chosen plan / that of the best of a long search, the same rehearsals    (1)
    lost = runs of 1,000 plants, drawn anew, that do not come to their end                      (2)

Rigs are those of the generator (`rigs/`), from seeds of their own. The long search has ten times
the rehearsals, all scenarios from its first round on, and no deadline: it may go on beside other
work, a design may not. Each is a line of a file, so that a measurement can be taken in portions.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.rigs.rig import draw_rig
from benchmarks.rigs.settings import tell
from rths.assembly.hybrid_test import HybridTest
from rths.design.design import Design, run_design
from rths.design.played_excitation import PlayedExcitation, sample_excitation
from rths.design.scenario import Changes
from rths.design.search import QUICK, Round
from rths.design.workbench import Commission, Workbench
from rths.integrator.exact import Exact
from rths.loop.block import Vector
from rths.loop.solo import respond
from rths.problems.silva2020.candidates import candidate
from rths.problems.silva2020.frame import numerical_part, whole_equation
from rths.problems.silva2020.problem import (
    BUILT_IN,
    TICK,
    draw_plants,
    hybrid_test,
    motion,
)

FIRST = 3_000_000
"""First seed: neither that of settings nor of those who judge the compensators."""
LONG = replace(
    QUICK,
    ticks=10 * QUICK.ticks,
    seconds=inf,
    whole=inf,
    rounds=(
        Round(None, 0.3, None),
        Round(12, 0.3, None, choices=True),
        Round(5, 0.4, None, choices=True),
    ),
    finalists=10,
)
PERTURBED = 1000
SEED = 777_000
"""Of the plants of (2)."""
WORKERS = 2
"""Cores that a design may take."""
CASE, STROKE = 1, 0.02
"""Case of the benchmark, and command at which a run is ended, m."""


def rig_bench(seed: int, asked: Commission | None = None) -> Workbench:
    """Give the workbench of the rig of a seed; its compensator is the recommended one."""
    rig = draw_rig(seed)
    test = replace(rig.fit(tell("bounded_inverse", rig)), name=f"rig {seed}")
    return Workbench(test, asked or Commission())


def emulate_frame(test: HybridTest) -> Vector:
    """Give the first floor of the whole frame of the benchmark, exact for straight lines."""
    own = test.excitation
    middle = own.samples if isinstance(own, PlayedExcitation) else sample_excitation(test)
    assert middle is not None
    ticks = test.clock.ticks
    a = np.zeros(ticks + 1)
    n = min(len(middle), ticks)
    a[:n] = middle[:n]  # in the middle of each step; at its ends the mean of two
    ends = np.append(a[0] / 2, 0.5 * (a[:-1] + a[1:]))[:ticks]
    block = Exact().block(whole_equation(CASE), TICK, outputs=15)
    rows = respond(block, np.column_stack([np.zeros(ticks), ends]))
    return np.ascontiguousarray(rows[:, 3:4])


def benchmark_bench(asked: Commission | None = None) -> Workbench:
    """Give the workbench of the single-actuator benchmark with its own perturbed plants."""
    shaken = motion(BUILT_IN, None)
    test = hybrid_test(CASE, shaken, candidate("bounded_inverse").compensator)
    test = replace(test, limits={"compensator.command": STROKE})
    plants = [
        {"transfer": p, "structure": numerical_part(CASE, p.stiffness)}
        for p in draw_plants(3 * PERTURBED, 1, "difference")
    ]
    return Workbench(test, asked or Commission(), emulated=emulate_frame, plants=plants)


def count_lost(bench: Workbench, found: Design, count: int = PERTURBED) -> int:
    """Run (2) with the chosen plan."""
    assert found.chosen is not None
    start = replace(bench.sets.base, compensator=found.chosen.tuned.candidate.compensator)

    def loses(k: int, values: Changes) -> bool:
        return bench.sets.loses_plant(start, {**values, "seed": SEED + k})

    with ThreadPoolExecutor(WORKERS) as crew:
        return sum(crew.map(loses, *zip(*enumerate(bench.plants(count, SEED)), strict=True)))


def judge_quick(bench: Workbench, count: int = PERTURBED) -> dict[str, Any]:
    """Design one plan; give the time, the error, and (2)."""
    begun, worked = time.perf_counter(), time.process_time()
    found = run_design(bench, WORKERS)
    took, work = time.perf_counter() - begun, time.process_time() - worked
    return {
        "name": bench.test.name,
        "delay": bench.rig.delay,
        "seconds": took,
        "cpu": work,
        "load": os.getloadavg()[0],
        "cut": found.cut,
        "runs": found.runs,
        "kind": found.chosen.tuned.candidate.kind if found.chosen else None,
        "error": found.chosen.error if found.chosen else None,
        "verdict": found.chosen.verdict if found.chosen else None,
        "remedies": [r.words for r in found.remedies],
        "lost": count_lost(bench, found, count) if found.chosen else None,
    }


def search_long(bench: Workbench) -> dict[str, Any]:
    """Give the best that a long search finds, under the same requirements."""
    effort = replace(LONG, plants=bench.commission.effort.plants)
    own: dict[str, Any] = {"emulated": bench.emulated, "plants": bench.given_plants}
    more = Workbench(bench.test, replace(bench.commission, effort=effort), **own)
    best = run_design(more, WORKERS, remedies=False)
    return {
        "name": bench.test.name,
        "long_error": best.chosen.error if best.chosen else None,
        "long_kind": best.chosen.tuned.candidate.kind if best.chosen else None,
        "long_seconds": best.seconds,
    }


def run_portion(
    seeds: Iterable[int],
    file: Path,
    *,
    quick: bool = True,
    long: bool = True,
    deadline: bool = True,
) -> None:
    """Design the rigs of these seeds, and append what was found; seed -1 is the benchmark."""
    effort = QUICK if deadline else replace(QUICK, seconds=inf, whole=inf)
    for seed in seeds:
        asked = Commission(effort=effort)
        bench = benchmark_bench(asked) if seed < 0 else rig_bench(FIRST + seed, asked)
        for row in ([judge_quick(bench)] if quick else []) + ([search_long(bench)] if long else []):
            with file.open("a", encoding="utf-8") as out:
                out.write(json.dumps(row) + "\n")


def read_rows(file: Path) -> list[dict[str, Any]]:
    """Give a row for each plan that was designed: what is known of it stands in several lines."""
    rows: dict[str, dict[str, Any]] = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        part = json.loads(line)
        rows.setdefault(part["name"], {}).update(part)
    return [row for row in rows.values() if "kind" in row]


def tell_rows(file: Path) -> list[str]:
    """Tell what was measured, a line a rig, and the bars."""
    rows, lines = read_rows(file), []
    for r in rows:
        ratio = _ratio(r)
        shown = f"{ratio:.3f}" if ratio else "not measured"
        error = f"{100 * r['error']:.3g} %" if r["error"] is not None else "nothing safe"
        lines.append(
            f"{r['name']}: {1e3 * r['delay']:.3g} ms, {r['kind']}, {error}, {r['verdict']}, "
            f"{r['seconds']:.3g} s ({r['cpu']:.3g} s of work), lost {r['lost']}, "
            f"error / long search {shown}"
        )
    ratios = [v for r in rows if (v := _ratio(r))]
    lines.append(
        f"{len(rows)} designs, {sum(r['kind'] is not None for r in rows)} chosen; longest "
        f"{max(r['seconds'] for r in rows):.3g} s (bar 60), {max(r['cpu'] for r in rows):.3g} s of "
        f"work on two cores; lost in all "
        f"{sum(r['lost'] or 0 for r in rows)} (bar 0); largest error / long search "
        f"{max(ratios, default=float('nan')):.3f} (bar 1.1) of {len(ratios)}"
    )
    return lines


def _ratio(row: dict[str, Any]) -> float | None:
    """Give (1), None if it was not measured, or if there is nothing safe to be found."""
    if row.get("long_error") is None:
        return None
    return inf if row["error"] is None else float(row["error"] / row["long_error"])
