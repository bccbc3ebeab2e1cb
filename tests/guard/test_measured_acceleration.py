"""The acceleration of what is measured: the second derivative of a parabola, and no other."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest

from rths.guard.measured_acceleration import MeasuredAcceleration

TICK = 1 / 1024
N = 16


def values(judged, displacement, **bounds):
    guard = MeasuredAcceleration(signal="s", samples=N, **bounds)
    return judged(guard, np.column_stack([displacement, np.zeros(len(displacement))]))


def test_place_and_velocity_are_no_acceleration(judged):
    t = np.arange(100) * TICK
    found = values(judged, 0.3 + 2.0 * t, trip=1e9)[N:, 1]
    assert np.abs(found).max() < 1e-8  # round-off of 0.5 m over the square of a tick


@pytest.mark.parametrize("acceleration", [-8.0, 8.0])
def test_a_parabola_trips_just_above_its_acceleration_and_not_just_below(judged, acceleration):
    t = np.arange(100) * TICK
    d = 0.5 * acceleration * t**2
    assert values(judged, d, trip=8.0 * (1 + 1e-6))[N:, 0].max() == 0
    assert values(judged, d, trip=8.0 * (1 - 1e-6))[N:, 0].min() == 2


def test_a_sine_is_as_sharp_as_its_frequency_squared(judged):
    """The fitted parabola has 15 j₂(a)/a² = 1 - a²/14 + ... of it, a = ωNT/2: 1 % less here."""
    w, amplitude = 2 * pi * 8.0, 0.01
    t = np.arange(1024) * TICK
    found = np.abs(values(judged, amplitude * np.sin(w * t), trip=1e9)[N:, 1]).max()
    a = 0.5 * w * N * TICK
    # (ωT)²/8 = 3e-4 if the peak lies between two samples
    assert found == pytest.approx(amplitude * w**2 * (1 - a**2 / 14), rel=5e-4)
