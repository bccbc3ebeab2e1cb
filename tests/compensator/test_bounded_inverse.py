"""What the recommended compensator promises: bounded, unbiased, scale-free, and back when quiet."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.compensator._bank import Bank, guess_weights, invert_plausible, spread_taps
from rths.compensator._bounded_fit import allowed_share, solve, state_equations
from rths.compensator._content import SHARE, STIFFER, highest_content
from rths.compensator._filter_edges import ROLLED, lag_share
from rths.compensator._regression import low_pass
from rths.compensator.bounded_inverse import (
    DELAY_RATIO,
    SHARPEST,
    WIDEST,
    BoundedInverse,
    P,
    belief_of,
    bound_rows,
)
from rths.equation import EquationOfMotion
from rths.loop.block import Block, kernel
from rths.site import Site
from rths.transfer.dead_time import DeadTime
from rths.transfer.first_order import FirstOrder
from rths.transfer.second_order import SecondOrder

H, STEP = 1 / 2048, 1 / 1024
SECOND = SecondOrder(frequency=20.0, damping=0.7)  # lag of 11.1 ms
LAG = 2 * 0.7 / (2 * np.pi * 20.0)
BANK = Bank(6, 0.004, H)
LATE = slice(-4096, None)
GAIN, DELAY, LEARNT, HELD = 3, 4, 5, 6
"""Rows of what ``drive`` gives: moved, measured, command, then the ports."""


def error(written, motion):
    return np.std(written[0, LATE] - motion[LATE, 0]) / np.std(motion[LATE, 0])


def test_taps_are_powers_of_the_high_pass():
    w, y, z = 2 * np.pi * 30.0, np.zeros(6), []
    for k in range(4096):
        spread_taps(y, BANK.keep, BANK.difference_gain, np.cos(w * k * H))
        z.append(y.copy())
    k = np.arange(2048, 4096)
    expected = (BANK.respond(np.array([w])) * np.exp(1j * w * k * H)[:, None]).real
    assert_allclose(np.array(z)[2048:], expected, atol=1e-12)


def test_no_tap_amplifies_anything():
    w = np.linspace(0, np.pi / H, 500)
    assert np.abs(BANK.respond(w)).max() <= 1 + 1e-12


def test_slope_is_the_derivative_at_rest():
    w = 1e-3
    assert_allclose(BANK.respond(np.array([w]))[0, 1].imag / w, BANK.slope, rtol=1e-6)


@pytest.mark.parametrize("gain", [4.0, 12.0, 40.0])
def test_inverses_of_plausible_actuators_keep_the_gain_and_the_static_value(gain):
    found = invert_plausible(BANK, 0.01, 100.0, gain)
    w = np.linspace(1, np.pi / H, 2000)
    # the design looks at 60 frequencies: between them |C| may be a little higher
    assert np.abs(BANK.respond(w) @ found.T).max() <= 1.02 * gain
    assert_allclose(found[:, 0], 1.0, atol=0.04 if gain > 10 else 0.1)


def test_guess_leaves_every_direction_some_doubt():
    _, precision = guess_weights(BANK, 0.01, 100.0, 12.0, 5.0)
    assert np.linalg.eigvalsh(precision).min() > 0
    assert np.isfinite(precision).all()


def test_equations_are_solved_and_an_indefinite_system_is_refused():
    rng = np.random.default_rng(1)
    M = rng.standard_normal((4, 4))
    S, Q = M @ M.T + np.eye(4), 0.3 * np.eye(4)
    guess, precision, b = rng.standard_normal(4), np.eye(4) * 2.0, rng.standard_normal(4)
    A = np.zeros(20)
    steep = np.diag([0.0, 1.0, 2.0, 3.0])
    given = (guess, precision.ravel(), steep.ravel())
    state_equations(A, S.ravel(), Q.ravel(), b, given, 0.7, 0.2)
    assert solve(A, 4)
    right = b - Q @ (guess - np.eye(4)[0]) - 0.2 * steep @ guess
    expected = np.linalg.solve(S + Q + 0.2 * steep + 0.7 * precision, right)
    assert_allclose(A.reshape(4, 5)[:, 4], expected, rtol=1e-10)
    assert not solve(-np.eye(4, 5).ravel(), 4)


def test_change_ends_where_the_gain_reaches_its_bound():
    bound = bound_rows(BANK, 5.0).ravel()
    guess, change = np.array([1.0, 1, 0, 0, 0, 0]), np.array([0.0, 0, 0, 2, 4, 8])
    A = np.zeros((6, 7))
    A[:, 6] = change
    share = allowed_share(A.ravel(), guess, bound)
    rows = bound.reshape(-1, 2, 6)
    gains = np.abs((rows[:, 0] + 1j * rows[:, 1]) @ (guess + share * change))
    assert 0 < share < 1
    assert_allclose(gains.max(), 1.0, rtol=1e-12)


def test_content_is_the_mode_that_the_interface_feels():
    M, K = np.diag([1.0, 1.0]), np.diag([100.0, 1e4])
    zero, none = np.zeros((2, 1)), np.zeros(2)
    for row, frequency in (([1.0, 0.0], 10.0), ([0.0, 1.0], 100.0)):
        e = EquationOfMotion(M, 0 * M, K, np.array([row]), zero, none, none)
        found = highest_content(Site(H, H, equation=e))
        assert_allclose(found, STIFFER * frequency)
    assert 0 < SHARE < 1


def test_content_of_a_structure_that_is_not_held_is_unknown():
    zero, none = np.zeros((2, 1)), np.zeros(2)
    e = EquationOfMotion(np.eye(2), np.eye(2), np.diag([0.0, 1.0]), np.eye(1, 2), zero, none, none)
    assert highest_content(Site(H, H, equation=e)) is None
    assert highest_content(Site(H, H)) is None


@pytest.mark.parametrize("actuator", [FirstOrder(time_constant=LAG), DeadTime(delay=LAG), SECOND])
def test_one_number_serves_actuators_from_a_lag_to_a_dead_time(actuator, drive, shake):
    motion = shake(8.0, H)
    written = drive(BoundedInverse(delay=0.85 * LAG), actuator, motion, H)
    assert error(written, motion) < 0.02
    assert_allclose(written[DELAY, -1], LAG, rtol=0.05)
    assert written[LEARNT, -1] > 0.99


def test_noise_makes_the_estimate_uncertain_but_does_not_pull_it(drive, shake):
    # a sixth of the motion is noise: least squares without instruments would lose 3 % of the gain
    motion = shake(20.0, H, size=3e-4)
    written = drive(BoundedInverse(delay=0.9 * LAG, memory=8.0), SECOND, motion, H, noise=2e-5)
    assert_allclose(written[GAIN, LATE].mean(), 1.0, atol=0.01)
    assert_allclose(written[DELAY, LATE].mean(), LAG, rtol=0.05)


@pytest.mark.parametrize("scale", [1e-6, 1e3])
def test_size_of_the_motion_does_not_matter(scale, drive, shake):
    motion, compensator = shake(4.0, H), BoundedInverse(delay=0.01)
    one = drive(compensator, SECOND, motion, H)
    other = drive(compensator, SECOND, scale * motion, H)
    assert_allclose(other[2] / scale, one[2], rtol=1e-6, atol=1e-9)


def test_what_was_learnt_fades_when_the_motion_does(drive, shake):
    motion = np.concatenate([shake(6.0, H), np.zeros((100 * 2048, 2))])
    written = drive(BoundedInverse(delay=0.8 * LAG), SECOND, motion, H, noise=1e-5)
    moving, quiet = written[:, 6 * 2048 - 1], written[:, -1]
    first = written[:, 0]
    assert moving[LEARNT] > 0.9 > 0.01 > quiet[LEARNT]
    assert_allclose(quiet[[GAIN, DELAY]], first[[GAIN, DELAY]], rtol=0.02)
    assert np.abs(written[2, -4096:]).max() < 1e-12  # m, far below any sensor


def test_gain_stays_within_its_bound_whatever_is_learnt(drive, shake):
    compensator = BoundedInverse(delay=0.02, gain=8.0)
    written = drive(compensator, DeadTime(delay=0.024), shake(6.0, H), H)
    assert written[HELD].max() > 0.0
    # eight times the largest target, and no more, as the bound is one on the gain of sines
    assert np.abs(written[2]).max() <= 8.0 * 2 * np.abs(shake(6.0, H)[:, 0]).max()


@pytest.mark.parametrize("wrong", [0.86, 1.16])
def test_bound_on_the_gain_is_not_paid_with_a_return_to_the_guess(wrong, drive, shake):
    # this actuator's inverse wants more gain than γ; with a change that is only cut short a tenth
    # of the guess's error stays, and the motion is 0.57 and 0.71 % off
    motion = shake(8.0, H)
    written = drive(BoundedInverse(delay=wrong * LAG, gain=40.0), SECOND, motion, H)
    assert written[HELD].max() > 0.5  # before ρ has risen
    assert written[HELD, LATE].max() == 0.0
    assert error(written, motion) < 0.0025


@pytest.mark.parametrize("wrong", [0.82, 1.0, 1.16])
def test_gain_suffices_for_the_inverse_of_a_second_order_actuator(wrong, drive, shake):
    # its inverse is a polynomial that the series has; with a gain of 40 0.15 to 0.19 % are left
    motion = shake(8.0, H)
    written = drive(BoundedInverse(delay=wrong * LAG), SECOND, motion, H)
    assert error(written, motion) < 0.0005


def test_no_delay_is_learnt_that_nobody_was_told_of(drive, shake):
    told = 0.5 * LAG  # the actuator is twice as late: beyond what the told delay allows
    written = drive(BoundedInverse(delay=told), SECOND, shake(8.0, H), H)
    assert written[HELD].max() > 0.0
    # the fit is at its bound; a fiftieth of the way from the guess is not believed
    assert 0.98 * DELAY_RATIO * told < written[DELAY].max() <= (1 + 1e-9) * DELAY_RATIO * told
    assert written[DELAY].min() >= -told / ROLLED


@pytest.mark.parametrize("noise", [0.0, 1e-5])
def test_an_abrupt_stop_leaves_the_learnt_delay_between_test_and_guess(noise, drive, shake):
    motion = np.concatenate([shake(6.0, STEP), np.zeros((80 * 1024, 2))])
    written = drive(BoundedInverse(delay=0.8 * LAG), SECOND, motion, STEP, noise=noise)
    delay, guess = written[DELAY, 6 * 1024 :], written[DELAY, 0]
    # the corner of the stop itself is content beyond the structure's: a tenth less is its share
    assert delay.min() > 0.9 * guess
    assert delay.max() < 1.1 * LAG
    if noise == 0.0:
        assert_allclose(delay[2048:], delay[-1], rtol=1e-2)  # silence teaches nothing


def test_minutes_of_noise_do_not_move_what_was_learnt_beyond_a_fifth(drive, shake):
    # what moves is a fifth of the sensor's noise: the fit followed that by most of the delay
    quiet = shake(120.0, STEP, size=1e-6, seed=3, frequencies=(1.9, 3.6))
    motion = np.concatenate([shake(6.0, STEP), quiet])
    written = drive(BoundedInverse(delay=0.8 * LAG), SECOND, motion, STEP, noise=5e-6)
    delay, told = written[DELAY, 6 * 1024 :], 0.8 * LAG
    low, high = sorted((written[DELAY, 0], delay[0]))
    assert delay.min() > low - 0.2 * told
    assert delay.max() < high + 0.2 * told


@kernel
def leaking(x, p, u, y):
    x[0] += p[0] * (u[0] - x[0])
    y[0] = p[1] * x[0]


class Leaky:
    """An actuator with an error at rest, as one that leaks under a force."""

    def block(self, site):
        return Block(leaking, [1 - np.exp(-site.tick / LAG), 0.7], 1)


def test_noise_does_not_shake_the_command_where_the_structure_rests_elsewhere(drive, shake):
    # the fit wants 1.4 times the gain; a belief that follows R makes the command 4.9 times as fast
    quiet = shake(80.0, STEP, size=3e-7, frequencies=(1.9, 5.1))
    quiet[:, 0] += 3e-10 * np.random.default_rng(7).standard_normal(len(quiet))
    speeds = []
    for offset in ([0.0, 0.0], [6e-4, 0.0]):
        written = drive(
            BoundedInverse(delay=LAG), Leaky(), quiet + np.array(offset), STEP, noise=4e-7
        )
        speeds.append(np.std(np.diff(written[2, 5 * LATE.start :])))
    assert speeds[1] < 1.5 * speeds[0]


def test_noise_moves_the_command_by_no_more_than_the_belief_allows():
    known = np.geomspace(1e-3, 1e5, 4001)  # r/c²; the fit is uncertain by 1/√r
    moved = [belief_of(k, 0.0, 1.0) / np.sqrt(k) for k in known]
    assert_allclose(max(moved), 3**0.75 / 4, rtol=1e-4)


def test_guess_is_left_as_the_square_of_what_is_known():
    assert_allclose(belief_of(0.01, 0.0, 1.0), 1e-4, rtol=1e-3)
    assert_allclose(belief_of(1.0, 0.0, 1.0), 0.5)
    assert_allclose(1 - belief_of(100.0, 0.0, 1.0), 1e-4, rtol=1e-3)


def test_what_rings_is_believed_in_proportion_and_alone():
    assert_allclose(belief_of(0.0, 0.1, 1.0), 0.1 / 1.1)
    assert_allclose(belief_of(0.0, 10.0, 1.0), 10 / 11)


@pytest.mark.parametrize("scale", [1e-290, 1e-150, 1e150, 1e290])
def test_belief_has_no_unit(scale):
    assert_allclose(belief_of(3 * scale, 0.5 * scale, scale), belief_of(3.0, 0.5, 1.0), rtol=1e-12)


def test_nothing_known_is_nothing_believed():
    assert belief_of(0.0, 0.0, 0.0) == 0.0
    assert belief_of(0.0, 0.0, 1.0) == 0.0
    assert belief_of(1.0, 0.0, 0.0) == 1.0


def test_nothing_is_left_of_a_motion_that_ended_long_ago():
    block = BoundedInverse(delay=0.01).block(Site(STEP, STEP))
    x = np.where(block.states == 0, 1e-320, block.states)  # as sums that forget would end
    block.kernel.function(x, block.params, np.zeros(3), np.zeros(5))
    assert not ((x != 0) & (np.abs(x) < 1e-300)).any()


def test_command_falls_beyond_the_band_and_does_not_lead_there():
    tau = 0.02
    block = BoundedInverse(delay=tau).block(Site(H, H))
    m = int(block.params[P.size])
    bank = Bank(m, SHARPEST * tau, H, ROLLED / tau)
    guess = block.params[P.guess : P.guess + m]
    beyond = bank.respond(np.array([2, 4, 8]) * ROLLED / tau) @ guess
    assert np.all(np.diff(np.abs(beyond)) < 0)
    assert np.all(np.angle(beyond[1:]) < 0)


def test_lag_of_the_bank_is_that_of_the_loop():
    w, y, c = 2 * np.pi * 60.0, np.zeros(2), lag_share(400.0, H)
    z = []
    for k in range(4096):
        low_pass(y, c, np.cos(w * k * H))
        z.append(y[1])
    k = np.arange(2048, 4096)
    low = Bank(1, 0.004, H, 400.0).respond(np.array([w]))[0, 0]
    assert_allclose(z[2048:], (low * np.exp(1j * w * k * H)).real, atol=1e-12)


def test_first_guess_knows_the_told_delay_and_no_more():
    block = BoundedInverse(delay=0.012).block(Site(H, H))
    guess = block.params[P.guess : P.guess + 5]
    made_up = guess[1] / guess[0] * block.params[P.slope] - block.params[P.lost]
    assert_allclose(made_up, 0.012, rtol=0.15)  # the mean of inverses is exact in the band only


def test_first_guess_of_a_slow_structure_holds_beyond_its_modes():
    # what the target has there is small, but an error of it counts as noise, and keeps the guess
    tau, w = 0.01, 5.0
    zero, none = np.zeros((1, 1)), np.zeros(1)
    e = EquationOfMotion(np.eye(1), zero, w**2 * np.eye(1), np.eye(1), zero, none, none)
    site = Site(H, H, equation=e)
    fastest = highest_content(site)
    guess = BoundedInverse(delay=tau).block(site).params[P.guess : P.guess + 5]
    bank = Bank(5, max(SHARPEST * tau, WIDEST / fastest), H, ROLLED / tau)
    beyond = fastest * np.array([1.5, 3.0, 5.0])
    assert np.abs(bank.respond(beyond) @ guess * np.exp(-1j * beyond * tau) - 1).max() < 0.05
