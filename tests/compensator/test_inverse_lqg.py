from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.compensator.inverse_lqg import InverseLqg
from rths.compensator.inverse_model import InverseModel
from rths.errors import InputError

H = 1 / 2048
T = 0.003
FOUR_LAGS = tuple(np.poly([-1 / T] * 4)[::-1] * T**4)
MODEL = InverseLqg(coefficients=FOUR_LAGS)


def test_observer_and_feedback_are_stable():
    Phi, Gamma, K, L = MODEL.gains(H)
    n = K.size
    observer = Phi @ (np.eye(n) - np.outer(L, np.eye(n)[0]))
    assert np.abs(np.linalg.eigvals(observer)).max() < 1
    control = Phi[:-1, :-1] - np.outer(Gamma[:-1], K[:-1])  # the walk itself is not controllable
    assert np.abs(np.linalg.eigvals(control)).max() < 1


def test_feedback_gain_solves_the_riccati_equation():
    # the cost of K is the least: a nudge in any direction raises it
    Phi, Gamma, K, _ = MODEL.gains(H)
    A, B, k = Phi[:-1, :-1], Gamma[:-1], K[:-1]

    def cost(k):
        from scipy.linalg import solve_discrete_lyapunov

        closed = A - np.outer(B, k)
        Q = np.outer(np.eye(4)[0], np.eye(4)[0]) + MODEL.effort**2 * np.outer(k, k)
        return np.trace(solve_discrete_lyapunov(closed.T, Q))

    for nudge in 0.01 * np.abs(k).max() * np.eye(4):
        assert cost(k + nudge) > cost(k)
        assert cost(k - nudge) > cost(k)


def test_observer_gain_is_that_of_the_kalman_filter():
    # the variance of the estimate is the least: a nudge in any direction raises it
    Phi, _, K, L = MODEL.gains(H)
    n = K.size
    walk = np.diag([0.0] * (n - 1) + [MODEL.uncertainty**2])

    def variance(L):
        from scipy.linalg import solve_discrete_lyapunov

        closed = Phi @ (np.eye(n) - np.outer(L, np.eye(n)[0]))
        return np.trace(solve_discrete_lyapunov(closed, Phi @ np.outer(L, L) @ Phi.T + walk))

    for nudge in 0.01 * np.abs(L).max() * np.eye(n):
        assert variance(L + nudge) > variance(L)
        assert variance(L - nudge) > variance(L)


def four_lags(delay_factor=1.0):
    from rths.loop.block import Block, kernel
    from rths.transfer.base import Transfer

    share = 1 - np.exp(-H / (T * delay_factor))

    @kernel
    def step(x, p, u, y):
        v = u[0]
        for i in range(4):
            x[i] += p[0] * (v - x[i])
            v = x[i]
        y[0] = v

    class Lags(Transfer):
        def block(self, site):
            return Block(step, [share], 4)

    return Lags()


def test_feedback_takes_off_most_of_what_a_wrong_model_leaves(drive, shake):
    # an actuator a tenth slower than its model
    motion = shake(4.0, H, frequencies=(0.7, 1.9, 3.6))
    late = slice(4096, None)
    fixed = InverseModel(coefficients=FOUR_LAGS, order=4)
    left = [
        np.std(drive(c, four_lags(1.1), motion, H)[0][late] - motion[late, 0])
        for c in (MODEL, fixed)
    ]
    assert left[0] < 0.4 * left[1]


def test_a_static_error_of_the_gain_vanishes(drive):
    still = np.zeros((8192, 2))
    still[:, 0] = 1e-3 * np.minimum(np.arange(8192) * H, 1.0)
    still[: round(1 / H), 1] = 1e-3
    off = InverseLqg(coefficients=tuple(0.95 * np.array(FOUR_LAGS)))
    moved = drive(off, four_lags(), still, H)[0]
    assert_allclose(moved[-100:], 1e-3, rtol=1e-3)


def test_models_of_another_order_are_refused():
    with pytest.raises(InputError, match="order 4 or 5"):
        InverseLqg(coefficients=(1.0, 0.01))
