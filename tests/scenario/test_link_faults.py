"""A thousand faults of the rig and of the link by chance, on a virtual clock.

Every kind that an emulated rig can be made to have, behind the simulated link, which keeps the
contract of all links. The kinds, times, lengths and sizes come from one seed. A rig's clock that is
fast or slow needs a clock: it is asked in tests/hardware, with a rig of its own.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from rths.config.plan import load
from rths.hardware.emulated.fault import NAMES
from rths.loop.cycle import Cycle
from rths.registry import find
from rths.safety.phase import RAMPING_OUT
from rths.studies.wallace2005.three_ways import PLAN

RUNS = 1000
TICK, DURATION = 1 / 1024, 2.0
STROKE, SPEED, RATE = 0.012, 0.2, 0.05
SPRING = {"kind": "spring", "stiffness": 2250.0}
GUARDS = [
    {"kind": "tracking_error", "trip": 5e-4},
    {"kind": "force_disagreement", "estimate": SPRING, "trip": 1.0},
    {"kind": "stuck", "signal": "feedback.force", "trip": 60, "moved": 5e-4},
    {"kind": "stuck", "signal": "feedback.displacement", "trip": 60, "moved": 5e-4},
    {"kind": "rig_status", "bit": "saturated", "trip": 0.0, "name": "saturated"},
    {"kind": "link", "warn": 2, "trip": 8},
]
SIZES = {
    "pressure": (0.0, 0.01), "saturation": (1e-4, 2e-3), "drift_displacement": (-0.01, 0.01),
    "drift_force": (-50.0, 50.0), "loss": (0.1, 1.0), "jitter": (1e-4, 0.01),
    "jump_displacement": (-1e-3, 1e-3), "jump_force": (-5.0, 5.0), "lag": (0.05, 1.0),
}  # fmt: skip
KINDS = tuple(n for n in NAMES if n != "clock")
AT_ONCE = {
    "stop": "stopped_at_the_rig", "pressure": "oil_pressure_lost",
    "nan_displacement": "finite", "nan_force": "finite",
}  # fmt: skip
"""What the rig says itself, or what is no number, trips at the tick of the fault, by this guard or
one of several of that name."""


@pytest.fixture(scope="module")
def rig():
    given = {
        "clock.tick": TICK, "clock.duration": DURATION, "guard": GUARDS,
        "limits.compensator.command": STROKE,
        "safety": {"rate": RATE, "hold": 0.05, "velocity": SPEED},
        "hardware": {"kind": "simulated"},
    }  # fmt: skip
    return load(PLAN, given)


def faulty(rig, random):
    """Give the rig one fault by chance; its kind and the tick at which it begins."""
    kind = KINDS[random.integers(len(KINDS))]
    start = round(float(random.uniform(0.05, DURATION - 0.2)) / TICK)
    words = kind
    if kind in SIZES:
        low, high = SIZES[kind]
        words += f"={low + (high - low) * random.random():.17g}"
    words += f"@{(start - 0.5) * TICK:.17g}"
    if random.random() < 0.5:
        words += f"+{random.uniform(0.05, 0.5):.17g}"
    policy = str(random.choice(["hold", "extrapolate"]))
    link = find("hardware", "simulated")(faults=(words,), policy=policy)
    return kind, start, replace(rig, hardware=link, seed=int(random.integers(1 << 30)))


def ran(test):
    layout = test.live_layout
    cycle = Cycle(layout, test.tick, "table")
    rows = np.full((test.clock.ticks, len(layout.record_slots)), np.nan)
    done = cycle.advance(len(rows), rows)
    ends = np.cumsum([layout.signals[n].width for n in layout.recorded])
    first = dict(zip(layout.recorded, [0, *ends[:-1]], strict=True))
    return {n: rows[:done, k] for n, k in first.items()}, cycle.stop


def wrong_with(kind, start, signals, stop):
    """List what a run did that it must not do."""
    sent, phase = signals["safety.command"], signals["safety.phase"]
    left, found = int(np.argmax(phase >= RAMPING_OUT)), []
    if not np.all(np.abs(sent) <= STROKE):
        found.append("a command is beyond its limit")
    if not np.all(np.abs(np.diff(sent[left - 1 :])) <= RATE * TICK):
        found.append("the way to safety is too fast")
    if sent[-1] != 0.0:
        found.append("it does not end at the safe position")
    if len(sent) != stop.tick or not np.all(np.isfinite(sent)):
        found.append("samples are lost")
    if stop.reason not in ("completed", "trip"):
        found.append(f"it ended by {stop.reason}")
    if stop.reason == "trip" and not (stop.guard and stop.signal and stop.message):
        found.append("a trip names no cause")
    if stop.tripped is not None and stop.tripped < start:
        found.append("it tripped before the fault")
    by_it = (stop.guard or "").startswith(AT_ONCE.get(kind, ""))
    if kind in AT_ONCE and not (by_it and stop.tripped == start):
        found.append("what the rig says is not heard at once")
    return found


def campaign(rig, runs, seed):
    random = np.random.default_rng(seed)
    wrong, ended, guards = Counter(), Counter(), Counter()
    for _ in range(runs):
        kind, start, test = faulty(rig, random)
        signals, stop = ran(test)
        for what in wrong_with(kind, start, signals, stop):
            wrong[kind, what] += 1
        ended[kind, stop.reason] += 1
        guards[stop.guard] += 1
    return wrong, ended, guards


def test_faults_of_rig_and_link_by_chance_end_safely_and_name_their_cause(rig):
    wrong, ended, _ = campaign(rig, 100, seed=5)
    assert not wrong
    assert sum(ended.values()) == 100


@pytest.mark.slow
def test_a_thousand_faults_of_rig_and_link_end_safely(rig):
    wrong, ended, guards = campaign(rig, RUNS, seed=2027)
    print(dict(wrong), dict(ended), dict(guards), sep="\n")
    assert not wrong
    assert sum(ended.values()) == RUNS
    assert {kind for kind, reason in ended if reason == "trip"} == set(KINDS)


def test_a_rig_in_good_order_trips_nothing(rig):
    signals, stop = ran(rig)
    assert stop.completed
    assert wrong_with("", 0, signals, stop) == []
    assert np.ptp(signals["safety.command"]) > 0.001


def test_the_checks_of_the_campaign_can_fail(rig):
    signals, stop = ran(rig)
    for tick, value, told in ((500, 0.013, "limit"), (-5, 0.011, "fast"), (-1, 1e-9, "position")):
        sent = signals["safety.command"].copy()
        sent[tick] = value
        found = wrong_with("", 0, {**signals, "safety.command": sent}, stop)
        assert any(told in words for words in found)
