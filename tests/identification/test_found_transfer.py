"""What was identified goes back into a plan: the actuator of the plan is found again."""

from __future__ import annotations

import pytest

import rths

SWEEP = {
    "kind": "sweep",
    "acting": "command",
    "amplitude": 0.002,
    "start_frequency": 0.5,
    "end_frequency": 20.0,
    "length": 3.9,
}
DELAY = {"kind": "dead_time", "delay": 0.0043}
ACTUATORS = {
    "delay": DELAY,
    "first_order": {"kind": "first_order", "time_constant": 0.0061},
    "delayed_first_order": {
        "kind": "series",
        "links": [DELAY, {"kind": "first_order", "time_constant": 0.0061, "gain": 0.97}],
    },
    "second_order": {"kind": "second_order", "frequency": 31.24, "damping": 0.765, "delay": 0.0043},
}


def identified(transfer):
    clock = {"tick": 0.001, "duration": 4.0}
    plan = {"clock": clock, "excitation": SWEEP, "transfer": transfer}
    return rths.identify(rths.simulate(rths.load(plan)))


@pytest.mark.parametrize("name", ACTUATORS)
def test_the_actuator_of_a_prescribed_command_is_found_as_a_table(name):
    found = identified(ACTUATORS[name])
    assert found.best == name
    assert found.transfer == ACTUATORS[name]


def test_a_gain_that_no_kind_has_becomes_a_link_of_its_own():
    gain = {"kind": "first_order", "time_constant": 0.0, "gain": 1.04}
    both = {"kind": "series", "links": [DELAY, gain]}
    assert identified(both).transfer == both
