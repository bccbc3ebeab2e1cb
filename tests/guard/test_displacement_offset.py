"""An offset is the mean that is left when a motion and its delay have cancelled out."""

from __future__ import annotations

from math import pi

import numpy as np
from numpy.testing import assert_allclose

from rths.guard.displacement_offset import DisplacementOffset

H = 1 / 1024


def test_a_step_of_the_sensor_comes_in_with_the_window(judged):
    command, missed = np.zeros(3000), np.zeros(3000)
    rows = np.column_stack([command + 0.002, command, missed])
    found = judged(DisplacementOffset(window=0.5, trip=1.0), rows)[:, 1]
    t = H * np.arange(1, 3001)
    assert_allclose(found, 0.002 * (1 - np.exp(-t / 0.5)), rtol=1e-9)


def test_a_delay_moves_the_mean_by_less_than_its_bound(judged):
    t = H * np.arange(round(20 / H))
    late, w, amplitude = 0.01, 1.0, 0.03
    rows = [amplitude * np.sin(2 * pi * (t - late)), amplitude * np.sin(2 * pi * t), 0 * t]
    found = judged(DisplacementOffset(window=w, trip=1.0), np.column_stack(rows))[2000:, 1]
    assert np.abs(found).max() < 2 * amplitude * late / w


def test_missed_replies_leave_the_mean_as_it_is(judged):
    k = np.arange(2000)
    rows = np.column_stack([np.zeros(2000), 1e-3 * k, (k > 500) * (k - 500)])
    found = judged(DisplacementOffset(window=0.5, trip=1e9), rows)[:, 1]
    assert np.all(found[501:] == found[500])
    assert found[500] < 0.0
