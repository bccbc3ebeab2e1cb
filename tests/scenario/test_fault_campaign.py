"""A thousand faults by chance: no command beyond a limit, no way to safety that is too fast.

Sensors that stick, drift, jump, give NaN, lose samples or give them late; actuators that lose oil
pressure, saturate or run away; a delay that nobody made up for; an operator who ramps out or trips.
Kinds, times and sizes come from one seed. The same faults without guards do what they must not.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from rths.config.plan import load
from rths.registry import find
from rths.safety.phase import RAMPING_OUT
from rths.studies.wallace2005.three_ways import PLAN

RUNS = 1200
TICK, DURATION = 1 / 1024, 2.0
STROKE, SPEED, RATE = 0.012, 0.2, 0.05
SPRING = {"kind": "spring", "stiffness": 2250.0}
GUARDS = [
    {"kind": "limit", "signal": "feedback.force", "trip": 40.0},
    {"kind": "limit", "signal": "transfer.displacement", "trip": 0.015},
    {"kind": "rate", "signal": "transfer.displacement", "trip": 0.5},
    {"kind": "acceleration", "signal": "compensator.command", "trip": 200.0},
    {"kind": "tracking_error", "trip": 5e-4},
    {"kind": "tracking_energy", "trip": 0.01, "window": 0.5},
    {"kind": "force_disagreement", "estimate": SPRING, "trip": 1.0},
    {"kind": "jump", "signal": "feedback.displacement", "trip": 2e-4},
    {"kind": "stuck", "signal": "feedback.force", "trip": 60, "moved": 5e-4},
    {"kind": "stuck", "signal": "feedback.displacement", "trip": 60, "moved": 5e-4},
    {"kind": "high_frequency", "signal": "compensator.command", "lowest": 20.0, "trip": 0.02},
    {"kind": "link", "signal": "feedback.missed", "trip": 8},
]  # fmt: skip
SENSOR = ("stuck", "drift", "jump", "nan", "lost", "late")
ACTUATOR = ("oil_pressure_loss", "saturation", "runaway")
SIZE = {
    "drift": (1.0, 500.0), "jump": (1.0, 500.0), "lost": (0.2, 1.0), "late": (0.002, 0.05),
    "oil_pressure_loss": (0.0, 0.01), "saturation": (1e-4, 3e-3), "runaway": (0.001, 0.5),
    "delay": (0.009, 0.03),
}  # fmt: skip
KINDS = (
    *((k, s) for k in SENSOR for s in ("force", "displacement")),
    *((k, "actuator") for k in ACTUATOR),
    ("delay", "actuator"),
    ("ramp out", "operator"),
    ("trip", "operator"),
)
HEALTHY = {"kind": "fault", "fault": "lost", "start": 0.0, "size": 0.0}


@pytest.fixture(scope="module")
def rig():
    given = {
        "clock.tick": TICK, "clock.duration": DURATION, "feedback": HEALTHY, "guard": GUARDS,
        "limits.compensator.command": STROKE,
        "safety": {"rate": RATE, "hold": 0.05, "velocity": SPEED},
    }  # fmt: skip
    return load(PLAN, given)


def faulty(rig, random):
    """Give the rig one fault by chance; what the operator does (or None), and the tick of it."""
    kind, where = KINDS[random.integers(len(KINDS))]
    start = float(random.uniform(0.05, DURATION - 0.05))
    low, high = SIZE.get(kind, (0.0, 0.0))
    size = float(low + (high - low) * random.random() ** 2)
    changes = {"seed": int(random.integers(1 << 30))}
    operated = None
    if where == "operator":
        operated = (round(start / TICK), 1.0 if kind == "ramp out" else 2.0)
    elif kind == "delay":
        changes["compensator"] = find("compensator", "none")()
        changes["transfer"] = find("transfer", "dead_time")(delay=size)
    elif where == "actuator":
        inside = {"kind": "dead_time", "delay": 0.0094}
        changes["transfer"] = find("transfer", "fault")(
            fault=kind, start=start, size=size, actuator=inside
        )
    else:
        if where == "displacement" and kind in ("drift", "jump"):
            size *= 1e-4  # metres, not newtons
        if kind in ("drift", "jump"):
            size *= random.choice([-1, 1])
        changes["feedback"] = find("feedback", "fault")(
            fault=kind, start=start, size=size, sensor=where
        )
    begun = 0 if kind == "delay" else round(start / TICK)
    return (kind, where), replace(rig, **changes), operated, begun


def ran(test, operated):
    """Run a test in the table loop; give its rows by signal, and the cycle at its end."""
    cycle = test.cycle("table")
    rows = np.full((test.clock.ticks, len(test.layout.record_slots)), np.nan)
    done = 0
    if operated is not None and "operator.ramp_out" in test.layout.signals:
        tick, request = operated
        done = cycle.advance(tick, rows[:tick])
        if cycle.stop is None:
            cycle.arena[test.layout.signals["operator.ramp_out"].first] = request
    if cycle.stop is None:
        done += cycle.advance(len(rows) - done, rows[done:])
    names = {n: k for k, n in enumerate(test.layout.recorded)}
    return {n: rows[:done, k] for n, k in names.items()}, cycle


RECORD = (
    "compensator.command", "safety.command", "safety.phase", "feedback.force",
    "feedback.displacement", "transfer.displacement", "feedback.missed",
)  # fmt: skip


def checked(signals, cycle):
    """List what a run did that it must not do."""
    stop, wrong = cycle.stop, []
    sent, phase = signals["safety.command"], signals["safety.phase"]
    left = int(np.argmax(phase >= RAMPING_OUT))
    if not np.all(np.abs(sent) <= STROKE):
        wrong.append("a command is beyond its limit")
    if not np.all(np.abs(np.diff(sent[:left])) <= SPEED * TICK * (1 + 1e-12)):
        wrong.append("a command is too fast")
    if not np.all(np.abs(np.diff(sent[left - 1 :])) <= RATE * TICK):
        wrong.append("the way to safety is too fast")
    if sent[-1] != 0.0:
        wrong.append("it does not end at the safe position")
    if len(sent) != stop.tick:
        wrong.append("samples are lost")
    if stop.reason not in ("completed", "interrupted", "trip"):
        wrong.append(f"it ended by {stop.reason}")
    if stop.reason == "trip":
        wrong += named(signals, stop)
    return wrong


def named(signals, stop):
    """List what is wrong with the cause that a trip names."""
    if stop.guard is None or stop.signal is None or stop.tripped is None:
        return ["a trip names no cause"]
    low, high = stop.limit
    if low <= stop.value <= high:
        return ["the value that tripped is within its bounds"]
    plain = stop.guard.startswith(("finite", "limit", "link"))
    if plain and not np.array_equal(signals[stop.signal][stop.tripped], stop.value, equal_nan=True):
        return ["the value is not that of the signal at the tick"]
    return []


def campaign(rig, runs, seed):
    """Run faults by chance, each with about half of the guards; count what came of them."""
    random = np.random.default_rng(seed)
    wrong, ended, guards = Counter(), Counter(), Counter()
    for _ in range(runs):
        kind, test, operated, start = faulty(rig, random)
        some = tuple(g for g in rig.guards if random.random() < 0.5)
        signals, cycle = ran(replace(test, guards=some, record=RECORD), operated)
        for what in checked(signals, cycle):
            wrong[kind, what] += 1
        stop = cycle.stop
        if stop.tripped is not None and stop.tripped < start:
            wrong[kind, "it tripped before the fault"] += 1
        if kind[0] == "nan" and (stop.signal, stop.tripped) != (f"feedback.{kind[1]}", start):
            wrong[kind, "it is not named"] += 1
        ended[kind, stop.reason] += 1
        guards[stop.guard] += 1
    return wrong, ended, guards


def test_faults_by_chance_end_safely_and_each_trip_names_its_cause(rig):
    wrong, ended, _ = campaign(rig, 150, seed=1)
    assert not wrong
    assert sum(ended.values()) == 150


@pytest.mark.slow
def test_a_thousand_faults_end_safely_and_every_kind_is_seen(rig):
    wrong, ended, guards = campaign(rig, RUNS, seed=2026)
    print(dict(wrong), dict(ended), dict(guards), sep="\n")
    assert not wrong
    assert sum(ended.values()) == RUNS
    assert {kind for kind, _ in ended} == set(KINDS)
    seen = {kind for kind, reason in ended if reason == "trip"}
    assert set(KINDS) - seen == {("ramp out", "operator")}
    assert len(guards) > 10, "the campaign asks only a few guards"
    for kind in (("nan", "force"), ("nan", "displacement"), ("trip", "operator")):
        assert {r for k, r in ended if k == kind} == {"trip"}


def test_the_same_faults_without_guards_do_what_they_must_not(rig):
    random = np.random.default_rng(2026)
    plain = ("compensator.command", "feedback.force")
    beyond = fast = stopped = 0
    for _ in range(150):
        _, test, _, _ = faulty(rig, random)
        bare = replace(test, safety=None, guards=(), limits={}, record=plain)
        signals, cycle = ran(bare, None)
        sent = signals["compensator.command"]
        beyond += bool(np.any(~(np.abs(sent) <= STROKE)))
        fast += bool(np.any(np.abs(np.diff(sent)) > SPEED * TICK))
        stopped += cycle.stop is not None
    assert beyond > 5
    assert fast > 5
    assert stopped > 5  # at a NaN, with the actuator where it was


def test_a_rig_in_good_order_trips_nothing(rig):
    signals, cycle = ran(replace(rig, record=RECORD), None)
    assert cycle.stop.completed
    assert checked(signals, cycle) == []


def test_the_checks_of_the_campaign_can_fail(rig):
    signals, cycle = ran(replace(rig, record=RECORD), None)
    for change, told in (
        (lambda s: s.__setitem__(500, 0.013), "beyond its limit"),
        (lambda s: s.__setitem__(-5, 0.011), "too fast"),
        (lambda s: s.__setitem__(-1, 1e-9), "safe position"),
    ):
        broken = {n: v.copy() for n, v in signals.items()}
        change(broken["safety.command"])
        assert any(told in w for w in checked(broken, cycle))
