"""Delay from two signals: exact shifts first, then L22 and U17."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.identification.cross_correlation import delay_by_cross_correlation
from rths.identification.least_squares_delay import delay_by_least_squares
from rths.identification.zero_crossing import delay_by_zero_crossing

H = 1e-3
T = H * np.arange(5000)
SMOOTH = {  # functions of time with content below 5 Hz, so that a spline follows them
    "two tones": lambda t: np.sin(2 * np.pi * 1.3 * t) + 0.4 * np.cos(2 * np.pi * 3.7 * t + 0.2),
    "sweep": lambda t: np.sin(2 * np.pi * (0.5 * t + 0.35 * t**2)),
    "growing": lambda t: np.exp(0.3 * t) * np.sin(2 * np.pi * 2 * t),
}


def sine(t, hertz=2.0):
    return np.sin(2 * np.pi * hertz * t)


@settings(deadline=None, max_examples=40)
@given(shift=st.integers(-90, 90), seed=st.integers(0, 999), gain=st.floats(0.1, 9))
def test_whole_samples_of_any_signal_are_found_exactly_by_correlation(shift, seed, gain):
    noise = np.cumsum(np.random.default_rng(seed).normal(size=2200))
    x, y = noise[100:2100] - 500.0, gain * noise[100 - shift : 2100 - shift] + 300.0
    assert delay_by_cross_correlation(x, y, H) == pytest.approx(shift * H, abs=1e-12)


@settings(deadline=None, max_examples=40)
@given(name=st.sampled_from(sorted(SMOOTH)), tau=st.floats(-0.04, 0.04))
def test_a_fraction_of_a_sample_is_found(name, tau):
    x, y = SMOOTH[name](T), SMOOTH[name](T - tau)
    # error of a cubic spline for content up to 5 Hz: (2π 5 h)⁴/384 of the amplitude
    assert float(delay_by_least_squares(x, y, H)) == pytest.approx(tau, abs=1e-8)
    found = delay_by_cross_correlation(x, y, H, interpolated=True)
    assert found == pytest.approx(tau, abs=0.02 * H)  # a parabola instead of the true peak


@settings(deadline=None, max_examples=40)
@given(tau=st.floats(-0.09, 0.09), hertz=st.floats(0.6, 2.4), phase=st.floats(0, 6))
def test_zero_crossings_of_a_sine_give_its_delay(tau, hertz, phase):
    x = np.sin(2 * np.pi * hertz * T + phase)
    y = 0.8 * np.sin(2 * np.pi * hertz * (T - tau) + phase)
    found = delay_by_zero_crossing(x, y, H)
    # the chord of a sine crosses zero within (ωh)³/16/ω of the sine
    assert_allclose(found.all, tau, atol=2 * (2 * np.pi * hertz * H) ** 3 / 16)


def test_up_and_down_crossings_are_kept_apart():
    x = sine(T)
    slope = np.cos(2 * np.pi * 2 * T)
    y = np.where(slope > 0, sine(T - 0.010), sine(T - 0.020))  # later on the way down
    found = delay_by_zero_crossing(x, y, H)
    assert_allclose(found.up, 0.010, atol=1e-6)
    assert_allclose(found.down, 0.020, atol=1e-6)
    assert found.mean == pytest.approx(
        (10 * found.up.size + 20 * found.down.size) / found.all.size * H
    )
    counts, edges = found.histogram(0.003)
    assert counts.sum() == found.all.size
    assert_allclose(edges[:-1][counts > 0], [0.009, 0.018])


def test_crossings_without_a_partner_are_left_out():
    x = sine(T)
    y = np.where(T < 2.0, sine(T - 0.01), -1.0)  # the sensor fails after two seconds
    found = delay_by_zero_crossing(x, y, H)
    assert found.up_times.max() < 2.1
    assert_allclose(found.all, 0.01, atol=1e-6)


@pytest.mark.parametrize("tau", [0.015, 0.0154])
def test_l22_delay_estimates(tau):
    x, y = sine(T), sine(T - tau)
    assert delay_by_cross_correlation(x, y, H) == pytest.approx(0.015, abs=1e-12)
    assert delay_by_cross_correlation(x, y, H) == pytest.approx(tau, abs=0.5 * H)
    assert delay_by_zero_crossing(x, y, H).mean == pytest.approx(tau, abs=1e-5)


def actuator_output(kind, t, tau, w=2 * np.pi):
    """Response from rest to sin(wt): dead time, or first order in closed form."""
    if kind == "dead time":
        return np.where(t >= tau, np.sin(w * (t - tau)), 0.0)
    transient = w * tau * np.exp(-t / tau)
    return (np.sin(w * t) - w * tau * np.cos(w * t) + transient) / (1 + (w * tau) ** 2)


@pytest.mark.parametrize(("kind", "target"), [("dead time", 0.0166), ("first order", 0.016543)])
def test_u17_least_squares_delay(kind, target):
    t = np.arange(25 * 1024) / 1024
    y = actuator_output(kind, t, 0.0166)
    found = delay_by_least_squares(np.sin(2 * np.pi * t), y, 1 / 1024)
    assert found.value == pytest.approx(target, abs=1e-5)


def test_the_printed_sign_of_equation_11_would_give_a_lead():
    x, y = sine(T), sine(T - 0.015)
    assert float(delay_by_least_squares(x, y, H)) > 0 > float(delay_by_least_squares(y, x, H))


def test_the_interval_holds_the_true_delay_in_95_of_100_noisy_tests():
    rng, inside = np.random.default_rng(5), 0
    t = H * np.arange(1500)
    for _ in range(200):
        x = sine(t)
        y = sine(t - 0.0123) + 0.02 * rng.normal(size=t.size)
        found = delay_by_least_squares(x, y, H, longest=0.03)
        inside += found.low <= 0.0123 <= found.high
    assert 180 <= inside <= 199  # binomial: 190 ± 3 standard deviations of 3.1


@pytest.mark.parametrize(
    "estimate", [delay_by_cross_correlation, delay_by_least_squares, delay_by_zero_crossing]
)
def test_what_is_no_pair_of_signals_is_refused(estimate):
    with pytest.raises(InputError, match="do not match"):
        estimate(T, T[:-1], H)
    with pytest.raises(InputError, match="finite"):
        estimate(T, np.where(T > 1, np.nan, T), H)
    with pytest.raises(InputError, match="shape"):
        estimate(np.zeros((9, 2)), np.zeros((9, 2)), H)
    with pytest.raises(InputError, match="step"):
        estimate(T, T, 0.0)


@pytest.mark.parametrize("estimate", [delay_by_cross_correlation, delay_by_least_squares])
def test_a_delay_beyond_the_longest_is_not_made_up(estimate):
    x, y = sine(T, 1.0), sine(T - 0.15, 1.0)
    with pytest.raises(InputError, match="shorter than the delay"):
        estimate(x, y, H, longest=0.1)
    assert float(estimate(x, y, H, longest=0.2)) == pytest.approx(0.15, abs=1e-9)
    with pytest.raises(InputError, match="does not fit"):
        estimate(x[:300], y[:300], H, longest=0.1)


def test_signals_at_rest_have_no_delay():
    with pytest.raises(InputError, match="does not move"):
        delay_by_cross_correlation(np.zeros(5000), sine(T), H)
    with pytest.raises(InputError, match="is not crossed"):
        delay_by_zero_crossing(sine(T) + 5, sine(T) + 5, H)
    assert delay_by_zero_crossing(sine(T) + 5, sine(T) + 5, H, level=5.0).mean == 0.0
