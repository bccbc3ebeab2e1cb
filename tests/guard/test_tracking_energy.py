"""The energy that a lag puts in: the published sum, and the closed form of a spring."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.guard.tracking_energy import TrackingEnergy
from rths.metrics.tracking_error_energy import tracking_error_energy

H = 1 / 1024  # a power of two: differences and quotients of short numbers are exact


def test_tracking_energy_is_the_published_sum(judged):
    random = np.random.default_rng(1)
    target, lag = np.cumsum(random.normal(size=300)), 7
    measured = np.concatenate([np.zeros(lag), target[:-lag]])
    force = 3.0 * measured + random.normal(size=300)
    g = TrackingEnergy(trip=1e9)
    found = judged(g, np.column_stack([force, measured, target]))[:, 1]
    assert_allclose(found, tracking_error_energy(target, measured, H, force), rtol=1e-12, atol=1e-9)


def test_a_lagging_spring_takes_in_pi_k_x_squared_sin_phi_a_cycle(judged):
    k, amplitude, phi, per_cycle = 2250.0, 0.01, 0.1, 4000
    angle = 2 * pi * np.arange(per_cycle + 1) / per_cycle
    measured = amplitude * np.sin(angle - phi)
    rows = np.column_stack([k * measured, measured, amplitude * np.sin(angle)])
    found = judged(TrackingEnergy(trip=1e9), rows)[-1, 1]
    assert found == pytest.approx(
        pi * k * amplitude**2 * np.sin(phi), rel=1e-5
    )  # (π/n)² of the sum


def test_energy_taken_out_does_not_trip(judged):
    angle = 2 * pi * np.arange(2001) / 1000
    measured = np.sin(angle + 0.3)  # an actuator that leads damps
    rows = np.column_stack([measured, measured, np.sin(angle)])
    found = judged(TrackingEnergy(trip=1.0), rows)
    assert found[-1, 1] < -1.0
    assert found[:, 0].max() == 0
