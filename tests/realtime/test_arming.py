"""A test begins with a rig that answers and stands where the test begins, or not at all."""

from __future__ import annotations

from itertools import chain, repeat

import numpy as np
import pytest

from rths.config.plan import load
from rths.errors import InputError
from rths.hardware.wire.status import APPROACHING, PRESSURE, STOPPED
from rths.realtime import arming
from rths.realtime.supervisor import Pace, run_realtime
from rths.studies.wallace2005.three_ways import PLAN


def planned(**changes):
    link = {"hardware.kind": "udp", "hardware.port": 0}
    return load(PLAN, {**link, "clock.tick": 1 / 1024, "clock.duration": 0.2, **changes})


class Asked:
    """A link whose answers are known beforehand; None is an answer that does not come."""

    def __init__(self, test, answers) -> None:
        self.signals = test.live_layout.signals
        self.arena = np.zeros(len(test.live_layout.initial))
        self.answers, self.count = iter(answers), 0

    def __call__(self) -> int:
        status = next(self.answers)
        self.count += 1
        self.arena[self.signals["hardware.missed"].first] = status is None
        if status is not None:
            self.arena[self.signals["hardware.status"].first] = status
        return 1


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    clock = iter(np.arange(0.0, 1e6, 0.1))
    monkeypatch.setattr(arming.time, "monotonic", lambda: float(next(clock)))
    monkeypatch.setattr(arming.time, "sleep", lambda seconds: None)


def test_it_is_armed_when_the_approach_has_ended():
    test = planned()
    ask = Asked(test, chain([None, None], [APPROACHING] * 7, repeat(0)))
    arming._wait_until_ready(test, ask.arena, ask)
    assert ask.count == 10


@pytest.mark.parametrize(
    ("answers", "problem"),
    [
        (repeat(None), "not answered for 2 s"),
        (chain([APPROACHING] * 30, repeat(None)), "not answered for 2 s"),
        (repeat(APPROACHING), "on its way for 120 s"),
        (chain([APPROACHING], repeat(STOPPED)), "stopped by its operator"),
        (repeat(APPROACHING | PRESSURE), "oil pressure lost"),
    ],
)
def test_a_rig_that_is_not_ready_is_refused_with_the_reason(answers, problem):
    test = planned()
    ask = Asked(test, answers)
    with pytest.raises(InputError, match=problem):
        arming._wait_until_ready(test, ask.arena, ask)


def test_a_test_without_a_wire_needs_no_arming(tmp_path, monkeypatch):
    monkeypatch.undo()
    simulated = load(PLAN, {"hardware.kind": "simulated", "clock.duration": 0.05})
    assert run_realtime(simulated, tmp_path, Pace(heartbeat=30.0)).completed


def test_without_a_rig_there_is_no_test_and_nothing_is_left_behind(tmp_path, monkeypatch):
    monkeypatch.undo()
    safe = {"safety": {"rate": 0.05}, "rig": {"file": "emulated"}}
    test = planned(**{"hardware.port": 9, **safe})
    with pytest.raises(InputError, match="has not answered") as error:
        run_realtime(test, tmp_path)
    assert error.value.field == "hardware"
    assert not (tmp_path / "journal").exists()
    assert "idle" in (tmp_path / "events.json").read_text().rpartition("state")[2]
