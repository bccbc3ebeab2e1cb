from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from rths.assembly.hybrid_test import HybridTest
from rths.compensator.adaptive_forward_prediction import AdaptiveForwardPrediction
from rths.compensator.forward_prediction import ForwardPrediction, weights
from rths.compensator.none import NoCompensation
from rths.errors import InputError
from rths.excitation.sine import Sine
from rths.feedback.direct import Direct
from rths.integrator.central_difference import CentralDifference
from rths.loop.block import Block, Ring, kernel
from rths.specimen.spring import Spring
from rths.structure.linear import Linear
from rths.transfer.dead_time import DeadTime
from rths.transfer.first_order import FirstOrder
from rths.transfer.varying_dead_time import VaryingDeadTime

H, TAU, T = 1e-3, 9.4e-3, 0.5  # tick, delay of the rig of wallace2005, memory
TIME = np.arange(20_001) * H
SINE = 0.01 * np.sin(2 * np.pi * 1.5 * TIME)


@kernel
def moving(x, p, u, y):
    # p = delays in ticks, gains, noise, one after the other;   x = ring (64), newest, ticks so far
    k = (int(x[64]) + 1) & 63
    x[k] = u[0]
    x[64] = k
    n, now = p.size // 3, int(x[65])
    x[65] += 1.0
    q = int(p[now])
    r = p[now] - q
    y[0] = p[n + now] * ((1 - r) * x[(k - q) & 63] + r * x[(k - q - 1) & 63]) + p[2 * n + now]


@dataclass
class Moving:
    """An actuator whose delay and gain are any functions of time, with noise on its sensor."""

    delay: np.ndarray | float = TAU
    gain: np.ndarray | float = 1.0
    noise: np.ndarray | float = 0.0

    def block(self, site):
        rows = [np.broadcast_to(v, TIME.shape) for v in (self.delay, self.gain, self.noise)]
        rows[0] = rows[0] / H
        return Block(moving, np.concatenate(rows), 66, rings=[Ring(0, 64, 64)], counters=(65,))


def adaptive(ahead=25e-3, **fields):
    return AdaptiveForwardPrediction(ahead=ahead, memory=T, **fields)


@pytest.mark.parametrize("f", [0.7, 1.5, 4.0])
@pytest.mark.parametrize("ahead", [25e-3, 4e-3])
@pytest.mark.parametrize(("tau", "gain"), [(TAU, 1.0), (15e-3, 0.8), (6e-3, 1.3)])
def test_time_and_amplitude_converge_to_those_of_the_actuator(f, ahead, tau, gain, track):
    target = 0.01 * np.sin(2 * np.pi * f * TIME)
    compensator = adaptive(ahead, longest=50e-3)
    measured, _, rho, a, order = track(compensator, Moving(tau, gain), target, H)
    # not closer, because what the polynomial itself does to the sine is made up for too
    assert_allclose(rho[-1], tau, rtol=5e-3)
    assert_allclose(a[-1], 1 / gain, rtol=5e-3)
    z = np.exp(-2j * np.pi * f * H * np.arange(12))
    predicted = weights(3, 12, rho[-1] / H) @ z * np.exp(-2j * np.pi * f * tau)
    assert_allclose(a[-1] * gain * predicted, 1.0, atol=1e-4)
    assert order[-1] == 3.0
    assert np.abs(measured - target)[-2000:].max() < 1e-5 * 0.01


def test_any_linear_actuator_is_matched_at_the_frequency_of_a_sine(track):
    w, lag = 2 * np.pi * 1.5, 16.6e-3
    actuator = FirstOrder(time_constant=lag, gain=0.9)
    measured, _, rho, a, _ = track(adaptive(), actuator, SINE, H)
    assert_allclose(rho[-1], np.arctan(w * lag) / w, rtol=1e-3)
    assert_allclose(a[-1], np.hypot(1, w * lag) / 0.9, rtol=1e-3)
    assert np.abs(measured - SINE)[-2000:].max() < 1e-5 * 0.01


def test_a_jump_of_delay_and_gain_is_made_up_for_by_the_stated_law(track):
    jump = 10_000
    tau = np.where(np.arange(TIME.size) < jump, 9e-3, 12e-3)
    gain = np.where(np.arange(TIME.size) < jump, 1.0, 0.85)
    _, _, rho, a, _ = track(adaptive(9e-3), Moving(tau, gain), SINE, H)
    t = TIME[:6000]
    law = (1 + t / (2 * T)) * np.exp(-t / (2 * T))
    # within a tenth: while the window holds both, the mixture of two sines ripples
    assert_allclose(12e-3 - rho[jump : jump + 6000], 3e-3 * law, atol=0.1 * 3e-3)
    assert_allclose(np.log(a[jump : jump + 6000] * 0.85), np.log(0.85) * law, atol=0.1 * 0.1625)


@pytest.mark.parametrize("rate", [0.5e-3, -0.4e-3])
def test_a_drifting_delay_is_followed_4_t_times_its_rate_behind(rate, track):
    tau = 14e-3 + rate * TIME
    _, _, rho, _, _ = track(adaptive(), Moving(tau), SINE, H)
    # what arrives now was predicted one delay ago
    assert_allclose((tau - rho)[12_000:], rate * (4 * T - rho[12_000:]), rtol=0.01)


def test_a_drifting_gain_is_followed_4_t_times_its_rate_behind(track):
    gain = np.exp(-0.02 * TIME)
    _, _, rho, a, _ = track(adaptive(), Moving(TAU, gain), SINE, H)
    assert_allclose(np.log(a * gain)[12_000:], -0.02 * (4 * T - TAU), rtol=0.01)
    assert_allclose(rho[12_000:], TAU, rtol=1e-2)


def test_delay_and_gain_that_swing_together_are_followed(track):
    slow = np.sin(2 * np.pi * 0.02 * TIME)
    tau, gain = 12e-3 + 4e-3 * slow, np.exp(0.15 * slow)
    _, _, rho, a, _ = track(adaptive(), Moving(tau, gain), SINE, H)
    lag = 2 * np.pi * 0.02 * 4 * T  # a first-order lag of 4 T, to first order
    assert np.abs(tau - rho)[10_000:].max() < 1.1 * lag * 4e-3
    assert np.abs(np.log(a * gain))[10_000:].max() < 1.1 * lag * 0.15


def test_the_way_down_from_over_compensation_is_never_slower_than_the_law(track):
    _, _, rho, _, _ = track(adaptive(), DeadTime(delay=TAU), SINE, H)
    law = (25e-3 - TAU) * (1 + TIME / (2 * T)) * np.exp(-TIME / (2 * T))
    assert rho[0] == 25e-3
    assert np.all(rho - TAU < law + 5e-5)  # at first nothing has arrived, which looks like a delay
    assert np.all(rho - TAU > -1e-5)  # and it does not undershoot into the unstable side


def test_the_order_rises_only_once_converged_and_falls_for_good_when_that_is_lost(track):
    jump = 12_000
    tau = np.where(np.arange(TIME.size) < jump, 9e-3, 20e-3)
    measured, _, rho, _, order = track(adaptive(), Moving(tau), SINE, H)
    late = 2 * np.pi * 1.5 * np.abs(tau - rho)  # phase error, rad
    rises = np.diff(order, prepend=order[0]) > 0
    assert np.all(late[rises] < 0.03)
    assert order[0] == 2.0
    assert order[jump] == 3.0
    assert_array_equal(order[jump + 1000 :], 2.0)
    assert np.abs(measured - SINE)[-500:].max() < 5e-3 * 0.01


def test_the_command_does_not_jump_when_the_order_rises(track):
    _, command, _, _, order = track(adaptive(), DeadTime(delay=TAU), SINE, H)
    rising = (order > 2.0) & (order < 3.0)
    assert np.count_nonzero(rising) > 1500  # 4 T
    second = np.abs(np.diff(command, 2))
    assert second[1000:].max() < 1.1 * 0.01 * (2 * np.pi * 1.5 * H) ** 2


def test_noise_on_the_sensor_scatters_the_estimates_but_does_not_shift_them(track):
    noise = 2e-4 * np.random.default_rng(1).standard_normal(TIME.size)  # 2 % of the amplitude
    _, _, rho, a, order = track(adaptive(), Moving(TAU, 0.9, noise), SINE, H)
    assert_allclose(rho[10_000:], TAU, atol=0.15e-3)
    assert abs(rho[10_000:].mean() - TAU) < 0.05e-3
    assert_allclose(a[10_000:], 1 / 0.9, atol=2e-3)
    assert order[-1] == 3.0


def test_nothing_is_learnt_from_noise_while_the_target_is_quiet(track):
    noise = 1e-4 * np.random.default_rng(2).standard_normal(TIME.size)
    target = 1e-3 * SINE  # 10 µm
    _, _, rho, a, order = track(adaptive(), Moving(TAU, 0.9, noise), target, H)
    assert_array_equal(rho, 25e-3)
    assert_array_equal(a, 1.0)
    assert_array_equal(order, 2.0)


def test_the_estimates_stay_in_their_bounds_with_an_actuator_that_does_not_move(track):
    _, command, rho, a, _ = track(adaptive(longest=30e-3), Moving(TAU, 0.0), SINE, H)
    assert rho.max() <= 30e-3
    assert a.max() <= 2 * (1 + 1e-12)
    assert np.isfinite(command).all()


def test_with_its_first_values_it_is_the_plain_forward_prediction(track):
    quiet = adaptive(TAU, order=3, start_order=3, quiet_amplitude=1.0)
    plain = ForwardPrediction(ahead=TAU, order=3)
    late = DeadTime(delay=TAU)
    assert_allclose(track(quiet, late, SINE, H)[1], track(plain, late, SINE, H)[1], atol=1e-15)


def wallace(compensator, transfer, record=()):
    """The rig of wallace2005 under 1.5 Hz wall motion."""
    return HybridTest(
        excitation=Sine(amplitude=0.01, frequency=1.5, acting="support_displacement"),
        structure=Linear(mass=2.2, damping=15.0, stiffness=2250.0),
        integrator=CentralDifference(),
        compensator=compensator,
        transfer=transfer,
        specimen=Spring(stiffness=2250.0),
        feedback=Direct(),
        tick=H,
        duration=20.0,
        record=("integrator.target", *record),
    )


def run(test):
    record = np.full((test.clock.ticks, len(test.layout.record_slots)), np.inf)
    test.cycle("table").advance(test.clock.ticks, record)
    return record.T


ESTIMATES = ("compensator.ahead", "compensator.gain", "compensator.order")


@pytest.mark.parametrize("ahead", [40e-3, 25e-3, TAU, 0.0])
def test_in_the_loop_it_starts_over_compensated_and_reproduces_the_emulated_system(ahead):
    # stable at first for 2.53 ms < rho < 40.5 ms (W9); from 0 it must outrun a growth of 1.2 1/s
    compensator = adaptive(ahead, longest=45e-3, sampling=1e-3)
    test = wallace(compensator, DeadTime(delay=TAU), ESTIMATES)
    z, rho, a, order = run(test)
    exact = run(wallace(NoCompensation(), DeadTime(delay=0.0)))[0]
    assert_allclose(rho[-1], TAU, rtol=1e-4)
    assert_allclose(a[-1], 1.0, atol=1e-4)
    assert order[0] == 2.0
    assert order[-1] == 3.0
    assert np.abs(z - exact)[-2000:].max() < 1e-6 * np.abs(exact).max()
    assert np.abs(z).max() < 1.4 * np.abs(exact).max()


def test_a_delay_that_drifts_out_of_the_stable_range_is_lost_without_adaptation():
    drifting = VaryingDeadTime(delay=TAU, final_delay=22e-3, drift_time=15.0)
    z, rho = run(wallace(adaptive(), drifting, ESTIMATES[:1]))
    exact = run(wallace(NoCompensation(), DeadTime(delay=0.0)))[0]
    assert np.abs(z).max() < 1.05 * np.abs(exact).max()
    assert_allclose(rho[-1], 22e-3, rtol=5e-3)
    fixed = run(wallace(ForwardPrediction(ahead=TAU), drifting))[0]
    assert np.abs(fixed).max() > 2 * np.abs(exact).max()
    assert np.abs(run(wallace(NoCompensation(), drifting))[0]).max() > 100 * np.abs(exact).max()


@pytest.mark.parametrize("tau", [25e-3, 30e-3])
def test_where_the_last_order_is_not_stable_it_goes_back_to_the_first(tau):  # W9, W10
    transfer = VaryingDeadTime(delay=TAU, final_delay=tau, drift_time=12.0)
    z, order = run(wallace(adaptive(longest=60e-3), transfer, ESTIMATES[2:]))
    exact = run(wallace(NoCompensation(), DeadTime(delay=0.0)))[0]
    assert order.max() > 2.5
    assert order[-1] == 2.0
    assert np.abs(z).max() < 1.1 * np.abs(exact).max()
    assert np.abs(z - exact)[-1000:].max() < 1e-2 * np.abs(exact).max()
    fixed = run(wallace(ForwardPrediction(ahead=tau, order=3), DeadTime(delay=tau)))[0]
    assert np.abs(fixed).max() > 10 * np.abs(exact).max()


def test_orders_the_wrong_way_round_and_too_few_points_are_refused():
    with pytest.raises(InputError, match=r"start_order = 4.*above the last order"):
        adaptive(order=3, start_order=4)
    with pytest.raises(InputError, match=r"compensator\.points"):
        adaptive(order=3, points=3)


@pytest.mark.parametrize("engine", ["table", "fused"])
def test_all_loops_agree_bit_for_bit(engine, track):
    late, target = DeadTime(delay=TAU), SINE[:1500]
    compiled = track(adaptive(), late, target, H, engine)
    assert_array_equal(compiled, track(adaptive(), late, target, H, "interpreted"))
