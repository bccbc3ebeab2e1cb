from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.signal import lfilter

from rths.compensator.adaptive_time_series import AdaptiveTimeSeries, solve
from rths.transfer.second_order import SecondOrder

H = 1 / 1024
ACTUATOR = SecondOrder(frequency=20.0, damping=0.7)
FREE = {"bound": 50.0, "rate": 1e6, "quiet": 1e-6}


def test_small_systems_are_solved():
    rng = np.random.default_rng(1)
    X = rng.standard_normal((9, 3))
    S, b = X.T @ X, rng.standard_normal(3)
    expected = np.linalg.solve(S, b)
    assert solve(S.ravel(), b, np.zeros(9), 3)
    assert_allclose(b, expected, rtol=1e-10)


def test_columns_that_depend_on_one_another_are_noticed():
    X = np.outer(np.arange(9.0), [1.0, 2.0])
    assert not solve((X.T @ X).ravel(), np.ones(2), np.zeros(4), 2)


def filtered(signal, edge, lags):
    """States of equal lags by Tustin's rule, by another implementation: last lag first."""
    c = np.pi * edge * H / (1 + np.pi * edge * H)
    outputs = [signal]
    for _ in range(lags):
        outputs.append(lfilter([c, c], [1.0, 2 * c - 1], outputs[-1]))
    return outputs[::-1]


def test_estimate_is_least_squares_over_the_last_window(drive, shake):
    compensator = AdaptiveTimeSeries(delay=0.010, window=0.8, **FREE)
    _, measured, command, *shares = drive(compensator, ACTUATOR, shake(4.0, H), H)
    w_c = 2 * np.pi * 50.0  # edge 1/(2 delay)
    y = filtered(measured, 50.0, 4)
    U = filtered(command, 50.0, 4)[0]
    X = np.column_stack([y[0], w_c * (y[1] - y[0]), w_c**2 * (y[2] - 2 * y[1] + y[0])])
    for k in (2000, 3500):  # the estimate written at tick k has seen the tick before
        rows = slice(k - round(0.8 / H), k)
        a = np.linalg.lstsq(X[rows], U[rows], rcond=None)[0]
        got = np.array([s[k] for s in shares]) * compensator.model
        assert_allclose(got, a, rtol=1e-6)


def test_actuator_of_its_order_is_tracked(drive, shake):
    motion = shake(6.0, H)
    moved = drive(AdaptiveTimeSeries(delay=0.010, bound=5.0), ACTUATOR, motion, H)[0]
    assert np.std((moved - motion[:, 0])[-2000:]) < 0.01 * motion[-2000:, 0].std()


def test_rate_and_range_are_kept(drive, shake):
    compensator = AdaptiveTimeSeries(delay=0.004, rate=0.5, bound=0.3)
    shares = drive(compensator, ACTUATOR, shake(3.0, H), H)[3:]
    assert np.abs(np.diff(shares)).max() <= 0.5 * H * (1 + 1e-9)
    assert np.abs(shares - 1).max() == pytest.approx(0.3)


def test_quiet_motion_changes_nothing(drive, shake):
    compensator = AdaptiveTimeSeries(delay=0.004)
    shares = drive(compensator, ACTUATOR, shake(2.0, H, size=1e-4), H, noise=1e-5)[3:]
    assert_array_equal(shares, 1.0)


def test_a_window_forgets_all_that_left_it(drive, shake):
    # the same second after two different histories gives the same estimate
    end = shake(3.0, H, seed=3)
    found = []
    for size in (1e-3, 5e-3):
        motion = np.concatenate([shake(2.0, H, size=size, seed=7), np.zeros((512, 2)), end])
        found.append(drive(AdaptiveTimeSeries(delay=0.010, **FREE), ACTUATOR, motion, H)[3:, -1])
    assert_allclose(found[0], found[1], rtol=2e-3)
