"""A replay shows a record by the clock, at any speed."""

from __future__ import annotations

import numpy as np
import pytest

from rths.cockpit.replay import FASTEST, Replay, _place_events
from rths.config.plan import load
from rths.run.run_directory import RunDirectory
from rths.run.virtual import rehearse
from rths.studies.wallace2005.three_ways import PLAN
from tests.cockpit.test_view import read


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("run")
    rehearse(load(PLAN, {"clock.duration": 3.0}), RunDirectory(made).record)
    return made


def test_rows_come_as_the_clock_goes_and_all_of_them(folder):
    now = [0.0]
    replay = Replay(folder, lambda: now[0])
    taken = []
    for _ in range(200):
        now[0] += 1 / 60
        taken.append(replay.take_rows())
        assert len(taken[-1]) * replay.tick == pytest.approx(1 / 60, abs=1.1 * replay.tick) or (
            replay.is_over
        )
    assert replay.is_over
    ticks = np.concatenate(taken)[:, 0]
    assert ticks.tolist() == list(range(len(ticks)))
    assert len(ticks) == 3001


def test_speed_pause_and_jump(folder):
    now = [0.0]
    replay = Replay(folder, lambda: now[0])
    replay.set_speed(4.0)
    now[0] = 0.25
    assert len(replay.take_rows()) == 1000
    replay.set_speed(0.0)
    now[0] = 9.0
    assert len(replay.take_rows()) == 0
    replay.jump(2.5)
    replay.set_speed(1e9)
    assert replay.speed == FASTEST
    now[0] = 9.005
    assert replay.take_rows()[0, 0] == 2500
    replay.jump(float("1e9"))
    assert replay.is_over


def test_frames_begin_anew_after_a_jump(folder):
    now = [0.0]
    replay = Replay(folder, lambda: now[0])
    taken = []
    for jump in (None, 2.0):
        if jump is not None:
            replay.jump(jump)
        for _ in range(5):
            now[0] += 0.1
            taken.append(read(replay.take_frame())[1][0])
    stride = replay.view.stride
    assert np.concatenate(taken[:5]).tolist() == list(range(0, 500, stride))
    assert np.concatenate(taken[5:]).tolist() == [k for k in range(2000, 2500) if k % stride == 0]


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -float("inf")])
def test_what_is_no_time_and_no_speed_is_refused_and_the_replay_goes_on(folder, number):
    now = [0.0]
    replay = Replay(folder, lambda: now[0])
    for act in (replay.jump, replay.set_speed):
        with pytest.raises(ValueError):
            act(number)
    now[0] = 0.5
    assert len(replay.take_rows()) == 500


def test_events_come_when_they_happened():
    events = [
        {"time": "2026-01-01T12:00:00+00:00", "state": "armed", "reason": "by the run"},
        {"time": "2026-01-01T12:00:02+00:00", "state": "running", "reason": "", "tick": 500},
        {"time": "2026-01-01T12:00:07+00:00", "state": "running", "reason": "\x1b[2J asked for"},
        {"time": "no time", "state": "idle", "reason": "completed"},
    ]
    placed = _place_events(events, 0.001)
    assert [at for at, _ in placed] == [-1.5, 0.5, 5.5, 0.0]
    assert placed[2][1]["reason"] == "\N{REPLACEMENT CHARACTER}[2J asked for"
    assert [at for at, _ in _place_events(events[:1], 0.001)] == [0.0]


def test_the_limits_of_the_certificate_outlive_a_jump(folder):
    replay = Replay(folder)
    told = {"ok": True, "verdict": "proved", "sentence": "stable", "delay": 0.007, "gain": None,
            "searched_delay": None, "planned": [{"delay": 0.001, "gain": 1.0}]}  # fmt: skip
    replay.set_limits(told)
    replay.jump(1.0)
    assert replay.view.margins[0].limits.delay == 0.007
    assert replay.state()["certificate"] == told
    assert replay.state()["at"] == 1.0
