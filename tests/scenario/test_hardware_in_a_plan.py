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
from rths.hardware.base import Hardware
from rths.hardware.emulated.drive import APPROACH, AT_REST, RETURN
from rths.hardware.wire.layout import HEADER_WORDS
from rths.hardware.wire.policy import session_place
from rths.hardware.wire.session import WORDS
from rths.loop.cycle import Cycle
from rths.registry import LIVE_ROLES, find, kinds
from rths.studies.wallace2005.three_ways import PLAN


def test_the_kinds_are_the_links_and_nothing_else():
    assert LIVE_ROLES == ("hardware",)
    assert all(issubclass(find("hardware", kind), Hardware) for kind in kinds("hardware"))
    assert not {"emulated", "wire"} & set(kinds("hardware"))


@pytest.mark.parametrize("kind", kinds("hardware"))
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


FADE, LEFT, RATE = 100, 300, 0.01
BESIDE = {
    "hardware.kind": "udp", "hardware.missed": 100_000, "hardware.timeout": 1e-6,
    "hardware.velocity": "integrator.velocity", "hardware.force": "integrator.target",
    "clock.tick": 1 / 1024, "clock.duration": 2.0,
    "safety": {"rate": RATE, "hold": 0.01, "fade_in": FADE / 1024},
}  # fmt: skip
"""Nobody answers, nobody is missed; what is sent as a force is not 0 even without a rig."""


def sent(test, change=lambda cycle, k: None):
    """Run a wired test without its rig; give what the packets held, and what was to be sent."""
    layout = test.live_layout
    (place,) = [
        place for placed, place in zip(layout.placed, layout.places, strict=True)
        if placed.label == "hardware.udp"
    ]  # fmt: skip
    words = place.x + session_place(1) + WORDS + HEADER_WORDS  # displacement, velocity, force
    cycle = Cycle(layout, test.tick, "table")
    packets, meant = [], []
    for k in range(test.clock.ticks):
        change(cycle, k)
        if cycle.advance(1, np.empty((1, len(layout.record_slots)))) == 0:
            break
        packets.append(cycle.arena[words : words + 3].copy())
        names = ("integrator.velocity", test.hardware.force)
        meant.append([cycle.signal(n)[0] for n in names])
    return np.array(packets), np.array(meant), cycle.stop


def trip_by_hand(cycle, k):
    if k == LEFT:
        cycle.arena[cycle.layout.signals["operator.ramp_out"].first] = 2.0


def test_velocity_and_force_go_the_way_of_the_command():
    test = load(PLAN, BESIDE)
    packets, meant, stop = sent(test, trip_by_hand)
    command, velocity, force = packets.T
    moved = np.diff(command, prepend=0.0) / test.tick  # it stood at 0 before
    assert (stop.guard, stop.tripped) == ("operator", LEFT)
    assert_array_equal(velocity[:FADE], moved[:FADE])
    assert_array_equal(force[:FADE], np.arange(FADE) / FADE * meant[:FADE, 1])
    assert_array_equal(packets[FADE:LEFT, 1:], meant[FADE:LEFT])
    assert_array_equal(velocity[LEFT:], moved[LEFT:])
    assert np.abs(velocity[LEFT:]).max() <= RATE
    assert velocity[LEFT:].any()
    assert not force[LEFT:].any()
    assert np.abs(meant[LEFT:, 0]).max() > 2 * RATE  # that of the free structure is another
    assert meant[LEFT:, 1].any()


def test_no_packet_holds_what_is_not_a_number():
    broken = {"feedback": {"kind": "fault", "fault": "nan", "start": LEFT / 1024}}
    test = load(PLAN, {**BESIDE, **broken, "hardware.force": "feedback.force"})
    packets, meant, stop = sent(test)
    assert stop.reason == "trip"
    assert np.isnan(meant[LEFT:, 1]).all()
    assert np.isfinite(packets).all()
    test = load(PLAN, {**BESIDE, "hardware.force": "integrator.velocity"})
    spoil = {150: "structure.velocity"}  # no guard looks at it

    def change(cycle, k):
        if k in spoil:
            cycle.arena[cycle.layout.signals[spoil[k]].first] = np.nan

    packets, meant, _ = sent(test, change)
    assert np.isnan(meant[150]).all()
    assert_array_equal(packets[150, 1:], [0.0, 0.0])
    assert np.isfinite(packets).all()


def live(changes):
    test = load(PLAN, {"clock.tick": 1 / 1024, "clock.duration": 1.0, **changes})
    cycle = Cycle(test.live_layout, test.tick, "table")
    return test, cycle, np.empty((test.clock.ticks, len(test.live_layout.record_slots)))


SILENT = {"hardware": {"kind": "simulated", "policy": "trip", "faults": ["loss=1@0.25"]}}


def test_a_lost_link_takes_the_way_to_safety_if_there_is_one():
    test, cycle, rows = live({**SILENT, "safety": {"rate": RATE}})
    cycle.advance(len(rows), rows)
    assert (cycle.stop.reason, cycle.stop.guard) == ("trip", "link_lost")
    assert cycle.stop.tripped == 256 + test.hardware.missed - 1
    assert cycle.signal("safety.command")[0] == 0.0


def test_a_lost_link_ends_a_test_without_a_way_to_safety_in_words():
    test, cycle, rows = live(SILENT)
    cycle.advance(len(rows), rows)
    assert (cycle.stop.reason, cycle.stop.tick) == ("block", 256 + test.hardware.missed - 1)
    assert "link lost: 10 replies missed in a row" in str(cycle.stop)


@pytest.mark.parametrize("mode", [APPROACH, RETURN, AT_REST])
def test_a_rig_that_no_longer_follows_trips(mode):
    test, cycle, rows = live({"hardware.kind": "simulated", "safety": {"rate": RATE}})
    layout = test.live_layout
    cycle.advance(400, rows[:400])
    (place,) = [
        place for placed, place in zip(layout.placed, layout.places, strict=True)
        if placed.label == "rig.drive"
    ]  # fmt: skip
    cycle.arena[place.x] = mode
    cycle.advance(len(rows) - 400, rows[400:])
    assert (cycle.stop.guard, cycle.stop.tripped) == ("rig_does_not_follow", 400)


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
    with pytest.raises(InputError, match=r"integrator\.speed") as error:
        _ = test.live_layout
    assert error.value.field == "hardware.velocity"


@pytest.mark.parametrize("field", ["hardware.velocity", "hardware.force"])
def test_a_signal_without_a_value_for_each_actuator_is_refused_by_its_field(field):
    test = load(PLAN, {"hardware.kind": "udp", field: "excitation.signal"})
    with pytest.raises(InputError, match=r"2 value\(s\) for 1 actuator") as error:
        _ = test.live_layout
    assert (error.value.field, error.value.value) == (field, "excitation.signal")


def test_a_rig_is_not_sent_beyond_the_limits_before_the_test():
    let_go = {"kind": "free_vibration", "displacement": 0.03}
    test = load(PLAN, {"hardware.kind": "udp", "excitation": let_go})
    with pytest.raises(InputError, match="where the test begins") as error:
        _ = test.live_layout
    assert error.value.field == "limits.compensator.command"


def test_an_address_that_is_none_is_refused():
    with pytest.raises(InputError, match="address"):
        find("hardware", "udp")(address="not an address").open()


@pytest.mark.parametrize("kind", kinds("hardware"))
def test_every_field_is_documented(kind):
    cls = find("hardware", kind)
    for field in fields(cls):
        assert field_meaning(cls, field.name), field.name
