"""What each compensator costs a step: the fused loop with it, less the same loop without.

Both loops run the same plan on the same machine in turns; the difference of their least times is
the compensator's own cost. Methods that want other signals than the target bring their cost along.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import fields
from math import inf
from typing import Any

import numpy as np

from benchmarks.engine import bind_restarting, priority, row
from benchmarks.interleaved import run_in_turns
from rths.assembly.hybrid_test import HybridTest
from rths.registry import find, kinds

TICKS = 20_000
"""Ticks of a round: milliseconds, so that a round fits between two disturbances."""
TICK = 1 / 1024
DELAY = 6 * TICK
"""Tick and delay of the test, s: a usual rate, and an actuator that is 6 ms late."""
BAR = 1000.0
"""Cost allowed, ns: 0.4 % of a tick at 4096 Hz. Those that integrate the structure have none."""


def plain_test(compensator: Any) -> HybridTest:
    """Build a stable test of one channel around a compensator."""
    return HybridTest(
        excitation=find("excitation", "sine")(amplitude=1.0, frequency=1.5),
        structure=find("structure", "linear")(mass=2.2, damping=60.0, stiffness=2250.0),
        integrator=find("integrator", "central_difference")(),
        compensator=compensator,
        transfer=find("transfer", "dead_time")(delay=DELAY),
        specimen=find("specimen", "spring")(stiffness=2250.0),
        feedback=find("feedback", "direct")(),
        tick=TICK,
        duration=(TICKS - 1) * TICK,
        record=("compensator.command", "feedback.force"),
    )


LONGEST = {"points": 20, "taps": 20}
"""Filters are measured at the longest length that the bar speaks of."""


def longest_example(kind: str) -> Any:
    """Make the example of a compensator, with as many points as the bar allows."""
    cls = find("compensator", kind)
    own = {f.name for f in fields(cls)}
    return cls(**{**cls.example, **{n: v for n, v in LONGEST.items() if n in own}})


def plans() -> dict[str, HybridTest]:
    """Build the test around every registered compensator."""
    return {kind: plain_test(longest_example(kind)) for kind in kinds("compensator")}


def cost_rows(seconds: Mapping[str, Sequence[float]]) -> dict[str, Any]:
    """Give what each compensator costs a step, beside the bar; from the times of its loop."""
    base = min(seconds["none"])
    rows = {}
    for kind, times in seconds.items():
        cost = max(min(times) - base, 0.0) / TICKS * 1e9
        bar = inf if find("compensator", kind).integrates_structure else BAR
        rows[f"{kind}, ns per step"] = row(cost, bar)
    return rows


def measure(rounds: int) -> dict[str, Any]:
    """Measure every registered compensator."""
    record = np.empty((TICKS, 2))
    work = {kind: bind_restarting("fused", test.layout, record) for kind, test in plans().items()}
    with priority():
        seconds = run_in_turns(work, rounds)
    machine = {"cores": os.cpu_count()}
    return {"bench": "methods", "machine": machine, "rows": cost_rows(seconds)}
