"""A plan may be narrower than its rig, never wider."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rths.assembly.rig_bounds import command_bounds, rig_bounds
from rths.config.plan import load
from rths.errors import InputError
from rths.guard.base import Guard, describe
from rths.guard.limit import Limit
from rths.guard.rate import Rate
from rths.studies.wallace2005.three_ways import PLAN

LAB = """
[rig]
name = "wall"
[actuator]
stroke = [-0.05, 0.06]
velocity = 0.5
acceleration = 40.0
force = 2000.0
"""


@pytest.fixture
def planned(tmp_path):
    (tmp_path / "wall.toml").write_text(LAB)

    def make(**changes):
        given = {"safety": {"rate": 0.05}, "rig": {"file": str(tmp_path / "wall.toml")}}
        changes = {k.replace("__", "."): v for k, v in changes.items()}
        return load(PLAN, {**given, **changes})

    return make


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"limits__compensator.command": 0.055}, "limits.compensator.command"),
        ({"limits__compensator.command": [-0.01, 0.07]}, "limits.compensator.command"),
        ({"limits__transfer.displacement": 0.1}, "limits.transfer.displacement"),
        ({"limits__feedback.force": 3000.0}, "limits.feedback.force"),
        ({"limits__specimen.force": float("inf")}, "limits.specimen.force"),
        ({"safety__rate": 50.0}, "safety.rate"),
        ({"safety__rate": 1e6}, "safety.rate"),
        ({"safety__velocity": 0.6}, "safety.velocity"),
        ({"safety__acceleration": 41.0}, "safety.acceleration"),
        (
            {"guard": [{"kind": "limit", "signal": "compensator.command", "trip": 0.2}]},
            r"guard[0].trip",
        ),
        (
            {"guard": [{"kind": "rate", "signal": "compensator.command", "trip": 0.7}]},
            r"guard[0].trip",
        ),
    ],
)
def test_a_plan_that_exceeds_its_rig_is_refused_by_field(planned, changes, field):
    with pytest.raises(InputError) as error:
        planned(**changes)
    assert error.value.field == field
    assert " of the rig, " in error.value.problem
    assert error.value.remedy == "Stay within what wall.toml allows actuator[0]."


def test_without_a_limit_of_its_own_the_stroke_is_that_of_the_command(planned):
    assert command_bounds(planned(limits={})) == [(-0.05, 0.06)]
    assert command_bounds(planned()) == [(-0.025, 0.025)]


def test_bounds_are_those_of_the_rig_at_the_scale_of_the_test(planned):
    scaled = {"specimen__length_scale": 2.0, "specimen__force_scale": 4.0, "specimen__count": 3}
    (own,) = rig_bounds(planned(limits={}, **scaled))
    assert (own.low, own.high, own.velocity, own.acceleration) == (-0.1, 0.12, 1.0, 80.0)
    assert own.force == 12 * 2000.0


def test_a_way_to_safety_that_wants_more_oil_than_the_pump_gives_is_refused(planned, tmp_path):
    flow = LAB.replace("[actuator]", "flow = 1e-4\n[actuator]") + "area = 0.005\n"
    (tmp_path / "wall.toml").write_text(flow)
    with pytest.raises(InputError, match=r"needs 0\.00025 m³/s of oil") as error:
        planned()
    assert (error.value.field, error.value.remedy) == ("safety.rate", "Give at most 0.02 m/s.")
    assert planned(safety__rate=0.02).safety.rate == 0.02


def test_a_structure_without_an_interface_has_nothing_to_be_led_to_safety(planned):
    with pytest.raises(InputError, match="moves") as error:
        planned(structure__interface=[])
    assert error.value.field == "structure.interface"


@describe
class OwnRate(Guard):
    """A guard of one's own on a velocity."""

    derivative = 1
    signal: str = "compensator.command"

    @property
    def watches(self):
        return (self.signal,)

    def block(self, site):
        return Rate(signal=self.signal, trip=self.trip).block(site)


@describe
class OwnLimit(Limit):
    """A limit of one's own, with the block of a limit."""

    signal: str = "compensator.command"


@describe
class OwnCount(OwnLimit):
    """No motion: it has a block of its own and declares nothing."""

    def block(self, site):
        return super().block(site)


@pytest.mark.parametrize(("kind", "within", "beyond"), [(OwnRate, 0.5, 0.7), (OwnLimit, 0.05, 0.2)])
def test_a_guard_of_ones_own_that_declares_a_derivative_stays_within_the_rig(
    planned, kind, within, beyond
):
    assert replace(planned(), guards=(kind(trip=within),)).guards[0].trip == within
    with pytest.raises(InputError) as error:
        replace(planned(), guards=(kind(trip=beyond),))
    assert (error.value.field, error.value.value) == ("guard[0].trip", beyond)


def test_a_guard_of_ones_own_on_something_else_is_not_compared_with_the_rig(planned):
    assert replace(planned(), guards=(OwnCount(trip=50.0),)).guards[0].derivative is None
