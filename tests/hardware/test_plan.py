"""Hardware in a plan: an eighth table that a rehearsal does not need."""

from __future__ import annotations

import tomllib
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from rths.config.field_meaning import field_meaning
from rths.config.plan import dumps, from_table, load
from rths.errors import InputError
from rths.loop.cycle import Cycle
from rths.registry import LIVE_ROLES, find, kinds
from rths.studies.wallace2005.three_ways import PLAN


def test_the_kinds_are_the_links_and_nothing_else():
    assert LIVE_ROLES == ("hardware",)
    assert kinds("hardware") == ["shared_memory", "simulated", "udp"]


@pytest.mark.parametrize("kind", ["shared_memory", "simulated", "udp"])
def test_a_plan_with_hardware_survives_a_round_trip(kind):
    test = load(PLAN, {"hardware.kind": kind, "hardware.policy": "extrapolate"})
    back = from_table(tomllib.loads(dumps(test)), Path())
    assert back == test
    assert back.hardware.policy == "extrapolate"


def test_a_plan_without_it_is_live_as_it_is():
    test = load(PLAN)
    assert test.hardware is None
    assert test.live_layout is test.layout
    assert "hardware" not in dumps(test)


def rows(test, layout, engine="table"):
    cycle = Cycle(layout, test.tick, engine)
    found = np.empty((test.clock.ticks, len(layout.record_slots)))
    return found[: cycle.advance(len(found), found)]


PLANS = {
    "as it is": {},
    "at another scale": {"specimen.length_scale": 2.0, "specimen.force_scale": 3.0},
    "two specimens in one": {"specimen.count": 2, "specimen.stiffness": 1125.0},
    "a second-order actuator": {
        "transfer.kind": "second_order",
        "transfer.frequency": 30.0,
        "transfer.damping": 0.7,
    },
    "a step of four ticks": {"clock.step": 4 / 1024},
}


@pytest.mark.parametrize("changes", PLANS.values(), ids=PLANS.keys())
def test_simulated_hardware_gives_the_rehearsal_bit_for_bit(changes):
    clock = {"clock.tick": 1 / 1024, "clock.duration": 0.5}
    test = load(PLAN, {"hardware.kind": "simulated", **clock, **changes})
    rehearsed, live = rows(test, test.layout), rows(test, test.live_layout)
    assert_array_equal(live[:, : rehearsed.shape[1]], rehearsed)
    assert rehearsed.any()
    assert_array_equal(rows(test, test.live_layout, "interpreted"), live)


def test_late_measurements_are_those_of_earlier_ticks():
    exact = {"transfer.delay": 10 / 1024, "clock.tick": 1 / 1024, "clock.duration": 0.2}
    test = load(PLAN, {"hardware.kind": "simulated", "hardware.late": 3, **exact})
    cycle = Cycle(test.live_layout, test.tick, "table")
    command, moved = np.empty(test.clock.ticks), np.empty(test.clock.ticks)
    for k in range(test.clock.ticks):
        cycle.advance(1, np.empty((1, len(test.live_layout.record_slots))))
        command[k] = cycle.signal("compensator.command")[0]
        moved[k] = cycle.signal("transfer.displacement")[0]
    assert_array_equal(moved[13:], command[:-13])
    assert moved.any()


def test_recorded_signals_of_the_plan_come_with_those_of_the_link():
    test = load(PLAN, {"hardware.kind": "simulated", "record.signals": ["feedback.force"]})
    assert test.layout.recorded == ("feedback.force",)
    assert {"feedback.force", "hardware.missed", "hardware.round_trip"} <= set(
        test.live_layout.recorded
    )


def test_velocity_and_force_are_sent_if_the_plan_says_so():
    fields = {"hardware.velocity": "integrator.velocity", "hardware.force": "feedback.force"}
    test = load(PLAN, {"hardware.kind": "udp", **fields})
    (placed,) = [p for p in test.live_layout.placed if p.label == "hardware.udp"]
    names = [test.live_layout.slot_name(s) for s in placed.inputs]
    assert names[:2] == ["compensator.command", "integrator.velocity"]
    assert len(names) == 3


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"hardware.kind": "upd"}, "hardware.kind"),
        ({"hardware.kind": "udp", "hardware.timeout": 1.0}, "hardware.timeout"),
        ({"hardware.kind": "udp", "hardware.port": 70000}, "hardware.port"),
        ({"hardware.kind": "udp", "hardware.policy": "pray"}, "hardware.policy"),
        ({"hardware.kind": "simulated", "hardware.faults": ["gremlins"]}, "fault"),
    ],
)
def test_what_cannot_be_is_refused_by_name(changes, field):
    with pytest.raises(InputError) as error:
        load(PLAN, changes)
    assert error.value.field == field


def test_a_signal_that_does_not_exist_is_refused_before_the_test():
    test = load(PLAN, {"hardware.kind": "udp", "hardware.velocity": "integrator.speed"})
    with pytest.raises(InputError, match=r"integrator\.speed"):
        _ = test.live_layout


def test_an_address_that_is_none_is_refused():
    with pytest.raises(InputError, match="address"):
        find("hardware", "udp")(address="not an address").open()


@pytest.mark.parametrize("kind", ["shared_memory", "simulated", "udp"])
def test_every_field_is_documented(kind):
    cls = find("hardware", kind)
    for field in fields(cls):
        assert field_meaning(cls, field.name), field.name
