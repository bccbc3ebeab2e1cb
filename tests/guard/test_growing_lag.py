"""The lag is that of the least squares, whatever the amplitude."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest

from rths.guard.growing_lag import GrowingLag

H = 1 / 1024
T = H * np.arange(8192)
GUARD = GrowingLag(window=2.0, quiet=1e-6, trip=0.02)


def lagged(delay, amplitude=0.01):
    command = amplitude * np.sin(2 * pi * T)
    measured = amplitude * np.sin(2 * pi * (T - delay))
    return np.column_stack([measured, command, np.zeros(len(T))])


@pytest.mark.parametrize("amplitude", [1e-5, 0.01, 1.0])
@pytest.mark.parametrize("delay", [-0.004, 0.003, 0.012])
def test_it_is_the_delay_of_a_sine(judged, amplitude, delay):
    found = judged(GUARD, lagged(delay, amplitude))[4096:, 1]
    # sin(ωτ)/ω of the least squares, half a tick of the difference quotient, and what beats within
    # a window of two periods: 1/sqrt(1 + (2ωw)²) = 2 % of the lag and of 1 - cos ωτ.
    law = np.sin(2 * pi * delay) / (2 * pi)
    beat = 0.02 * (abs(delay) + (1 - np.cos(2 * pi * delay)) / (2 * pi)) + H
    assert np.abs(found - law).max() < 2 * beat


def test_a_lag_that_grows_trips_at_its_level_while_motions_are_small(judged):
    delay = 0.01 + 0.004 * T
    levels = judged(GUARD, lagged(delay, 1e-5))[:, 0]
    first = int(np.argmax(levels == 2))
    assert 0.02 < delay[first] < 0.03  # the mean is of the last two seconds
    assert levels[:first].max() == 0


def test_below_its_least_velocity_and_without_replies_nothing_changes(judged):
    quiet = GrowingLag(window=2.0, quiet=1.0, trip=1e-9)
    assert judged(quiet, lagged(0.01))[:, 1].max() == 0.0
    rows = lagged(0.01)
    rows[2000:, 2] = np.arange(1, len(T) - 1999)
    found = judged(GUARD, rows)[:, 1]
    assert np.ptp(found[2000:]) == 0.0
