"""Faults that only the limit of the command saw are named by the guards that are suggested."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rths.config.plan import load
from rths.registry import find
from rths.run.guard_suggestion import suggest_guards
from rths.run.virtual import simulate
from rths.studies.wallace2005.three_ways import PLAN

TICK, START = 1 / 1024, 2.0
STROKE = 0.025
DEAD_TIME = {"kind": "dead_time", "delay": 0.0094}


@pytest.fixture(scope="module")
def rig():
    given = {
        "clock.tick": TICK, "clock.duration": 8.0, "limits.compensator.command": STROKE,
        "safety": {"rate": 0.05, "hold": 0.05, "velocity": 0.5},
    }  # fmt: skip
    test = load(PLAN, given)
    return replace(test, guards=tuple(s.guard for s in suggest_guards(test, 1)))


def sensor(fault, size=0.0):
    return {"feedback": find("feedback", "fault")(
        fault=fault, start=START, size=size, sensor="displacement")}  # fmt: skip


def actuator(fault, size):
    made = find("transfer", "fault")(fault=fault, start=START, size=size, actuator=DEAD_TIME)
    return {"transfer": made}


FAULTS = {
    "frozen_displacement": sensor("stuck"),
    "displacement_offset": sensor("jump", 4e-4),
    "saturation": actuator("saturation", 1e-3),
    "growing_lag": sensor("late", 0.05),
}


def test_the_rig_in_good_order_trips_nothing(rig):
    assert simulate(rig).stop.completed


@pytest.mark.parametrize("kind", FAULTS)
def test_a_fault_is_named_by_its_guard(rig, kind):
    only = tuple(g for g in rig.guards if g.kind == kind)
    stop = simulate(replace(rig, guards=only, **FAULTS[kind])).stop
    assert stop.guard == kind
    assert START <= stop.tripped * TICK < START + 1.5  # two periods of the motion and a bit


@pytest.mark.parametrize("kind", FAULTS)
def test_with_all_of_them_it_ends_sooner_and_far_from_the_limit(rig, kind):
    record = simulate(replace(rig, **FAULTS[kind]))
    assert record.stop.reason == "trip"
    assert START <= record.stop.tripped * TICK < START + 1.5
    assert np.abs(record["safety.command"]).max() < 0.5 * STROKE


@pytest.mark.parametrize("signal", ["feedback.displacement", "feedback.force"])
def test_a_sensor_the_wrong_way_round_is_named(rig, judged_rows, signal):
    (guard,) = (g for g in rig.guards if g.kind == "sign_flip" and g.signal == signal)
    rows = judged_rows(rig, guard)
    assert rows(flip=None)[:, 0].max() < 2
    flipped = rows(flip=START)[:, 0]
    first = int(np.argmax(flipped == 2)) * TICK
    assert START < first < START + 1.5


@pytest.fixture
def judged_rows():
    """Judge what a guard watches in a recorded run, its signal turned round from a time on."""
    from rths.loop.solo import respond
    from rths.site import Site

    def make(test, guard):
        seen = ("feedback.displacement", "feedback.force")
        record = simulate(replace(test, guards=(), record=seen))

        def run(flip):
            sign = np.ones(len(record.rows))
            if flip is not None:
                sign[round(flip / TICK) :] = -1.0
            columns = [sign * record[guard.signal][:, 0], record["feedback.displacement"][:, 0]]
            rows = np.column_stack([*columns, np.zeros(len(sign))])
            return respond(guard.block(Site(TICK, TICK)), rows)

        return run

    return make
