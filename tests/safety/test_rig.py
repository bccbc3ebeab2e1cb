"""What a laboratory writes of its rig is checked before anything moves."""

from __future__ import annotations

import pytest

from rths.errors import InputError
from rths.safety.rig import Actuator, Rig

GIVEN = {"stroke": 0.1, "velocity": 0.5, "acceleration": 10.0, "force": 1e5}


def test_a_number_stands_for_both_sides_and_the_usual_for_what_is_not_given():
    actuator = Actuator(**GIVEN)
    assert actuator.stroke == (-0.1, 0.1)
    noise, force_noise, near, force_near = actuator.rest
    assert 0 < noise < near < actuator.length
    assert 0 < force_noise < force_near < actuator.force


@pytest.mark.parametrize("field", GIVEN)
def test_stroke_velocity_acceleration_and_force_are_required(field):
    with pytest.raises(InputError, match="is required") as error:
        Actuator(**{k: v for k, v in GIVEN.items() if k != field})
    assert error.value.field == f"actuator.{field}"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("stroke", [0.1, -0.1]),
        ("stroke", 250),
        ("stroke", float("nan")),
        ("velocity", 500.0),
        ("velocity", float("inf")),
        ("acceleration", 1e5),
        ("force", -1.0),
    ],
)
def test_values_of_other_units_and_impossible_ones_are_refused(field, value):
    with pytest.raises(InputError) as error:
        Actuator(**{**GIVEN, field: value})
    assert error.value.field == f"actuator.{field}"


def test_a_flow_needs_the_areas_of_the_pistons():
    with pytest.raises(InputError, match="area"):
        Rig(name="wall", actuator=Actuator(**GIVEN), flow=0.001)
    assert Rig(name="wall", actuator=Actuator(**GIVEN, area=0.01), flow=0.001).flow == 0.001


def test_a_rig_is_moved_with_real_time_scheduling_unless_it_is_emulated_or_the_laboratory_says_so():
    made = {"name": "wall", "actuator": Actuator(**GIVEN)}
    assert Rig(**made).needs_real_time
    assert not Rig(**made, emulated=True).needs_real_time
    assert not Rig(**made, real_time=False).needs_real_time
    assert Rig(**made, emulated=True, real_time=True).needs_real_time


def test_a_rig_has_an_actuator_for_each_channel_or_one_for_all():
    one, two = Actuator(**GIVEN), Actuator(**{**GIVEN, "force": 2e5})
    assert Rig(name="wall", actuator=one).actuators(3) == (one, one, one)
    pair = Rig(name="wall", actuator=(one, two))
    assert pair.actuators(2) == (one, two)
    with pytest.raises(InputError, match=r"2 actuator\(s\) for a test with 3"):
        pair.actuators(3)
