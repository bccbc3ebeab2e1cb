"""Fields are changed by their path; the path must lead somewhere."""

from __future__ import annotations

import pytest

from rths.errors import InputError


def test_values_are_changed_by_their_path(rig, make):
    test = rig(transfer=make("transfer", "second_order", frequency=30.0, damping=0.8))
    changed = test.with_values(
        {"transfer.delay": 0.002, "transfer.damping": 0.7, "duration": 0.5, "seed": 4}
    )
    assert (changed.transfer.delay, changed.transfer.damping) == (0.002, 0.7)
    assert changed.transfer.frequency == 30.0
    assert (changed.duration, changed.seed) == (0.5, 4)
    assert changed.clock.ticks == 501
    assert (test.transfer.damping, test.duration) == (0.8, 0.2)


def test_each_actuator_can_be_changed_or_all(rig, building, make):
    pair = tuple(make("transfer", "dead_time", delay=d) for d in (0.002, 0.007))
    test = rig(structure=building(0, 1), transfer=pair)
    assert [t.delay for t in test.with_values({"transfer.1.delay": 0.004}).transfer] == [
        0.002,
        0.004,
    ]
    assert [t.delay for t in test.with_values({"transfer.delay": 0.004}).transfer] == [0.004, 0.004]


def test_a_whole_role_can_be_replaced(rig, make):
    spring = make("specimen", "spring", stiffness=1.0)
    assert rig().with_values({"specimen": spring}).specimen == spring


@pytest.mark.parametrize(
    "path",
    [
        "transfer.dely",
        "dely",
        "clock.tick",
        "specimn.stiffness",
        "transfer.0.delay",
        "limits.x",
        "",
    ],
)
def test_path_that_leads_nowhere_is_refused(rig, path):
    with pytest.raises(InputError) as error:
        rig().with_values({path: 0.004})
    assert error.value.field == path
    assert error.value.value == 0.004
    assert "Fields: " in error.value.remedy


@pytest.mark.parametrize("path", ["transfer.dely", "transfer.2.delay", "transfer.0.dely"])
def test_so_is_one_of_several_actuators(rig, building, make, path):
    pair = tuple(make("transfer", "dead_time", delay=d) for d in (0.002, 0.007))
    with pytest.raises(InputError) as error:
        rig(structure=building(0, 1), transfer=pair).with_values({path: 0.004})
    assert error.value.field == path
    assert "Fields: " in error.value.remedy


@pytest.mark.parametrize(
    ("path", "value"), [("transfer.delay", -0.001), ("specimen.stiffness", "soft"), ("tick", 0.0)]
)
def test_values_are_checked_as_in_a_plan(rig, path, value):
    with pytest.raises(InputError) as error:
        rig().with_values({path: value})
    assert path.split(".")[-1] in error.value.field
    assert error.value.value == value
