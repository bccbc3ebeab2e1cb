"""What a rig cannot have is refused by name, and what it has reaches the loop."""

from __future__ import annotations

import threading
import uuid

import numpy as np
import pytest

from rths.config.plan import load
from rths.errors import InputError
from rths.hardware.base import attach
from rths.hardware.emulated.drive import RigSafety, drive_block
from rths.hardware.emulated.fault import parse_fault
from rths.hardware.wire.layout import COMMAND
from rths.hardware.wire.packet import Packet, unpack
from rths.hardware.wire.session import Session
from rths.hardware.wire.status import SAFE
from rths.loop.cycle import Cycle
from rths.realtime.rig import Rig, Serving
from rths.registry import find
from rths.studies.wallace2005.three_ways import PLAN


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("clock=-1", "-0.9 to 10"),
        ("clock=-2", "-0.9 to 10"),
        ("loss=0.5@1+nan", "never there"),
        ("loss=0.5@1+0", "never there"),
        ("stuck_force@1+-2", "never there"),
        ("stuck_force@nan", "never there"),
        ("stuck_force=3", "means nothing"),
        ("jump_force", "needs a value"),
        ("jump_force=nan", "impossible value"),
        ("jitter=inf", "impossible value"),
        *[(f"{n}:0", "whole rig") for n in ("stop", "loss=1", "jitter=1", "clock=0.1")],
    ],
)
def test_a_fault_that_could_do_nothing_is_refused(text, known):
    with pytest.raises(InputError, match=known) as error:
        parse_fault(text)
    assert (error.value.field, error.value.value) == ("fault", text)


def test_an_actuator_that_the_rig_does_not_have_has_no_fault():
    wired = load(PLAN, {"hardware.kind": "udp"})
    with pytest.raises(InputError, match="stuck_force:5"):
        Rig(wired, faults=(parse_fault("stuck_force:5"),))
    simulated = load(PLAN, {"hardware": {"kind": "simulated", "faults": ["stuck_force:1"]}})
    with pytest.raises(InputError, match="the rig has 1"):
        _ = simulated.live_layout
    drive_block(0.01, [0.0, 0.0], RigSafety(), (parse_fault("stuck_force:1"),))


@pytest.mark.parametrize("name", ["loss", "jitter", "clock"])
def test_a_wire_has_a_fault_once(name):
    twice = (parse_fault(f"{name}=0.1@1+1"), parse_fault(f"{name}=0.2@3+1"))
    with pytest.raises(InputError, match=f"'{name}': is given more than once"):
        Rig(load(PLAN, {"hardware.kind": "udp"}), faults=twice)


@pytest.mark.parametrize("value", [0.0, -5.0, np.nan, np.inf, 1e12])
def test_a_rig_has_a_clock_that_can_be_kept(value):
    with pytest.raises(InputError) as error:
        Rig(load(PLAN, {"hardware.kind": "udp"}), rate=value)
    assert error.value.field == "rig.rate"


@pytest.mark.parametrize(
    ("name", "field", "values"),
    [
        ("rate", "rig.safe_rate", [0.0, -1.0, np.nan, np.inf]),
        ("timeout", "rig.timeout", [0.0, -1.0, np.nan, np.inf]),
        ("hold", "rig.hold", [-1.0, np.nan, np.inf]),
        ("position", "rig.position", [np.nan, np.inf, -np.inf]),
    ],
)
def test_a_safety_that_is_none_is_refused(name, field, values):
    for value in values:
        with pytest.raises(InputError) as error:
            RigSafety(**{name: value})
        assert error.value.field == field


@pytest.mark.parametrize(
    "name",
    ["", " ", "no/such/dir", ".", "..", "a\0b", "/home/me/thesis.txt", "~/x", "a b", "a" * 65],
)
def test_a_name_that_shared_memory_cannot_have_is_refused(name):
    with pytest.raises(InputError) as error:
        find("hardware", "shared_memory")(name=name).open()
    assert error.value.field == "hardware.name"


def command(session, sequence, value=0.0, flags=0):
    values = ((value, 0.0, 0.0),)
    return Packet(COMMAND, sequence, 77, session.number, values, flags).pack(session.key)


def test_a_rig_never_takes_what_a_dead_loop_left_in_shared_memory(meet):
    link = {"kind": "shared_memory", "name": f"rths-test-{uuid.uuid4().hex}"}
    test = load(PLAN, {"hardware": link})
    dead = test.hardware.open()
    try:
        dead.send(command(Session(900, bytes(16)), 1, 0.01))
        dead.close()
        serving = Serving(Rig(test), test.hardware.serve())
        serving.advance(0.01)
        assert serving.counts["accepted"] + serving.counts["refused"] == 0
        assert serving.status == SAFE
        line = meet(test.hardware.open(), serving)
        line.send(command(line.session, 1))
        serving.advance(0.01)
        assert serving.counts["accepted"] == 1
    finally:
        test.hardware.remove()


@pytest.mark.parametrize("name", ["force", "displacement"])
def test_behind_the_simulated_link_a_broken_sensor_trips_as_not_finite(name):
    given = {
        "clock.tick": 1 / 1024, "clock.duration": 0.5, "limits.compensator.command": 0.012,
        "safety": {"rate": 0.05}, "hardware": {"kind": "simulated", "faults": [f"nan_{name}@0.2"]},
    }  # fmt: skip
    test = load(PLAN, given)
    cycle = Cycle(test.live_layout, test.tick, "table")
    rows = np.empty((test.clock.ticks, len(test.live_layout.record_slots)))
    cycle.advance(len(rows), rows)
    assert cycle.stop.reason == "trip"
    assert "finite" in cycle.stop.guard
    assert cycle.stop.tripped == np.ceil(0.2 * 1024)


@pytest.mark.parametrize("place", [0, 2], ids=["displacement", "force"])
def test_a_broken_sensor_answers_over_the_wire_with_no_number(place, meet):
    name = ("displacement", "velocity", "force")[place]
    link = {"kind": "shared_memory", "name": f"rths-test-{uuid.uuid4().hex}"}
    test = load(PLAN, {"hardware": link})
    try:
        rig = Rig(test, faults=(parse_fault(f"nan_{name}"),), triggered=True)
        serving = Serving(rig, test.hardware.serve())
        line = meet(test.hardware.open(), serving)
        line.send(command(line.session, 1))
        serving.advance(0.01)
        answer = unpack(line.receive(), line.session.key)
        assert np.isnan(answer.values[0][place])
        assert np.isfinite(answer.values[0][2 - place])
        assert answer.sequence == 1
    finally:
        test.hardware.remove()


@pytest.mark.realtime
@pytest.mark.parametrize("name", ["force", "displacement"])
def test_over_the_wire_a_broken_sensor_trips_the_loop_as_not_finite(name, meet):
    link = {"kind": "shared_memory", "name": f"rths-test-{uuid.uuid4().hex}", "timeout": 0.015}
    given = {
        "clock.tick": 1 / 64, "clock.duration": 2.0, "limits.compensator.command": 0.012,
        "safety": {"rate": 0.05}, "hardware": link,
    }  # fmt: skip
    test = load(PLAN, given)
    rig = Rig(test, RigSafety(timeout=60.0), (parse_fault(f"nan_{name}@0.5"),), triggered=True)
    serving, over = Serving(rig, test.hardware.serve()), threading.Event()
    line = meet(test.hardware.open(), serving)
    cycle = Cycle(test.live_layout, test.tick, "table")
    attach(line, test.live_layout, cycle.arena)

    def work():
        while not over.is_set():
            serving.advance(0.02)

    thread = threading.Thread(target=work)
    thread.start()
    rows = np.empty((test.clock.ticks, len(test.live_layout.record_slots)))
    cycle.advance(len(rows), rows)
    over.set()
    thread.join(5)
    test.hardware.remove()
    assert cycle.stop.guard.startswith("finite")
    assert cycle.stop.signal == f"feedback.{name}"
