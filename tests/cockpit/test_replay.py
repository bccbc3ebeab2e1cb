"""A replay shows a record by the clock, at any speed."""

from __future__ import annotations

import numpy as np
import pytest

from rths.cockpit.replay import FASTEST, Replay
from rths.config.plan import load
from rths.run.run_directory import RunDirectory
from rths.run.virtual import rehearse
from rths.studies.wallace2005.three_ways import PLAN


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
