"""Run plans by chance with the guards that are suggested for them; one line of JSON for each run.

    python -m benchmarks.guards.campaign healthy --seed 1 --count 50 --out runs.jsonl
    python -m benchmarks.guards.campaign linear  --seed 1 --count 20 --out runs.jsonl
    python -m benchmarks.guards.campaign summary --out runs.jsonl                              (1)

Seeds below 1000 are for development; those from 1000 on judge and are not looked at before.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.guards.healthy import healthy_plans, is_in_order, judge_health
from benchmarks.guards.unstable import SORTS, Unstable, unstable_plans
from rths.assembly.hybrid_test import HybridTest
from rths.config.plan import from_table
from rths.errors import InputError
from rths.run.guard_suggestion import suggest_guards
from rths.run.virtual import simulate

TIMING, STIFFNESS = 0.07, 0.05
"""Shares by which a rig in good order may differ from its model in delay and stiffness."""
RECORD = ("safety.command", "compensator.command", "transfer.displacement")


def guarded(plan: HybridTest, rig: HybridTest) -> HybridTest:
    """Give a rig the guards that are suggested for its plan."""
    guards = tuple(s.guard for s in suggest_guards(plan))
    return replace(rig, guards=guards, record=RECORD)


def differ(table: dict[str, Any], random: np.random.Generator) -> dict[str, Any]:
    """Change delay, stiffness and seed of a plan a little, as a rig differs from its model."""
    rig = deepcopy(table)
    timing, stiffer = random.uniform(-TIMING, TIMING), random.uniform(-STIFFNESS, STIFFNESS)
    for field in ("delay", "time_constant"):
        if field in rig["transfer"]:
            rig["transfer"][field] *= 1 + timing
    inner = rig["specimen"].get("specimen", rig["specimen"])
    inner["stiffness"] *= 1 + stiffer
    rig["seed"] = int(random.integers(1 << 30))
    return rig


def run_healthy(table: dict[str, Any], random: np.random.Generator) -> dict[str, Any] | None:
    """Run a healthy plan on a rig that is healthy too; None if that rig is not."""
    rig = differ(table, random)
    bare = {k: v for k, v in rig.items() if k not in ("limits", "safety")}
    if not (judge_health(from_table(bare, Path()))[0] and is_in_order(rig)):
        return None
    try:
        test = guarded(from_table(table, Path()), from_table(rig, Path()))
    except InputError:  # with other random numbers it does not end as planned
        return None
    stop = simulate(test, "table").stop
    about = {role: table[role]["kind"] for role in ("excitation", "compensator", "transfer")}
    return {
        "sort": "healthy", "tripped": not stop.completed, "guard": stop.guard, "value": stop.value,
        "limit": stop.limit, "guards": len(test.guards), "specimen": table["specimen"]["kind"],
        **about,
    }  # fmt: skip


def run_unstable(case: Unstable) -> dict[str, Any]:
    """Run an unstable rig: how far it went until a guard tripped, in shares of its limits."""
    rig = from_table(case.rig, Path())
    test = guarded(from_table(case.plan, Path()), rig)
    record = simulate(test, "table")
    stop, end = record.stop, record.stop.tripped
    assert test.safety is not None
    assert test.safety.velocity is not None
    limit = float(case.rig["limits"]["compensator"]["command"])
    sent, moved = record["safety.command"][:end], record["transfer.displacement"][:end]
    far = max(float(abs(sent).max()), float(abs(moved).max())) / limit
    fast = float(abs(np.diff(sent, axis=0)).max() / test.tick / test.safety.velocity)
    return {
        "sort": case.sort, "growth": case.growth, "tripped": stop.reason == "trip",
        "guard": stop.guard, "time": (end or 0) * test.tick, "of_limit": far, "of_velocity": fast,
        "compensator": case.plan["compensator"]["kind"], "transfer": case.plan["transfer"]["kind"],
        "specimen": case.plan["specimen"]["kind"], "excitation": case.plan["excitation"]["kind"],
    }  # fmt: skip


def run_portion(sort: str, seed: int, count: int) -> Iterator[dict[str, Any]]:
    """Run so many plans of a sort."""
    if sort == "healthy":
        random = np.random.default_rng([seed, 99])
        for table in healthy_plans(seed, count):
            row = run_healthy(table, random)
            if row is not None:
                yield {"seed": seed, **row}
    else:
        for case in unstable_plans(seed, count, sort):
            yield {"seed": seed, **run_unstable(case)}


def in_time(row: dict[str, Any]) -> bool:
    """Tell whether an unstable run was left before half of its displacement limit."""
    return bool(row["tripped"] and row["of_limit"] < 0.5 and row["of_velocity"] < 1.0)


def summarise(rows: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Count false trips of healthy runs, and unstable runs that were left in time."""
    rows = list(rows)
    healthy = [r for r in rows if r["sort"] == "healthy"]
    told: dict[str, Any] = {
        "healthy": len(healthy), "false trips": sum(r["tripped"] for r in healthy),
        "by": dict(Counter(r["guard"] for r in healthy if r["tripped"])),
    }  # fmt: skip
    for sort in SORTS:
        mine = [r for r in rows if r["sort"] == sort]
        if mine:
            told[sort] = {
                "runs": len(mine), "in time": sum(map(in_time, mine)),
                "furthest": max(r["of_limit"] for r in mine),
                "by": dict(Counter(r["guard"] for r in mine)),
            }  # fmt: skip
    return told


def main() -> None:
    """Run a portion, or sum all up."""
    parser = argparse.ArgumentParser(description="Campaign of suggested guards")
    parser.add_argument("sort", choices=["healthy", *SORTS, "summary"])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    if given.sort == "summary":
        lines = given.out.read_text("utf-8").splitlines()
        print(json.dumps(summarise(map(json.loads, lines)), indent=1))
        return
    with given.out.open("a", encoding="utf-8") as out:
        for row in run_portion(given.sort, given.seed, given.count):
            out.write(json.dumps(row) + "\n")
            out.flush()


if __name__ == "__main__":
    main()
