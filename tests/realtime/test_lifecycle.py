"""The life of a test: ways that exist, each with its reason; a trip stays until acknowledged."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from rths.config.plan import dumps, load
from rths.errors import InputError
from rths.loop.stop import Stop
from rths.realtime.control_words import ControlWord
from rths.realtime.lifecycle import WAYS, LifeCycle
from rths.realtime.recovery import recover
from rths.realtime.ring import SharedRing
from rths.realtime.supervisor import run_realtime
from rths.realtime.trip_latch import refuse_tripped
from rths.realtime.words import RATIO
from rths.records.hdf5 import read
from rths.run.virtual import simulate
from rths.studies.wallace2005.three_ways import PLAN

SHARE = {
    "kind": "substructuring_ratio", "change": "operator", "ratio": 0.0,
    "estimate": {"kind": "spring", "stiffness": 2250.0},
}  # fmt: skip
HEARD = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
"""In the background Ctrl-C may be ignored from the start."""
RUN = """
import sys
from pathlib import Path
from rths.config.plan import load
from rths.realtime.supervisor import run_realtime
run_realtime(load(sys.argv[1]), Path(sys.argv[2]))
"""
PATIENT = {"kind": "heartbeat", "trip": 60.0}  # a busy machine may keep the supervisor waiting
SILENCE = "guard.heartbeat_value"  # the one signal that a virtual run cannot have


def rig(*guards, **changes):
    given = {"clock.tick": 1 / 1024, "clock.duration": 0.6, "safety": {"rate": 0.05, "hold": 0.02}}
    return load(PLAN, {**given, "guard": list(guards or [PATIENT]), **changes})


def columns(test, name):
    return range(test.layout.signals[name].width)


def test_every_state_leads_home_and_a_trip_only_there():
    assert WAYS["tripped"] == ("idle",)
    assert all("tripped" in ways for state, ways in WAYS.items() if state != "tripped")
    for state in WAYS:
        seen, left = set(), [state]
        while left:
            now = left.pop()
            if now not in seen:
                seen.add(now)
                left += WAYS[now]
        assert "idle" in seen


def test_a_way_that_does_not_exist_is_refused_and_leaves_no_trace(tmp_path, states):
    life = LifeCycle(tmp_path)
    life.move("idle", "configured")
    with pytest.raises(InputError, match="does not follow on idle"):
        life.move("running", "in a hurry")
    assert life.state == "idle"
    assert states(tmp_path) == ["idle"]


def test_a_run_goes_through_its_states_with_the_numbers_of_the_virtual_run(tmp_path, states):
    test = rig(**{"safety.fade_in": 0.2})
    stop = run_realtime(test, tmp_path)
    assert stop.completed
    assert states(tmp_path) == ["idle", "armed", "ramping in", "running", "ramping out", "idle"]
    record, virtual = read(tmp_path / "record.h5"), simulate(test)
    assert virtual.stop == stop
    for name in set(virtual) - {SILENCE}:
        assert np.array_equal(record[name], virtual[name])
    assert record["safety.command"][-1, 0] == 0.0


def test_the_operator_hands_over_and_back_and_a_virtual_run_repeats_it(tmp_path):
    test = rig(feedback=SHARE, **{"clock.duration": 1.0})
    asked = []

    def visit(life):
        if not asked:
            asked.append(life.hand_over(1.0, 0.2, "well tracked"))
        elif len(asked) < 5:  # it has arrived, for as long as four looks
            if life._words.get(RATIO) == 1.0:
                asked.append(True)
        elif len(asked) == 5:
            asked.append(life.hand_over(0.0, 0.1, "enough"))

    assert run_realtime(test, tmp_path, visit=visit).completed
    record = read(tmp_path / "record.h5")
    share = record["feedback.substructuring_ratio"][:, 0]
    assert (share[0], share.max(), share[-1]) == (0.0, 1.0, 0.0)
    steps = np.abs(np.diff(share))
    assert steps.max() <= 0.2 / 20 + 1e-9  # a fifth in 20 ms on the way back, tick by tick
    ways = np.count_nonzero(steps)
    assert ways > 0.25 * 1024  # 0.3 s in all, on a ramp and not on stairs
    cycle = test.cycle("table")
    rows = np.empty((len(share), len(test.layout.record_slots)))
    slot = test.layout.signals["operator.substructuring_ratio"].first
    for k, ratio in enumerate(share):
        cycle.arena[slot] = ratio
        cycle.advance(1, rows[k : k + 1])
    same = np.flatnonzero([n != SILENCE for n in test.layout.recorded for _ in columns(test, n)])
    assert np.array_equal(rows[:, same], record.rows[:, same])
    reasons = [e["reason"] for e in json.loads((tmp_path / "events.json").read_text())]
    assert any("well tracked" in r for r in reasons)


@pytest.mark.parametrize(("act", "reason"), [("ramp_out", "interrupted"), ("trip", "trip")])
def test_the_operator_ends_it_on_the_safe_path(tmp_path, act, reason):
    test = rig(**{"clock.duration": 5.0})
    visits = []

    def visit(life):
        visits.append(life.state)
        if len(visits) == 15:
            assert getattr(life, act)("enough")

    stop = run_realtime(test, tmp_path, visit=visit)
    sent = read(tmp_path / "record.h5")["safety.command"][:, 0]
    assert stop.reason == reason
    assert stop.tick == len(sent) < 5 * 1024
    assert sent[-1] == 0.0
    left = int(np.argmax(read(tmp_path / "record.h5")["safety.phase"][:, 0] >= 2))
    assert np.abs(np.diff(sent[left - 1 :])).max() <= 0.05 / 1024


def test_too_many_slips_trip_on_the_safe_path(tmp_path):
    test = rig(PATIENT, {"kind": "slips", "trip": 1e6}, **{"clock.duration": 5.0})

    def visit(life):
        life._words.ring.write(ControlWord.SLIPS, 2_000_000)

    stop = run_realtime(test, tmp_path, visit=visit)
    assert (stop.reason, stop.guard) == ("trip", "slips")
    assert read(tmp_path / "record.h5")["safety.command"][-1, 0] == 0.0


def test_a_killed_supervisor_trips_the_loop_on_the_safe_path(tmp_path):
    test = rig(**{"guard": [], "clock.duration": 30.0})  # guarded without being told
    plan, folder = tmp_path / "plan.toml", tmp_path / "run"
    plan.write_text(dumps(test))
    supervisor = subprocess.Popen([sys.executable, "-c", RUN, str(plan), str(folder)])
    ring = None
    for _ in range(3000):
        if ring is None and (folder / "realtime.json").exists():
            about = json.loads((folder / "realtime.json").read_text() or "{}")
            if about and Path(about["ring"]).exists():
                ring = SharedRing.attach(Path(about["ring"]), about["width"])
        if ring is not None and ring.read(ControlWord.WRITTEN) > 200:
            break
        time.sleep(0.01)
    os.kill(supervisor.pid, signal.SIGKILL)
    supervisor.wait(20)
    for _ in range(1000):
        if (folder / "status.json").exists():
            break
        time.sleep(0.01)
    time.sleep(0.1)
    stop = recover(folder)
    assert (stop.reason, stop.guard) == ("trip", "heartbeat")
    record = read(folder / "record.h5")
    assert record["safety.command"][-1, 0] == 0.0
    assert len(record.rows) == stop.tick


def test_ctrl_c_in_the_terminal_ramps_out_and_ends_in_good_order(tmp_path, states):
    test = rig(**{"clock.duration": 30.0})
    plan, folder = tmp_path / "plan.toml", tmp_path / "run"
    plan.write_text(dumps(test))
    command = [sys.executable, "-c", HEARD + RUN, str(plan), str(folder)]
    supervisor = subprocess.Popen(command, start_new_session=True)
    for _ in range(3000):
        if "running" in (states(folder) if (folder / "events.json").exists() else []):
            break
        time.sleep(0.01)
    time.sleep(0.2)
    os.killpg(supervisor.pid, signal.SIGINT)  # as a terminal does: to all of the group
    supervisor.wait(20)
    record = read(folder / "record.h5")
    assert record.stop.reason == "interrupted"
    assert record["safety.command"][-1, 0] == 0.0
    assert states(folder)[-2:] == ["ramping out", "idle"]


def test_a_killed_loop_is_latched_like_a_trip(tmp_path):
    life = LifeCycle(tmp_path, "running")
    life.end(Stop("killed", 7, 0.007, "the loop's process was killed"))
    assert life.state == "tripped"
    with pytest.raises(InputError, match="was killed"):
        refuse_tripped(tmp_path)
