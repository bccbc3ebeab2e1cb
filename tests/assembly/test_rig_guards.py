"""With a rig, every command and every measurement is bounded, whatever the plan asks for."""

from __future__ import annotations

import numpy as np
import pytest

from rths.config.plan import load
from rths.run.virtual import simulate
from rths.safety.phase import RAMPING_OUT
from rths.studies.wallace2005.three_ways import PLAN

TICK = 1 / 1024
VELOCITY, ACCELERATION, STROKE, FORCE = 0.5, 40.0, 0.05, 500.0
LAB = f"""
[rig]
name = "wall"
flow = 0.0009
[actuator]
stroke = {STROKE}
velocity = {VELOCITY}
acceleration = {ACCELERATION}
force = {FORCE}
area = 0.002
noise = 1e-6
"""
BLOW = {"kind": "free_vibration", "displacement": 0.0, "velocity": 3.0}


@pytest.fixture
def planned(tmp_path):
    def make(lab=LAB, **changes):
        (tmp_path / "wall.toml").write_text(lab)
        given = {
            "clock.tick": TICK, "clock.duration": 2.0, "limits": {},
            "safety": {"rate": 0.05}, "rig": {"file": str(tmp_path / "wall.toml")},
        }  # fmt: skip
        return load(PLAN, {**given, **{k.replace("__", "."): v for k, v in changes.items()}})

    return make


def check_commands(record):
    """Check that no command was beyond the rig, not even on the way to safety."""
    sent = record["safety.command"][:, 0]
    assert np.abs(sent).max() <= STROKE
    assert np.abs(np.diff(sent, prepend=0.0)).max() <= VELOCITY * TICK * (1 + 1e-9)
    second = np.diff(np.r_[0.0, 0.0, sent], n=2)
    assert np.abs(second).max() <= ACCELERATION * TICK**2 * (1 + 1e-9)


def test_a_rig_in_good_order_trips_nothing(planned):
    record = simulate(planned())
    assert record.stop.completed
    check_commands(record)


def test_a_force_step_sends_no_command_that_is_too_fast(planned):
    """Without the limits of a rig such a step gave commands of many metres a second.

    Its first sample is too fast and turns too sharply; of the guards that trip in one tick the
    first in their order is named, and velocity comes before acceleration.
    """
    test = planned(excitation=BLOW)
    record = simulate(test)
    assert record.stop.guard == "command_velocity"
    command = record["compensator.command"][:, 0]
    assert abs(command[-1] - command[-2]) > VELOCITY * TICK
    assert abs(command[-1] - command[-2]) > ACCELERATION * TICK**2  # it stood before
    check_commands(record)
    free = simulate(test.with_values({"rig": None, "limits": {"compensator.command": 1.0}}))
    assert np.abs(np.diff(free["safety.command"][:, 0])).max() > 4 * VELOCITY * TICK


WILD = {"excitation__frequency": 5.0}
"""Near the resonance of rig and spring: the amplitudes grow for seconds."""


@pytest.mark.parametrize(
    ("guard", "lab"),
    [
        ("command_braking", {"stroke": 0.003}),
        ("command_velocity", {"velocity": 0.06}),
        ("command_acceleration", {"acceleration": 2.0}),
        ("command_flow", {"flow": 1e-4}),
        ("measured_force", {"force": 6.0}),
    ],
)
def test_each_limit_of_the_rig_trips_on_commands_and_measurements(planned, guard, lab):
    text = LAB
    for name, value in lab.items():
        old = next(line for line in LAB.splitlines() if line.startswith(name))
        text = text.replace(old, f"{name} = {value}")
    record = simulate(planned(text, safety__rate=0.01, **WILD))
    assert record.stop.guard == guard
    left = int(np.argmax(record["safety.phase"][:, 0] >= RAMPING_OUT))
    assert record["safety.command"][left:, 0].size
    assert "actuator" not in record.stop.message


@pytest.mark.parametrize(
    ("fault", "guard"),
    [
        ("jump_displacement=0.06@0.5", "measured_displacement"),
        ("jump_displacement=0.01@0.5", "measured_velocity"),
        ("drift_displacement=0.4@0.5", "measured_acceleration"),
        ("jump_force=600@0.5", "measured_force"),
    ],
)
def test_a_measurement_beyond_the_rig_trips_and_is_named(planned, fault, guard):
    test = planned(hardware={"kind": "simulated", "faults": [fault]})
    cycle = test.cycle("table", live=True)
    rows = np.empty((test.clock.ticks, len(test.live_layout.record_slots)))
    cycle.advance(len(rows), rows)
    assert (cycle.stop.reason, cycle.stop.guard) == ("trip", guard)
    assert 512 <= cycle.stop.tripped < 512 + 64


def test_a_rehearsal_has_the_guards_of_the_live_test_and_its_numbers(planned):
    test = planned(hardware={"kind": "simulated"}, excitation=BLOW)
    live = test.cycle("table", live=True)
    rows = np.empty((test.clock.ticks, len(test.live_layout.record_slots)))
    done = live.advance(len(rows), rows)
    virtual = simulate(test, "table")
    assert live.stop == virtual.stop
    slots = test.live_layout.record_slots.tolist()
    for name in virtual:
        places = [slots.index(s) for s in test.live_layout.signals[name].slots]
        assert np.array_equal(rows[:done, places], virtual[name]), name


@pytest.mark.parametrize("engine", [pytest.param("fused", marks=pytest.mark.slow), "interpreted"])
def test_all_loops_agree(planned, engine):
    test = planned(clock__duration=0.3, safety__fade_in=0.1)
    one, other = simulate(test, "table"), simulate(test, engine)
    assert one.stop == other.stop
    assert np.array_equal(one.rows, other.rows)


def test_what_a_faded_command_does_after_it_is_left_is_no_reason_to_trip(planned):
    test = planned(clock__duration=0.2, safety__fade_in=0.1)
    cycle = test.cycle("table")
    rows = np.empty((test.clock.ticks, len(test.layout.record_slots)))
    cycle.advance(230, rows[:230])
    cycle.arena[test.layout.signals["integrator.response"].first] = 1.0  # the free structure jumps
    cycle.advance(len(rows) - 230, rows[230:])
    assert cycle.stop.completed
