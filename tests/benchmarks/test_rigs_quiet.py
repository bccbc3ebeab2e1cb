"""Ten minutes of noise: speeds and wandering are measured as they are defined."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.rigs import quiet
from benchmarks.rigs.quiet import (
    JUDGED,
    SMALLEST,
    Quiet,
    largest_speed,
    largest_wander,
    noisy_test,
    run_whole,
)
from benchmarks.rigs.rig import DEVELOPMENT, DURATION, draw_rig
from benchmarks.rigs.settings import tell

TICK = 1 / 512
RIG = draw_rig(DEVELOPMENT + 2)


def test_speed_is_that_of_the_worst_minute_of_the_judged_end():
    t = np.arange(0, 2 * JUDGED, TICK)
    sine = np.sin(2 * np.pi * t)
    sine[t < JUDGED] *= 100  # free decay of the structure: before the judged end
    last = t >= 2 * JUDGED - 60
    sine[last] *= 3
    assert largest_speed(sine, TICK) == pytest.approx(3 * 2 * np.pi / np.sqrt(2), rel=1e-3)


def test_wandering_is_what_lies_outside_of_first_and_learnt_delay():
    delay = np.array([8.0, 3.0, 10.0, 9.0, 8.5, 8.0])
    assert largest_wander(delay, 2, 10.0) == 0.0
    delay[4] = 7.0
    assert largest_wander(delay, 2, 10.0) == pytest.approx(0.1)
    delay[3] = 12.0
    assert largest_wander(delay, 2, 10.0) == pytest.approx(0.2)


def test_bars_are_asked_for_all_at_once():
    assert Quiet(1, True, 1.4, 0.1, True, 0.0).passed
    assert not Quiet(1, True, 1.6, 0.1, True, 0.0).passed
    assert not Quiet(1, True, 1.4, 0.1, False, 0.0).passed
    assert not Quiet(1, False, 1.4, 0.1, True, 0.0).passed


def test_both_sensors_are_noisy_and_the_rig_without_an_earthquake_moves_by_noise_alone(monkeypatch):
    monkeypatch.setattr(quiet, "QUIET", 0.0)
    test = noisy_test(RIG, tell("bounded_inverse", RIG)).with_values({"excitation.peak": 0.0})
    assert test.feedback.displacement >= SMALLEST
    assert test.feedback.force == pytest.approx(RIG.stiffness * test.feedback.displacement)
    assert test.duration == DURATION
    command = run_whole(test)[:, 0]
    assert 0 < np.abs(command).max() < RIG.peak


def test_as_many_are_judged_as_are_asked_for_of_those_that_may_be_run(monkeypatch):
    ratios = {1: 1.0, 2: 6.8, 3: 2.0, 4: 1.0, 5: 1.0}
    verdicts = {1: "tested", 2: "unstable", 3: "proved", 4: "undecided", 5: "tested"}
    monkeypatch.setattr(quiet, "judge_quiet", lambda k: Quiet(k, True, ratios[k], 0.0, True, 0.0))
    monkeypatch.setattr(quiet, "certify_earthquake", verdicts.__getitem__)
    *lines, last = quiet.quiet_text([1, 2, 3, 4, 5], 2)
    assert [line.split()[-1] for line in lines] == ["ok", "MISSED", "MISSED"]
    assert [line.split()[2] for line in lines] == ["tested:", "unstable:", "proved:"]
    assert last == "1 of 2 that may be run passed (bar: all); 1 may not, of which 0 passed"
    *lines, last = quiet.quiet_text([1, 2, 3, 4, 5], 3)
    assert len(lines) == 5
    assert last == "2 of 3 that may be run passed (bar: all); 2 may not, of which 1 passed"
