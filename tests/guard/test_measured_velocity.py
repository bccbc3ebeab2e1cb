"""Velocity and acceleration of what is measured: exact for parabolas, calm in noise and in gaps."""

from __future__ import annotations

import numpy as np
import pytest

from rths.guard._fitted_motion import samples_for
from rths.guard.measured_acceleration import MeasuredAcceleration
from rths.guard.measured_velocity import MeasuredVelocity

TICK = 1 / 1024
KINDS = {MeasuredVelocity: 1, MeasuredAcceleration: 2}


def values(judged, kind, samples, displacement, missed=None):
    guard = kind(signal="s", trip=1e9, samples=samples)
    missed = np.zeros(len(displacement)) if missed is None else missed
    return judged(guard, np.column_stack([displacement, missed]))[:, 1]


@pytest.mark.parametrize("samples", [5, 16, 37])
def test_of_a_parabola_they_are_exact(judged, samples):
    t = np.arange(100) * TICK
    d = 0.01 + 0.2 * t + 3.0 * t**2
    velocity = values(judged, MeasuredVelocity, samples, d)[samples:]
    middle = t[samples:] - 0.5 * (samples - 1) * TICK
    np.testing.assert_allclose(velocity, 0.2 + 6.0 * middle, rtol=1e-9)
    acceleration = values(judged, MeasuredAcceleration, samples, d)[samples:]
    np.testing.assert_allclose(acceleration, 6.0, rtol=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_noise_is_as_small_as_the_formula_says(judged, kind):
    noise, n = 1e-5, 32
    d = noise * np.random.default_rng(1).normal(size=20_000)
    found = values(judged, kind, n, d)[n:].std()
    order = KINDS[kind]
    power, factor = (3, 12) if order == 1 else (5, 720)
    expected = noise / TICK**order * np.sqrt(factor / n**power)
    assert found == pytest.approx(expected, rel=0.1)  # 1/N of (3), and some 600 windows


@pytest.mark.parametrize("kind", KINDS)
def test_a_gap_of_missing_answers_is_no_jump(judged, kind):
    t = np.arange(400) * TICK
    d = 0.02 * np.sin(2 * np.pi * 2 * t)
    missed, held = np.zeros(len(t)), d.copy()
    missed[200:220] = np.arange(1, 21)
    held[200:220] = d[199]
    whole, gap = values(judged, kind, 16, d), values(judged, kind, 16, held, missed)
    jump = values(judged, kind, 16, held)
    assert np.abs(gap).max() < 1.6 * np.abs(whole).max()
    assert np.abs(jump).max() > 2 * np.abs(whole).max()  # what it would be without


@pytest.mark.parametrize("order", [1, 2])
def test_with_the_samples_that_a_noise_asks_for_six_deviations_are_a_fifth_of_the_bound(order):
    noise, bound = 1e-4, (0.5, 20.0)[order - 1]
    n = samples_for(noise, bound, TICK, order)
    power, factor = (3, 12) if order == 1 else (5, 720)
    assert 6 * noise / TICK**order * np.sqrt(factor / n**power) <= 0.2 * bound * (1 + 1e-9)
    assert 6 * noise / TICK**order * np.sqrt(factor / (n - 1) ** power) > 0.2 * bound
