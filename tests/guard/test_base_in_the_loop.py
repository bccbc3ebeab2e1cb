"""Every kind of guard in a whole test: documented, written in a plan, the same in all loops."""

from __future__ import annotations

import tomllib
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest

from rths.config.field_meaning import field_meaning
from rths.config.plan import dumps, from_table
from rths.description import describe
from rths.registry import find, kinds
from rths.run.virtual import simulate

EXAMPLES = {kind: find("guard", kind).example for kind in kinds("guard")}


def tables():
    return [{"kind": kind, **given} for kind, given in EXAMPLES.items()]


@pytest.mark.parametrize("kind", EXAMPLES)
def test_class_and_fields_are_documented(kind):
    cls = find("guard", kind)
    assert cls.__doc__
    assert (cls.role, cls.kind) == ("guard", kind)
    for f in fields(cls):
        assert field_meaning(cls, f.name), f.name


def test_a_plan_with_all_of_them_survives_a_round_trip(rig):
    test = rig(*tables(), safety__fade_in=0.1)
    back = from_table(tomllib.loads(dumps(test)), Path())
    assert back == test
    assert dumps(back) == dumps(test)


@pytest.mark.parametrize("engine", ["fused", "interpreted"])
def test_all_of_them_are_the_same_in_every_loop(rig, engine):
    test = rig(*tables(), safety__fade_in=0.1, clock__duration=0.4)
    one, other = simulate(test, "table"), simulate(test, engine)
    assert one.stop == other.stop
    assert one.stop.completed
    assert np.array_equal(one.rows, other.rows)


def test_a_test_in_good_order_warns_where_told_and_trips_nowhere(rig):
    record = simulate(rig(*tables()))
    assert record.stop.completed
    running = record["safety.phase"][:, 0] == 1.0
    levels = {k: record[f"guard.{k}_level"][running].max() for k in EXAMPLES if k not in TWICE}
    assert max(levels.values()) == 1
    told = {"rate", "acceleration", "jump", "tracking_error", "tracking_energy", "high_frequency",
            "growing_lag"}  # fmt: skip
    silent = {"force_disagreement", "stuck", "slips", "heartbeat", "link", "rig_status",
              "frozen_displacement", "saturation", "displacement_offset", "sign_flip"}  # fmt: skip
    assert {levels[k] for k in told} == {1}
    assert {levels[k] for k in silent} == {0}


TWICE = ("limit", "finite")  # the test has others of these kinds: they have a letter


def test_guards_allocate_nothing(rig):
    from numba.core.runtime import _nrt_python, rtsys

    test = rig(*tables(), safety__fade_in=0.1)
    cycle = test.cycle("table")
    rows = np.empty((200, len(test.layout.record_slots)))
    _nrt_python.memsys_enable_stats()
    try:
        made = []
        for ticks in (4, 196):
            before = rtsys.get_allocation_stats()
            cycle.advance(ticks, rows)
            made.append(rtsys.get_allocation_stats().alloc - before.alloc)
    finally:
        _nrt_python.memsys_disable_stats()
    assert made[0] == made[1]


def test_several_channels_are_guarded_each_by_itself(rig):
    two = {
        "kind": "linear", "mass": [[2.2, 0], [0, 2.2]], "damping": [[15.0, 0], [0, 15.0]],
        "stiffness": [[2250.0, 0], [0, 2250.0]], "interface": [0, 1],
    }  # fmt: skip
    push = {"kind": "sine", "acting": "force", "amplitude": 10.0, "frequency": 1.5, "dof": 1}
    guard = {"kind": "limit", "signal": "feedback.force", "trip": 1.0, "name": "force"}
    record = simulate(rig(guard, structure=two, excitation=push))
    assert (record.stop.signal, record.stop.guard) == ("feedback.force[1]", "force[1]")
    assert np.array_equal(record["safety.command"][-1], [0.0, 0.0])


def test_a_guard_on_one_channel_compares_it_with_its_own_target(rig):
    two = {
        "kind": "linear", "mass": [[2.2, 0], [0, 2.2]], "damping": [[15.0, 0], [0, 15.0]],
        "stiffness": [[2250.0, 0], [0, 2250.0]], "interface": [0, 1],
    }  # fmt: skip
    push = {"kind": "sine", "acting": "force", "amplitude": 10.0, "frequency": 1.5, "dof": 1}
    guard = {"kind": "tracking_error", "signal": "feedback.displacement[1]", "warn": 1.0}
    record = simulate(rig(guard, structure=two, excitation=push))
    error = record["transfer.displacement"][:, 1] - record["integrator.target"][:, 1]
    assert np.array_equal(record["guard.tracking_error_value"][:, 0], error)
    assert np.abs(error).max() > 0


def test_a_signal_of_the_steps_is_looked_at_once_a_step(rig):
    guard = {"kind": "rate", "signal": "integrator.stage_target", "warn": 1.0, "name": "speed"}
    test = rig(guard, clock__step=4 / 1024, compensator__kind="none", transfer__delay=0.001)
    record = simulate(replace(test, record=(*test.layout.recorded, "integrator.stage_target")))
    target = record["integrator.stage_target"][:, 0]
    seen = record["guard.speed_value"][1::4, 0]
    assert np.array_equal(seen[1:], np.diff(target) / (4 / 1024))
    plain = simulate(replace(test, safety=None, guards=()))
    n = len(plain["compensator.command"])
    assert np.array_equal(record["safety.command"][:n], plain["compensator.command"])


def test_an_actuator_that_holds_its_command_is_stopped_just_as_well(rig):
    @describe
    class Held(find("transfer", "dead_time")):  # type: ignore[misc]
        @property
        def holds(self) -> bool:
            return True

    guard = {"kind": "limit", "signal": "feedback.force", "trip": 2.0}
    test = replace(rig(guard), transfer=Held(delay=0.005))
    record = simulate(test)
    force = record["feedback.force"][:, 0]
    first = int(np.flatnonzero(np.abs(force) > 2.0)[0])
    sent = record["safety.command"][:, 0]
    assert record.stop.tripped == first
    assert sent[first] == sent[first - 1]  # it was measured before this command left


def test_the_summary_lists_what_warned(rig, tmp_path):
    from rths.run.summary import summarise
    from rths.run.virtual import rehearse

    guard = {"kind": "rate", "signal": "integrator.target", "warn": 0.01, "name": "speed"}
    test = rig(guard)
    stop = rehearse(test, tmp_path / "record.h5")
    (told,) = summarise(tmp_path / "record.h5", stop)["warnings"]
    speed = np.abs(np.diff(simulate(test)["integrator.target"][:, 0])) * 1024
    assert told["guard"] == "speed"
    assert told["first"] == (np.flatnonzero(speed > 0.01)[0] + 1) / 1024
    assert not told["tripped"]


@describe
class PatientHeartbeat(find("guard", "heartbeat")):
    """A guard of one's own on the supervisor."""

    kind = "test_base_in_the_loop:PatientHeartbeat"


def test_a_heartbeat_of_ones_own_stands_for_the_one_that_is_always_there(rig):
    own = replace(rig(), guards=(PatientHeartbeat(trip=2.0),))
    guards = [p.owner.name for p in own.layout.placed if p.role == "guard"]
    assert "patientheartbeat" in guards
    assert "heartbeat" not in guards


@describe
class Force2Limit(find("guard", "limit")):
    """A guard of one's own with a digit in its name."""

    kind = "test_base_in_the_loop:Force2Limit"


def test_a_guard_may_have_digits_in_its_name(rig):
    given = {"signal": "feedback.force", "trip": 1e9}
    guards = (Force2Limit(**given), find("guard", "limit")(name="second_2", **given))
    record = simulate(replace(rig(), guards=guards))
    assert {"guard.force2limit_level", "guard.second_2_level"} <= set(record)
