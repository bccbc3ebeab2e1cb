"""What is left of a motion is told from noise-free signals whose end is known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from benchmarks.certificates.look import look_at

T = np.linspace(0.0, 40.0, 8000)[:, None]
SINE = np.sin(2 * np.pi * T)
PEAK = 0.01


MOTIONS = {
    "dies out": (PEAK * np.exp(-0.3 * T) * SINE, "gone"),
    "decays": (PEAK * np.exp(-0.02 * T) * SINE, "decays"),
    "hardly decays": (PEAK * np.exp(-0.004 * T) * SINE, "decays"),
    "grows": (PEAK * np.exp(+0.02 * T) * SINE, "grows"),
    "runs off": (PEAK * np.exp(+0.2 * T) * SINE, "lost"),
    "limit cycle": (0.3 * PEAK * SINE, "lasts"),
    "small cycle": (0.03 * PEAK * SINE, "small"),
    "tiny cycle": (0.003 * PEAK * SINE, "gone"),
    "plastic set": (3 * PEAK * np.ones_like(T), "gone"),
    "creep": (1e-3 * PEAK * T, "gone"),
    "falls over": (1e-4 * PEAK * np.exp(0.23 * T), "grows"),
}


@pytest.mark.parametrize(("motion", "trend"), MOTIONS.values(), ids=MOTIONS)
def test_a_motion_is_called_by_its_end(motion, trend):
    look = look_at("a motion", motion, np.zeros_like(motion), len(T), 400, PEAK)
    assert look.trend == trend


def test_a_run_that_ends_early_is_lost():
    look = look_at("a motion", SINE[:100], np.zeros_like(SINE), len(T), 400, PEAK)
    assert look.trend == "lost"


def test_a_shared_motion_is_no_distance():
    look = look_at("a copy", SINE, SINE, len(T), 400, PEAK)
    assert look.trend == "gone"
    assert look.own > 50


def test_two_runs_that_stay_within_the_motion_are_not_lost_however_they_come_apart():
    copy = PEAK * np.where(T < 10.0, SINE, -0.9 * SINE)
    look = look_at("a copy", copy, PEAK * SINE, len(T), 400, PEAK)
    assert look.trend == "lasts"
    assert replace(look, wanted=0.01).strays
    assert not replace(look, wanted=1.0).strays


def test_a_motion_is_measured_by_that_of_its_channel():
    both = np.hstack([0.03 * PEAK * SINE, PEAK * np.exp(-0.3 * T) * SINE])
    look = look_at("a motion", both, np.zeros_like(both), len(T), 400, np.array([0.1, 1.0]) * PEAK)
    assert look.trend == "lasts"
