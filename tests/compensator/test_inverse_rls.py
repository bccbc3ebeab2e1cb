from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from rths.compensator.inverse_rls import SPREAD, InverseRls, learn
from rths.transfer.dead_time import DeadTime
from rths.transfer.first_order import FirstOrder
from rths.transfer.second_order import SecondOrder
from rths.transfer.varying_dead_time import VaryingDeadTime

H = 1 / 2048
W0, ZETA = 2 * np.pi * 20.0, 0.7
SECOND = SecondOrder(frequency=20.0, damping=ZETA)  # lag of 11.1 ms
TRUE = np.array([1.0, 2 * ZETA / W0, 1 / W0**2])


def test_coefficients_of_a_second_order_actuator_are_found(drive, shake):
    compensator = InverseRls(delay=0.009, order=2)
    written = drive(compensator, SECOND, shake(8.0, H), H)
    found = written[3:, -1] * compensator.model
    assert_allclose(found / TRUE, 1.0, atol=2e-3)


def test_tracking_reaches_the_target_from_a_delay_that_is_a_fifth_off(drive, shake):
    motion = shake(8.0, H)
    fixed = drive(InverseRls(delay=0.009, order=2, quiet=1.0), SECOND, motion, H)[0]
    moved = drive(InverseRls(delay=0.009, order=2), SECOND, motion, H)[0]
    late = slice(-4096, None)
    size = motion[late, 0].std()
    left = np.std(moved[late] - motion[late, 0]) / size
    assert left < 0.005
    assert left < np.std(fixed[late] - motion[late, 0]) / size / 10


@pytest.mark.parametrize(
    "actuator", [FirstOrder(time_constant=0.012), DeadTime(delay=0.012), SECOND]
)
def test_one_setting_serves_actuators_from_a_lag_to_a_dead_time(actuator, drive, shake):
    motion = shake(10.0, H)
    moved = drive(InverseRls(delay=0.012), actuator, motion, H, noise=1e-5)[0]
    late = slice(-4096, None)
    assert np.std(moved[late] - motion[late, 0]) < 0.02 * motion[late, 0].std()


def test_nothing_is_learnt_from_noise_alone(drive):
    still = np.zeros((8192, 2))
    written = drive(InverseRls(delay=0.012), SECOND, still, H, noise=2e-5)
    assert_array_equal(written[3:], 1.0)


def test_without_persistent_excitation_what_was_learnt_stays(drive, shake):
    # one sine tells two of four coefficients; noise then must not drive the others away
    compensator = InverseRls(delay=0.011, memory=0.5)
    rich, poor = shake(5.0, H), shake(40.0, H, frequencies=(3.6,))
    written = drive(compensator, SECOND, np.concatenate([rich, poor]), H, noise=1e-5)
    assert np.abs(written[3:, len(rich) + 4096 :] - 1).max() <= 6 * max(SPREAD)
    moved, target = written[0, -4096:], np.concatenate([rich, poor])[-4096:, 0]
    assert np.std(moved - target) < 0.01 * target.std()


@pytest.mark.parametrize("fade", [1.0, 0.99])
def test_estimate_is_weighted_least_squares_from_the_first_guess(fade):
    # closed form: least of sum λ^(N-k) (u - φ'θ)²/R + λ^N (θ - 1)' P^-1 (θ - 1)
    rng = np.random.default_rng(2)
    variance, R, true = np.array([0.01, 0.04, 0.09]), 1e-3, np.array([1.05, 0.8, 1.3])
    phi = rng.standard_normal((120, 3))
    wanted = phi @ true + 0.03 * rng.standard_normal(120)
    t, P = np.ones(3), np.diag(variance).ravel()
    for row, u in zip(phi, wanted, strict=True):
        learn(t, P, row, np.zeros(3), np.array([fade, R, *variance, 9.0, 9.0, 9.0]), u)
    weights = fade ** np.arange(119, -1, -1) / R
    information = (phi.T * weights) @ phi + fade**120 * np.diag(1 / variance)
    expected = 1 + np.linalg.solve(information, (phi.T * weights) @ (wanted - phi.sum(axis=1)))
    assert_allclose(t, expected, rtol=1e-9)
    assert_allclose(P.reshape(3, 3), np.linalg.inv(information), rtol=1e-6)


def test_no_coefficient_is_less_known_than_at_the_start():
    rng = np.random.default_rng(1)
    variance = np.array([0.01, 0.04, 0.09])
    t, P = np.ones(3), np.diag(variance).ravel()
    p = np.array([0.95, 1e-4, *variance, 9.0, 9.0, 9.0])
    for _ in range(2000):  # without the guard P would grow by 0.95^-2000
        phi = np.array([1.0, 0.5, 0.0]) * rng.standard_normal()
        learn(t, P, phi, np.zeros(3), p, float(phi.sum()) + 1e-2 * rng.standard_normal())
    assert np.all(np.diag(P.reshape(3, 3)) <= variance * (1 + 1e-9))
    assert np.linalg.eigvalsh(P.reshape(3, 3)).min() > 0
    assert t[2] == 1.0


@pytest.mark.parametrize("noise", [1e-12, 1e-2])
def test_no_noise_however_small_or_large_breaks_the_estimate(noise, drive, shake):
    written = drive(InverseRls(delay=0.011, noise=noise), SECOND, shake(6.0, H), H, noise=1e-5)
    assert np.isfinite(written).all()
    assert np.abs(written[3:] - 1).max() <= 6 * max(SPREAD)


def test_one_coefficient_that_is_not_excited_does_not_keep_the_others_from_forgetting():
    rng = np.random.default_rng(3)
    variance = np.array([0.04, 0.09])
    t, P = np.ones(2), np.diag(variance).ravel()
    p = np.array([0.98, 1e-4, *variance, 9.0, 9.0])
    for k in range(4000):  # the first coefficient changes half way; the second has no signal
        phi = np.array([rng.standard_normal(), 0.0])
        learn(t, P, phi, np.zeros(2), p, float(phi[0]) * (1.1 if k < 2000 else 0.9))
    assert_allclose(t, [0.9, 1.0], atol=1e-6)


def test_coefficients_stay_within_their_bounds(drive, shake):
    compensator = InverseRls(delay=0.001, bound=1.0)  # the actuator is ten times slower
    written = drive(compensator, SECOND, shake(4.0, H), H)
    assert np.all(np.abs(written[3:].T - 1) <= np.array(SPREAD) + 1e-12)
    assert np.abs(written[4] - 1).max() == pytest.approx(SPREAD[1])


def test_a_short_memory_follows_an_actuator_that_changes(drive, shake):
    motion = shake(12.0, H)
    drifting = VaryingDeadTime(delay=0.010, final_delay=0.016, drift_time=12.0)
    late = slice(-8192, None)
    left = [
        np.std(
            drive(InverseRls(delay=0.012, memory=memory), drifting, motion, H)[0][late]
            - motion[late, 0]
        )
        for memory in (0.5, 1e4)
    ]
    assert left[0] < 0.6 * left[1]
