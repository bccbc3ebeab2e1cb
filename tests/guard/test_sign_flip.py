"""A sensor the wrong way round is told by its motion, whatever its size and noise."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.guard.sign_flip import SignFlip

H = 1 / 1024
T = H * np.arange(6000)
COMMAND = 0.01 * np.sin(2 * pi * T) + 0.004  # a static displacement has no sign to flip
GUARD = SignFlip(signal="feedback.displacement", quiet=1e-3, window=1.0, trip=0.5)


def judge(judged, signal, missed=None):
    missed = np.zeros(len(T)) if missed is None else missed
    return judged(GUARD, np.column_stack([signal, COMMAND, missed]))


@pytest.mark.parametrize("scale", [1.0, 500.0])
def test_with_is_minus_one_and_against_is_one(judged, scale):
    assert_allclose(judge(judged, scale * COMMAND)[-1000:, 1], -1.0, atol=1e-12)
    assert_allclose(judge(judged, 7.0 - scale * COMMAND)[-1000:, 1], 1.0, atol=1e-12)


def test_a_flip_trips_within_two_periods_and_not_before(judged):
    noise = np.random.default_rng(3).normal(scale=2e-4, size=len(T))
    late = np.concatenate([np.full(15, 0.004), COMMAND[:-15]]) + noise
    levels = judge(judged, np.where(T < 3.0, late, -late))[:, 0]
    first = int(np.argmax(levels == 2))
    assert 3.0 < T[first] < 5.0


def test_what_does_not_move_says_nothing(judged):
    still = np.column_stack([COMMAND, np.full(len(T), 0.3), np.zeros(len(T))])
    assert judged(GUARD, still)[:, 1].max() == 0.0


def test_missed_replies_leave_it_as_it_is(judged):
    k = np.arange(len(T))
    found = judge(judged, np.where(k < 2000, COMMAND, -COMMAND), np.where(k < 2000, 0, k - 1999.0))
    assert np.ptp(found[2000:, 1]) == 0.0
