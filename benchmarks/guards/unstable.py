"""Plans by chance whose rig is slower than its model, so that the loop slowly grows.

    growth rate of the loop with the delay d more:  Re s_1(d) = σ,   0.05 <= σ <= 5 1/s         (1)

The plan is healthy and levels are suggested from it; the rig that is then run has the delay d of
(1) more, found from the loop itself. Linear: one mass or a building on springs. Nonlinear: a
specimen that yields, an actuator with a limited velocity or with a gap; σ is that of small motions.
Chatter: a light mass at the interface whose mode of 100 to 400 Hz is the one that grows. Without
guards every one of them goes beyond its displacement or velocity limit, else it is drawn again.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from math import log, pi
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.guards.healthy import (
    MASS,
    STEADY,
    draw_compensator,
    draw_excitation,
    draw_structure,
    is_in_order,
    judge_health,
    safe_table,
)
from rths.config.plan import from_table
from rths.run.virtual import simulate
from rths.stability.loop_change import ChangedLoop

SORTS = ("linear", "nonlinear", "chatter")
SLOWEST, FASTEST = 0.05, 5.0
LONGEST_DELAY = 0.08
"""s, of d: what needs more is no slow growth but another test."""
LONGEST_TEST = 90.0
"""s: from a tenth of the limit to it at the slowest growth takes 46 s."""


@dataclass(frozen=True)
class Unstable:
    """A plan, the rig that it meets, and how fast that grows."""

    sort: str
    growth: float
    plan: dict[str, Any]
    rig: dict[str, Any]


def draw_low(random: np.random.Generator, nonlinear: bool) -> dict[str, Any]:
    """Draw a plan that loses one of its low modes when the actuator is later."""
    frequency = float(np.exp(random.uniform(log(0.7), log(5.0))))
    stiffness = float(random.uniform(0.15, 0.5)) * MASS * (2 * pi * frequency) ** 2
    delay = float(random.uniform(0.003, 0.015))
    compensator: dict[str, Any] = {"kind": "lms"}
    while compensator["kind"] not in STEADY:
        compensator = draw_compensator(random, delay)
    specimen: dict[str, Any] = {"kind": "spring", "stiffness": stiffness}
    transfer: dict[str, Any] = {"kind": "dead_time", "delay": delay}
    if not nonlinear and random.random() < 0.5:
        transfer = {"kind": "second_order", "frequency": 40.0, "damping": 0.8, "delay": 0.5 * delay}
    if nonlinear:
        kind = str(random.choice(["yields", "limited", "gap"]))
        if kind == "yields":
            specimen = {"kind": "bouc_wen", "stiffness": stiffness, "yield_displacement": 0.3}
        elif kind == "limited":
            transfer = {"kind": "limited", "velocity": 2.0, "actuator": transfer}
        else:
            transfer = {"kind": "backlash", "gap": 5e-5, "actuator": transfer}
    return {
        "clock": {"tick": 1 / 1024, "duration": 15.0},
        "excitation": draw_excitation(random, frequency),
        "structure": draw_structure(random, frequency, stiffness),
        "compensator": compensator, "transfer": transfer, "specimen": specimen,
    }  # fmt: skip


def draw_chatter(random: np.random.Generator) -> dict[str, Any]:
    """Draw a plan with a light mass between structure and specimen, and a fast actuator."""
    frequency, high = float(random.uniform(0.7, 4.0)), float(random.uniform(100.0, 400.0))
    light = float(random.uniform(0.002, 0.01)) * MASS
    whole = light * (2 * pi * high) ** 2
    stiffness = float(random.uniform(0.05, 0.2)) * whole
    link, k = whole - stiffness, MASS * (2 * pi * frequency) ** 2
    c_low, c_high = 0.1 * MASS * 2 * pi * frequency, 0.06 * light * 2 * pi * high
    structure = {
        "kind": "linear", "interface": [1], "mass": [[MASS, 0.0], [0.0, light]],
        "stiffness": [[k + link, -link], [-link, link]],
        "damping": [[c_low + c_high, -c_high], [-c_high, c_high]],
    }  # fmt: skip
    return {
        "clock": {"tick": 1 / 4096, "duration": 15.0},
        "excitation": draw_excitation(random, frequency),
        "structure": structure, "compensator": {"kind": "none"},
        "transfer": {"kind": "dead_time", "delay": 0.0},
        "specimen": {"kind": "spring", "stiffness": stiffness},
    }  # fmt: skip


def find_delay(table: dict[str, Any], growth: float) -> float | None:
    """Solve (1) for the smallest delay by steps and then by halving; None if there is none."""
    test = from_table(table, Path())
    loop = ChangedLoop(test, LONGEST_DELAY)
    low, step = 0.0, 2 * test.tick
    while loop.roots_with_delay(low + step).growth_rate < growth:
        low += step
        step = min(1.4 * step, 0.1 * LONGEST_DELAY)
        if low + step > LONGEST_DELAY:
            return None
    high = low + step
    for _ in range(12):
        middle = 0.5 * (low + high)
        if loop.roots_with_delay(middle).growth_rate < growth:
            low = middle
        else:
            high = middle
    return high


def slow_rig(table: dict[str, Any], delay: float, growth: float) -> dict[str, Any]:
    """Give the same plan with the delay more, long enough to be lost."""
    rig = deepcopy(table)
    transfer = rig["transfer"].get("actuator", rig["transfer"])
    transfer["delay"] = transfer["delay"] + delay
    rig["clock"]["duration"] = min(15.0 + log(30.0) / growth, LONGEST_TEST)
    return rig


def is_lost(rig: dict[str, Any]) -> bool:
    """Tell whether a rig without guards leaves its limits."""
    return simulate(from_table(rig, Path()), "table").stop.reason == "trip"


def unstable_plans(seed: int, count: int, sort: str) -> Iterator[Unstable]:
    """Draw plans of a sort until so many are healthy and are lost on their rig."""
    random, found = np.random.default_rng([seed, SORTS.index(sort)]), 0
    while found < count:
        growth = float(np.exp(random.uniform(log(SLOWEST), log(FASTEST))))
        drawn = draw_chatter(random) if sort == "chatter" else draw_low(random, sort == "nonlinear")
        force = 2e-5 * drawn["specimen"]["stiffness"] * 0.1
        table = {
            "name": sort, "seed": int(random.integers(1 << 30)), **drawn,
            "integrator": {"kind": "central_difference"},
            "feedback": {"kind": "noise", "force": force, "displacement": 2e-6},
        }  # fmt: skip
        room = float(random.uniform(3.0, 6.0))
        fine, peak, speed = judge_health(from_table(table, Path()))
        if not fine:
            continue
        table = _fit_nonlinearity(table, peak, speed, random)
        fine, peak, speed = judge_health(from_table(table, Path()))
        delay = find_delay(table, growth) if fine else None
        if delay is None:
            continue
        plan = safe_table(table, peak, speed, room)
        rig = slow_rig(plan, delay, growth)
        if is_in_order(plan) and is_lost(rig):
            found += 1
            yield Unstable(sort, growth, plan, rig)


def _fit_nonlinearity(
    table: dict[str, Any], peak: float, speed: float, random: np.random.Generator
) -> dict[str, Any]:
    """Bring yield, velocity and gap to the size of the motion."""
    made, size = deepcopy(table), float(random.uniform(0.7, 3.0))
    if made["specimen"]["kind"] == "bouc_wen":
        made["specimen"]["yield_displacement"] = size * peak
    elif made["transfer"]["kind"] == "limited":
        made["transfer"]["velocity"] = (0.5 + size) * speed
    elif made["transfer"]["kind"] == "backlash":
        made["transfer"]["gap"] = 0.01 * size * peak
    return made
