"""Frozen and saturated displacements are told apart, and neither is seen in good order."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest

from rths.guard.frozen_displacement import FrozenDisplacement
from rths.guard.saturation import Saturation

H, AMPLITUDE, LATE = 1 / 1024, 0.01, 10
T = H * np.arange(4096)
COMMAND = AMPLITUDE * np.sin(2 * pi * T)
MOVED = np.concatenate([np.zeros(LATE), COMMAND[:-LATE]])
GUARDS = {"frozen": FrozenDisplacement, "saturated": Saturation}
NOISE = np.random.default_rng(5).normal(scale=1e-5, size=len(T))


def values(judged, which, measured, missed=None):
    missed = np.zeros(len(T)) if missed is None else missed
    g = GUARDS[which](still=2e-4, trip=1.0)
    return judged(g, np.column_stack([measured, COMMAND, missed]))[:, 1]


@pytest.mark.parametrize("which", GUARDS)
def test_a_delayed_motion_is_in_good_order(judged, which):
    # What stands still within a at a turning point does so for 2 sqrt(2a/A)/ω; the command goes on
    # for that time and the delay.
    still = 2 * np.sqrt(2 * 2e-4 / AMPLITUDE) / (2 * pi) + LATE * H
    most = AMPLITUDE * (1 - np.cos(2 * pi * still)) + 2 * pi * AMPLITUDE * LATE * H + 2e-4
    assert values(judged, which, MOVED + NOISE).max() < most


@pytest.mark.parametrize("at", [0.3, 0.55, 0.8, 1.02])
def test_a_frozen_displacement_with_noise_is_named_within_a_period(judged, at):
    k = round(at / H)
    measured = np.where(np.arange(len(T)) < k, MOVED, MOVED[k]) + NOISE
    found = values(judged, "frozen", measured)
    assert found[: k + 1].max() < 0.1 * AMPLITUDE
    assert found[k : k + 1024].max() > 0.5 * AMPLITUDE


def test_a_saturated_displacement_is_named_and_is_not_called_frozen(judged):
    measured = np.clip(MOVED, -0.5 * AMPLITUDE, 0.5 * AMPLITUDE) + NOISE
    assert values(judged, "saturated", measured).max() > 0.4 * AMPLITUDE
    late = 2 * pi * AMPLITUDE * np.sqrt(3) / 2 * LATE * H  # the command is ahead, out and back
    assert values(judged, "frozen", measured).max() < 2 * late + 2 * 2e-4


@pytest.mark.parametrize("which", GUARDS)
def test_the_way_during_missed_replies_does_not_count(judged, which):
    k = np.arange(len(T))
    gone = (k >= 300) & (k < 700)
    measured = np.where(gone, MOVED[299], MOVED)
    missed = np.where(gone, k - 299.0, 0.0)
    assert values(judged, which, measured, missed).max() < 0.12 * AMPLITUDE
    assert max(values(judged, w, measured).max() for w in GUARDS) > 0.3 * AMPLITUDE
