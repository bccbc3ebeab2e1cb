"""Whoever sends a signal to the loop ramps it out; nobody ends it where it stands."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import numpy as np
import pytest

from rths.config.plan import load
from rths.realtime.control_words import ControlWord
from rths.realtime.supervisor import Pace, run_realtime
from rths.records.hdf5 import read
from rths.run.virtual import simulate
from rths.safety.phase import RAMPING_OUT
from rths.studies.wallace2005.three_ways import PLAN

pytestmark = pytest.mark.realtime


def signal_loop(number: int) -> None:
    for child in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split():
        if b"loop_process" in Path(f"/proc/{child}/cmdline").read_bytes():
            os.kill(int(child), number)


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_signal_at_the_loop_ramps_out(tmp_path, name):
    changes = {"clock.tick": 1 / 1024, "clock.duration": 60.0, "safety": {"rate": 0.05}}
    test, looks = load(PLAN, {**changes, "rig.file": "emulated"}), []

    def visit(life):
        looks.append(life.state)
        if len(looks) == 10:
            signal_loop(getattr(signal, name))

    told = []
    stop = run_realtime(test, tmp_path, Pace(heartbeat=30.0), visit=visit, tell=told.append)
    assert stop.reason == "interrupted"
    record, virtual = read(tmp_path / "record.h5"), simulate(test)
    left = int(np.argmax(record["safety.phase"][:, 0] >= RAMPING_OUT))
    assert 0 < left < 10_000
    assert record["safety.command"][-1, 0] == 0.0
    assert np.array_equal(record["safety.command"][:left], virtual["safety.command"][:left])
    assert f"{name} has reached the loop: it is left" in told
    assert any(name in e["reason"] for e in record.details["events"])


def test_a_test_without_a_way_to_safety_ends_in_good_order(tmp_path):
    test, looks = load(PLAN, {"clock.tick": 1 / 1024, "clock.duration": 60.0}), []

    def visit(life):
        looks.append(life.state)
        if len(looks) == 10:
            signal_loop(signal.SIGTERM)

    stop = run_realtime(test, tmp_path, Pace(heartbeat=30.0), visit=visit, tell=lambda words: None)
    assert stop.reason == "interrupted"
    assert ControlWord.SIGNAL < 16
