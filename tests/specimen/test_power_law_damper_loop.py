from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.specimen.power_law_damper import PowerLawDamper

M, K, X0 = 1000.0, 5e5, 0.05
W = np.sqrt(K / M)
C = 2 * 0.03 * np.sqrt(K * M)
TICK = 2.5e-4 / W
DELAY = 0.224 / W - TICK / 2  # the difference of two ticks is the velocity half a tick ago


def settled(free_response, alpha, coefficient, delay=DELAY):
    damper = PowerLawDamper(coefficient=coefficient, exponent=alpha)
    given = {"start": X0, "delay": delay, "tick": TICK, "duration": 4.0}
    run = free_response(damper, M, C, K, **given)
    return {name: values[-20000:] for name, values in run.items()}


def period(x):
    up = np.flatnonzero((x[:-1] < 0) & (x[1:] >= 0))
    return np.diff(up - x[up] / (x[up + 1] - x[up])).mean() * TICK


def test_limit_cycle_of_the_nonlinear_damper(free_response):  # L12
    run = settled(free_response, 0.15, 50e3)
    assert_allclose(run["velocity"].max(), 0.3868, rtol=1e-3)
    assert_allclose(run["force"].max(), 43.36e3, rtol=1e-3)
    assert_allclose(period(run["velocity"]), 0.03982, rtol=1e-3)
    # converges to 0.04122: the middle of the oscillation creeps to zero for seconds, and the
    # 0.0415 of the target is a maximum taken while it does
    assert_allclose(
        np.ptp(run["displacement"][-round(0.0398 / TICK) :]) / 2 / X0, 0.0415, rtol=1e-2
    )


def test_limit_cycle_of_friction(free_response):  # L11: p_s = 2 is friction of 2 k x_0
    run = settled(free_response, 0.0, 2 * K * X0)
    assert_allclose(run["velocity"].max(), 0.5055, rtol=2e-3)
    assert_allclose(period(run["velocity"]), 0.03980, rtol=2e-3)


@pytest.mark.parametrize("alpha", [0.15, 1.0])
def test_without_delay_it_comes_to_rest(free_response, alpha):
    coefficient = 50e3 if alpha < 1 else 20e3
    run = settled(free_response, alpha, coefficient, delay=0.0)
    assert np.abs(run["velocity"]).max() < 0.01
