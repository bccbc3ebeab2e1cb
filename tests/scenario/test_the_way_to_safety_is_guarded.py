"""If the way to safety does not help, the rig is asked to release its oil pressure."""

from __future__ import annotations

import numpy as np
import pytest

from rths.config.plan import load
from rths.hardware.wire.layout import RELEASE_PRESSURE, TO_FLAGS
from rths.hardware.wire.policy import X, session_place
from rths.hardware.wire.session import WORDS as SESSION_WORDS
from rths.hardware.wire.status import PRESSURE
from rths.loop.cycle import Cycle
from rths.safety.phase import RAMPING_OUT
from rths.safety.relief import ASKED, DONE
from rths.studies.wallace2005.three_ways import PLAN

TICK = 1 / 1024
LAB = """
[rig]
name = "wall"
[actuator]
stroke = 0.05
velocity = 0.5
acceleration = 20.0
force = 25.0
noise = 1e-6
force_near = 0.1
"""


@pytest.fixture
def run(tmp_path):
    """Run a live plan on a virtual clock, trip it by hand; give its signals and its stop."""
    (tmp_path / "wall.toml").write_text(LAB)

    def advance(*faults, trip=None, **safety):
        test = load(
            PLAN,
            {
                "clock.tick": TICK, "clock.duration": 2.0,
                "safety": {"rate": 0.02, **safety},
                "hardware": {"kind": "simulated", "faults": list(faults)},
                "rig": {"file": str(tmp_path / "wall.toml")},
            },
        )  # fmt: skip
        cycle = test.cycle("table", live=True)
        layout = test.live_layout
        rows = np.empty((test.clock.ticks, len(layout.record_slots)))
        done = 0
        if trip is not None:
            done = cycle.advance(trip, rows[:trip])
            cycle.arena[layout.signals["operator.ramp_out"].first] = 2.0
        done += cycle.advance(len(rows) - done, rows[done:])
        slots = layout.record_slots.tolist()
        found = {
            name: rows[:done, [slots.index(s) for s in layout.signals[name].slots]]
            for name in layout.recorded
        }
        return found, cycle.stop

    return advance


def check_smooth(found):
    """Check that the command never left the limits of the rig, whichever way it took."""
    sent = found["safety.command"][:, 0]
    assert np.abs(np.diff(sent, n=2)).max() <= 20.0 * TICK**2 * (1 + 1e-9)
    assert np.abs(sent).max() <= 0.05


def test_a_way_that_helps_is_taken_to_its_end(run):
    found, stop = run(trip=700)
    assert stop.guard == "operator"
    assert not found["safety.relief"].any()
    assert found["safety.command"][-1, 0] == 0.0
    assert stop.message.endswith("at the safe position")
    check_smooth(found)


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("jump_force=40@0.6", "force of actuator[0] was"),
        ("drift_displacement=0.2@0.6", "following of actuator[0] was"),
    ],
)
def test_a_way_that_does_not_help_ends_in_a_relief(run, fault, words):
    found, stop = run(fault, hold=0.6)
    relief, status = found["safety.relief"][:, 0], found["hardware.status"][:, 0].astype(int)
    assert stop.reason == "trip"
    assert words in stop.message
    assert "release its pressure" in stop.message
    assert relief[-1] == DONE  # the loop ends only when it has asked for as long as it must
    asked = int(np.argmax(relief >= ASKED))
    assert status[asked + 2 :].all()
    assert np.all(status[asked + 2 :] & PRESSURE)
    sent = found["safety.command"][asked - 100 :, 0]
    assert np.ptp(sent) == 0.0  # it stands long before the pressure goes
    left = int(np.argmax(found["safety.phase"][:, 0] >= RAMPING_OUT))
    assert 0.2 / TICK <= asked - left <= 1.5 / TICK  # patience, then half a second of standing
    check_smooth(found)


def test_the_force_is_released_where_the_plan_says_so(run):
    found, stop = run(trip=700, way="force")
    assert stop.message.endswith("with the force released")
    assert abs(found["specimen.force"][-1, 0]) <= 0.1
    assert not found["safety.relief"].any()
    check_smooth(found)


def test_a_force_that_cannot_be_read_is_not_released_blindly(run):
    found, stop = run("nan_force@0.6", way="force")
    assert stop.reason == "trip"
    assert "release its pressure" in stop.message
    assert np.isfinite(found["safety.command"]).all()
    check_smooth(found)


def test_ramping_out_that_does_not_help_is_a_trip(run):
    """An actuator away from a command that stands: no guard of a running test looks at that."""
    found, stop = run("drift_displacement=0.015@1.7", hold=0.6)
    assert (stop.reason, stop.guard) == ("trip", "relief")
    assert "following of actuator[0] was" in stop.message
    check_smooth(found)


def test_every_packet_of_a_relief_asks_the_rig_to_release_its_pressure(tmp_path):
    """Nobody answers; what was measured last is far from where the command stands."""
    (tmp_path / "wall.toml").write_text(LAB)
    changes = {
        "clock.tick": TICK, "clock.duration": 0.2, "safety": {"rate": 0.02, "hold": 0.5},
        "hardware": {"kind": "udp", "missed": 200, "timeout": 1e-6, "force": "feedback.force"},
        "rig": {"file": str(tmp_path / "wall.toml")},
    }  # fmt: skip
    test = load(PLAN, changes)
    layout = test.live_layout
    cycle = Cycle(layout, TICK, "table")
    place = next(
        place for placed, place in zip(layout.placed, layout.places, strict=True)
        if placed.role == "hardware"
    )  # fmt: skip
    cycle.arena[place.x + X.kept] = 0.02
    word = place.x + session_place(1) + SESSION_WORDS + TO_FLAGS // 8
    flags, relief = [], []
    while cycle.advance(1, np.empty((1, len(layout.record_slots)))):
        flags.append(int(cycle.arena.view(np.int64)[word]) & RELEASE_PRESSURE)
        relief.append(float(cycle.signal("safety.relief")[0]))
    asked = np.array(relief) >= ASKED
    assert asked.sum() > 0.4 / TICK
    assert np.array_equal(np.array(flags) == RELEASE_PRESSURE, asked)
