"""What each compensator costs a step: the fused loop with it, less the same loop without.

Both loops run the same plan on the same machine in turns; the difference of their least times is
the compensator's own cost. Methods that want other signals than the target bring their cost along.
"""

from __future__ import annotations

import os
from dataclasses import MISSING, fields
from typing import Any

import numpy as np

from benchmarks.engine import bind_restarting, priority, row
from benchmarks.interleaved import run_in_turns
from rths.assembly.hybrid_test import HybridTest
from rths.errors import InputError
from rths.registry import find, kinds

TICKS = 20_000
TICK = 1 / 1024
DELAY = 6 * TICK
WITHOUT_BAR = ("model_based", "model_broyden", "model_modal")
"""The full model-based predictor integrates the structure several steps ahead each step."""


def plain_test(compensator: Any) -> HybridTest:
    """Build a stable test of one channel around a compensator."""
    return HybridTest(
        excitation=find("excitation", "sine")(amplitude=1.0, frequency=1.5),
        structure=find("structure", "linear")(mass=2.2, damping=60.0, stiffness=2250.0),
        integrator=find("integrator", "central_difference")(),
        compensator=compensator,
        transfer=find("transfer", "dead_time")(delay=DELAY),
        specimen=find("specimen", "spring")(stiffness=200.0),
        feedback=find("feedback", "direct")(),
        tick=TICK,
        duration=(TICKS - 1) * TICK,
        record=("compensator.command", "feedback.force"),
    )


SUITABLE = {
    "delay": DELAY,
    "ahead": DELAY,
    "lead_time": DELAY,
    "lag_time": DELAY / 10,
    "upper_bound": 1.5 * DELAY,
    "alpha": 6.0,
    "proportional": 1e4,
    "stiffness": 1e4,
    "damping": 100.0,
    "modes": 1,
    "interface_stiffness": 200.0,
}
"""Values for fields without a default, by their names."""
LARGEST = {"points": 20, "taps": 20}
"""Filters are measured at the longest length that the bar speaks of."""


def example(kind: str) -> Any:
    """Make a compensator that suits the test, with as many points as the bar allows."""
    cls = find("compensator", kind)
    own = {f.name: f for f in fields(cls)}
    required = [n for n, f in own.items() if f.default is MISSING and f.default_factory is MISSING]
    values = {n: SUITABLE[n] for n in required} | {n: v for n, v in LARGEST.items() if n in own}
    return cls(**values)


def measure(rounds: int) -> dict[str, Any]:
    """Measure every registered compensator."""
    record = np.empty((TICKS, 2))
    work = {}
    left_out = {}
    for kind in kinds("compensator"):
        try:
            work[kind] = bind_restarting("fused", plain_test(example(kind)).layout, record)
        except (InputError, KeyError) as error:
            left_out[kind] = {"skipped": f"{type(error).__name__}: {error}"}
    with priority():
        seconds = run_in_turns(work, rounds)
    base = min(seconds["none"])
    rows: dict[str, Any] = {}
    for kind, times in seconds.items():
        cost = max(min(times) - base, 0.0) / TICKS * 1e9
        bar = float("inf") if kind in WITHOUT_BAR else 1000.0
        rows[f"{kind}, ns per step"] = row(cost, bar)
    machine = {"cores": os.cpu_count()}
    return {"bench": "methods", "machine": machine, "rows": rows | left_out}
