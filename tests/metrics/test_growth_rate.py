import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rths.errors import InputError
from rths.metrics.growth_rate import growth_rate


@settings(deadline=None, max_examples=30)
@given(
    sigma=st.floats(0.01, 5).flatmap(lambda s: st.sampled_from([s, -s])),
    hertz=st.floats(0.5, 30),
    phase=st.floats(0, 6.28),
    size=st.floats(1e-6, 1e3),
    step=st.sampled_from([1e-4, 1e-3, 1 / 1024, 1 / 256]),
    seconds=st.floats(2, 8),
)
def test_a_growing_or_decaying_sine_returns_its_rate_exactly(
    sigma, hertz, phase, size, step, seconds
):
    t = np.arange(0, seconds, step)
    y = size * np.exp(sigma * t) * np.cos(2 * np.pi * hertz * t + phase)
    found = growth_rate(y, step)
    assert found.rate == pytest.approx(sigma, rel=1e-6)
    assert found.frequency == pytest.approx(hertz, rel=1e-6)


def test_a_rate_of_zero_is_zero():
    t = np.arange(0, 5, 1e-3)
    assert growth_rate(np.sin(30 * t), 1e-3).rate == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("sigma", [0.5, -0.5])
def test_growth_without_oscillation_has_frequency_zero(sigma):
    t = np.arange(0, 5, 1e-3)
    found = growth_rate(1e-3 * np.exp(sigma * t), 1e-3)
    assert found.rate == pytest.approx(sigma, rel=1e-6)
    assert found.frequency == 0.0


def test_the_mode_that_takes_over_is_the_one_reported():
    t = np.arange(0, 6, 1e-3)
    y = np.exp(-3 * t) * np.cos(20 * t) + 1e-3 * np.exp(1.2 * t) * np.cos(45 * t + 1)
    found = growth_rate(y[2000:], 1e-3)
    assert found.rate == pytest.approx(1.2, rel=1e-6)
    assert found.frequency == pytest.approx(45 / (2 * np.pi), rel=1e-6)


def test_the_mode_with_most_energy_counts_not_the_slowest():
    t = np.arange(0, 4, 1e-3)
    y = np.exp(-0.5 * t) * np.cos(20 * t) + 1e-3 * np.exp(-0.1 * t) * np.cos(45 * t)
    assert growth_rate(y, 1e-3).rate == pytest.approx(-0.5, rel=1e-6)


def test_a_decay_into_the_noise_floor_is_judged_before_it_gets_there():
    t = np.arange(0, 60, 1e-3)
    y = np.exp(-1.5 * t) * np.cos(45 * t) + 1e-6 * np.random.default_rng(1).normal(size=t.size)
    assert growth_rate(y, 1e-3, threshold=1e-3).rate == pytest.approx(-1.5, rel=1e-3)


@pytest.mark.parametrize("sigma", [1.2, -0.8])
def test_measured_noise_costs_digits_not_the_answer(sigma):
    t = np.arange(0, 4, 1e-3)
    y = np.exp(sigma * t) * np.cos(45 * t)
    y += 1e-3 * np.random.default_rng(2).normal(size=t.size)
    assert growth_rate(y, 1e-3, threshold=0.05).rate == pytest.approx(sigma, rel=0.01)


def test_the_root_of_a_simulated_oscillator_is_found():
    # trapezoidal rule, whose discrete root (1 + λh/2)/(1 - λh/2) is known in closed form
    h, root = 1e-3, complex(-0.3, 40.0)
    z = (1 + root * h / 2) / (1 - root * h / 2)
    y = np.real(z ** np.arange(4000))
    exact = np.log(z) / h
    found = growth_rate(y, h)
    assert found.rate == pytest.approx(exact.real, rel=1e-6)
    assert found.frequency == pytest.approx(exact.imag / (2 * np.pi), rel=1e-9)
    assert found.rate != pytest.approx(root.real, rel=1e-5)  # sharp enough to see the scheme


@pytest.mark.parametrize("sigma", [-0.5, -2.0, -5.0])
def test_a_last_sample_that_is_off_does_no_harm(sigma):
    t = np.arange(92) * 0.01
    y = np.exp(sigma * t) * np.sin(20.0 * t)
    y[-1] += 1e-5  # a term that grows by a factor of 1e9 in a sample would explain it
    assert growth_rate(y, 0.01).rate == pytest.approx(sigma, rel=1e-3)


@pytest.mark.parametrize("bad", [np.zeros(100), np.ones(5), [np.nan] * 50, np.ones((5, 5))])
def test_what_shows_no_motion_is_refused(bad):
    with pytest.raises(InputError):
        growth_rate(bad, 1e-3)


def test_a_step_of_zero_is_refused():
    with pytest.raises(InputError, match="no time step"):
        growth_rate(np.ones(50), 0.0)
