"""A plan without a structure: what is prescribed is what the actuator is told."""

from __future__ import annotations

import tomllib

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import rths
from rths.config.plan import dumps
from rths.errors import InputError

SWEEP = {"kind": "sweep", "amplitude": 0.002, "start_frequency": 1.0, "end_frequency": 15.0}
PLAN = {
    "clock": {"tick": 0.001, "duration": 2.0},
    "excitation": {**SWEEP, "length": 1.9, "acting": "command"},
    "transfer": {"kind": "dead_time", "delay": 0.005},
}


def test_the_command_of_a_tick_is_the_signal_of_that_tick():
    record = rths.simulate(rths.load(PLAN))
    command, signal = record["compensator.command"][:, 0], record["excitation.signal"][:, 0]
    assert_array_equal(command[1:], signal[1:])
    assert_array_equal(record["transfer.displacement"][5:, 0], command[:-5])
    assert not record["feedback.force"].any()


def test_nothing_of_a_structure_is_recorded():
    assert not [n for n in rths.simulate(rths.load(PLAN)) if n.startswith("structure.")]


def test_a_specimen_resists_and_moves_nothing():
    spring = {"kind": "spring", "stiffness": 1e4}
    free, held = (rths.simulate(rths.load(p)) for p in (PLAN, {**PLAN, "specimen": spring}))
    assert_allclose(held["feedback.force"], 1e4 * held["transfer.displacement"])
    assert_array_equal(free["compensator.command"], held["compensator.command"])


def test_a_longer_step_is_ramped_between_the_same_points():
    clock = {"tick": 0.001, "step": 0.004, "duration": 1.0}
    coarse = rths.simulate(rths.load({**PLAN, "clock": clock}))["compensator.command"][:, 0]
    fine = rths.simulate(rths.load(PLAN))["compensator.command"][:1001, 0]
    assert_allclose(coarse[::4], fine[::4], atol=1e-15)
    assert np.abs(coarse - fine).max() > 1e-6


def test_a_compensator_gets_the_velocity_it_asks_for():
    plan = {**PLAN, "compensator": {"kind": "derivative_feedforward", "delay": 0.005}}
    record = rths.simulate(rths.load(plan))
    target, moved = record["integrator.target"][:, 0], record["transfer.displacement"][:, 0]
    rest = rths.simulate(rths.load(PLAN))
    late = rest["integrator.target"][:, 0] - rest["transfer.displacement"][:, 0]
    assert np.abs(target - moved)[50:1000].max() < 0.4 * np.abs(late)[50:1000].max()


def test_one_of_several_actuators_moves():
    plan = {**PLAN, "transfer": [PLAN["transfer"], {"kind": "dead_time", "delay": 0.002}]}
    plan["excitation"] = {**PLAN["excitation"], "dof": 1}
    moved = rths.simulate(rths.load(plan))["transfer.displacement"]
    assert not moved[:, 0].any()
    assert moved[:, 1].any()
    plan["excitation"]["dof"] = 2
    with pytest.raises(InputError, match="there are 2 actuator"):
        rths.load(plan)


def test_its_plan_is_complete_and_gives_the_same_test():
    test = rths.load(PLAN)
    again = rths.load(tomllib.loads(dumps(test)))
    assert again == test
    assert (again.structure.kind, again.integrator.kind, again.specimen.kind) == ("none",) * 3


def test_the_same_in_python_has_the_same_defaults():
    drive = rths.find("excitation", "sweep")(
        amplitude=0.002, start_frequency=1.0, end_frequency=15.0, length=1.9, acting="command"
    )
    late = rths.find("transfer", "dead_time")(delay=0.005)
    made = rths.HybridTest(excitation=drive, transfer=late, tick=0.001, duration=2.0)
    assert made == rths.load(PLAN)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"excitation": {**PLAN["excitation"], "acting": "force"}}, "structure.* is missing"),
        ({"structure": {"kind": "none"}, "excitation": SWEEP | {"length": 1.9}}, "missing"),
        (
            {"structure": {"kind": "linear", "mass": 1.0, "stiffness": 1.0, "damping": 0.0}},
            "moves the actuator itself",
        ),
        ({"excitation": {"kind": "free_vibration", "acting": "command"}}, "no signal"),
        ({"excitation": {**PLAN["excitation"], "amplitude": 5.0}}, "5 mm is 0.005"),
    ],
)
def test_what_does_not_fit_is_refused(changes, words):
    with pytest.raises(InputError, match=words):
        rths.load({**PLAN, **changes})


def test_a_loop_that_is_not_closed_is_not_certified():
    with pytest.raises(InputError, match="no loop"):
        rths.certify(rths.load(PLAN))
