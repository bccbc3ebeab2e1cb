"""Frequency response and actuator models: closed forms, noise, then C7."""

import numpy as np
import pytest
import scipy.signal
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.identification.first_order import FIRST_ORDER
from rths.identification.frequency_response import FrequencyResponse, frequency_response
from rths.identification.pure_delay import PURE_DELAY
from rths.identification.ramp_response import ramp_response
from rths.identification.second_order import SECOND_ORDER
from rths.identification.second_order_bandwidth import second_order_from_bandwidth

H = 1 / 1024
TRUTH = {
    "pure delay": (PURE_DELAY, [0.98, 0.0124]),
    "first order": (FIRST_ORDER, [1.03, 0.0166]),
    "second order": (SECOND_ORDER, [0.99, 0.0042621, 31.24, 0.76499]),
}


def noise(count, seed=1):
    """Random command below about 40 Hz, from rest."""
    rough = np.random.default_rng(seed).normal(size=count)
    return scipy.signal.lfilter(*scipy.signal.butter(2, 40 * 2 * H), rough)


def as_measured(model, parameters, frequencies):
    response = model.response(np.array(parameters), frequencies)
    return FrequencyResponse(frequencies, response, np.ones(frequencies.size), 16)


def test_the_welch_estimate_is_that_of_scipy():
    x = noise(6000)
    y = scipy.signal.lfilter([0.2], [1, -0.8], x) + 0.1 * noise(6000, 2)
    ours = frequency_response(x, y, H, segment=512 * H)
    options = {"fs": 1 / H, "nperseg": 512, "detrend": "constant"}
    f, s_xy = scipy.signal.csd(x, y, **options)
    _, s_xx = scipy.signal.welch(x, **options)
    _, coherence = scipy.signal.coherence(x, y, **options)
    assert_allclose(ours.frequencies, f)
    # the two lowest lines hold what the detrending leaves, which is round-off at zero
    assert_allclose(ours.response[1:-1], (s_xy / s_xx)[1:-1], rtol=1e-9)
    assert_allclose(ours.coherence[1:-1], coherence[1:-1], rtol=1e-9)


def test_a_gain_has_coherence_one_and_no_phase():
    x = noise(4000)
    found = frequency_response(x, 0.7 * x, H).select_band(1.0, 60.0)
    assert_allclose(found.response, 0.7, rtol=1e-10)
    assert_allclose(found.coherence, 1.0, rtol=1e-10)
    assert_allclose(found.delay, 0.0, atol=1e-12)


def test_coherence_is_the_share_of_power_that_follows_the_command():
    x, n = np.random.default_rng(3).normal(size=(2, 200_000))
    found = frequency_response(x, x + n, H, segment=256 * H)  # half signal, half noise
    assert found.coherence.mean() == pytest.approx(0.5, abs=0.02)
    assert frequency_response(x, n, H, segment=256 * H).coherence.mean() < 0.01


def test_the_phase_delay_of_a_delay_is_the_delay():
    x = noise(40_000)
    found = frequency_response(x[20:], x[:-20], H, segment=4.0).select_band(2.0, 30.0)
    # a segment sees 20 of its 4096 samples too few: the usual bias of a delay, 0.5 %
    assert_allclose(found.delay, 20 * H, rtol=0.02)


@pytest.mark.parametrize("name", TRUTH)
def test_exact_responses_return_the_parameters(name):
    model, parameters = TRUTH[name]
    fit = model.fit_response(as_measured(model, parameters, np.linspace(0.5, 40, 80)))
    assert_allclose(fit.values, parameters, rtol=1e-8)
    assert fit.residual < 1e-12


@pytest.mark.parametrize("name", TRUTH)
def test_exact_signals_return_the_parameters(name):
    model, parameters = TRUTH[name]
    x = noise(3000)
    fit = model.fit_signals(x, model.simulate(np.array(parameters), x, H), H)
    assert_allclose(fit.values, parameters, rtol=1e-6)


@settings(deadline=None, max_examples=15)
@given(f0=st.floats(10, 60), damping=st.floats(0.3, 1.2), dead=st.floats(1e-3, 10e-3))
def test_any_second_order_with_dead_time_is_recovered(f0, damping, dead):
    truth = [1.0, dead, f0, damping]
    fit = SECOND_ORDER.fit_response(as_measured(SECOND_ORDER, truth, np.linspace(0.5, 60, 120)))
    assert_allclose(fit.values, truth, rtol=1e-5)


@pytest.mark.parametrize("lag", [1e-5, 1e-3, 0.05, 5.0])
def test_the_response_to_a_ramp_is_exact_at_any_lag(lag):
    t = H * np.arange(500)
    expected = t - lag * -np.expm1(-t / lag)
    assert_allclose(ramp_response(t, H, lag, 0.0), expected, rtol=1e-10, atol=1e-13)


@settings(deadline=None, max_examples=25)
@given(f0=st.floats(1, 100), damping=st.one_of(st.just(1.0), st.floats(0.05, 5.0)))
def test_the_second_order_is_the_first_order_hold_of_scipy(f0, damping):
    x, w = noise(400), 2 * np.pi * f0
    a1, a2 = 2 * damping / w, 1 / w**2
    b, a, _ = scipy.signal.cont2discrete(([1.0], [a2, a1, 1.0]), H, method="foh")
    expected = scipy.signal.lfilter(np.squeeze(b), a, x)
    # 1e-8: poles drawn apart at damping 1; scipy's own polynomials lose digits at low f0
    assert_allclose(ramp_response(x, H, a1, a2), expected, atol=1e-7 * np.abs(x).max())


@pytest.mark.parametrize("name", TRUTH)
def test_a_simulated_sine_settles_on_the_frequency_response(name):
    model, parameters = TRUTH[name]
    t = H * np.arange(4096)
    y = model.simulate(np.array(parameters), np.sin(2 * np.pi * 4 * t), H)
    late = t >= 2.0
    basis = np.exp(-2j * np.pi * 4 * t[late])
    settled = 2j * np.mean(y[late] * basis)
    # the command is a polygon: its first harmonic is (sin(ωh/2)/(ωh/2))², 5e-5 low
    assert_allclose(settled, model.response(np.array(parameters), 4.0), rtol=2e-4)


@pytest.mark.parametrize("name", TRUTH)
def test_the_intervals_hold_the_truth_at_their_confidence(name):
    model, parameters = TRUTH[name]
    x, rng = noise(800), np.random.default_rng(11)
    clean = model.simulate(np.array(parameters), x, H)
    inside = np.zeros(len(parameters))
    for _ in range(24):
        y = clean + 0.01 * np.std(clean) * rng.normal(size=x.size)
        fit = model.fit_signals(x, y, H)
        inside += [
            p.low <= v <= p.high for p, v in zip(fit.parameters.values(), parameters, strict=True)
        ]
    assert np.all(inside >= 19)  # 22.8 ± 3.6 standard deviations of 1.1


def test_a_wider_confidence_is_a_wider_interval():
    x = noise(1000)
    y = FIRST_ORDER.simulate(np.array([1.0, 0.02]), x, H) + 0.01 * noise(1000, 9)
    narrow = FIRST_ORDER.fit_signals(x, y, H, confidence=0.5).parameters["lag"]
    wide = FIRST_ORDER.fit_signals(x, y, H, confidence=0.99).parameters["lag"]
    assert wide.low < narrow.low < narrow.value < narrow.high < wide.high
    with pytest.raises(InputError, match="no probability"):
        FIRST_ORDER.fit_signals(x, y, H, confidence=95)


def test_the_wrong_model_leaves_a_larger_residual():
    x = noise(3000)
    y = SECOND_ORDER.simulate(np.array(TRUTH["second order"][1]), x, H)
    best, worse = SECOND_ORDER.fit_signals(x, y, H), PURE_DELAY.fit_signals(x, y, H)
    assert worse.residual > 1e3 * best.residual


def test_a_measured_response_with_noise_is_fitted():
    x = noise(60_000)
    y = SECOND_ORDER.simulate(np.array(TRUTH["second order"][1]), x, H)
    y = y + 0.02 * np.std(y) * np.random.default_rng(4).normal(size=y.size)
    fit = SECOND_ORDER.fit_response(frequency_response(x, y, H, segment=2.0).select_band(0.5, 50.0))
    assert_allclose(fit.values, TRUTH["second order"][1], rtol=0.05)


def test_c7_actuator_from_its_bandwidth():
    actuator = second_order_from_bandwidth(cutoff=28.7, frequency=15.0, gain=0.94, slope=12.4e-3)
    assert actuator.frequency == pytest.approx(31.240, rel=1e-3)
    assert actuator.damping == pytest.approx(0.76499, rel=1e-3)
    assert actuator.dead_time == pytest.approx(4.2621e-3, rel=1e-3)
    f = np.linspace(0.1, 28.7, 400)
    delay = -np.unwrap(np.angle(actuator.response(f))) / (2 * np.pi * f)
    assert delay.min() == pytest.approx(12.06e-3, rel=1e-3)
    assert delay.max() == pytest.approx(12.46e-3, rel=1e-3)


@settings(deadline=None)
@given(cutoff=st.floats(5, 80), share=st.floats(0.2, 0.8), damping=st.floats(0.5, 1.0))
def test_the_bandwidth_solver_returns_to_its_gains(cutoff, share, damping):
    truth = second_order_from_bandwidth(28.7, 15.0, 0.94, 0.0124)
    u = np.sqrt(1 - 2 * damping**2 + np.sqrt((1 - 2 * damping**2) ** 2 + 1))  # f/f0 at -3 dB
    f0 = cutoff / u
    gain = abs(1 / (1 - (share * u) ** 2 + 2j * damping * share * u))
    found = second_order_from_bandwidth(cutoff, share * cutoff, gain, slope=1.0)
    assert found.frequency == pytest.approx(f0, rel=1e-6)
    assert found.damping == pytest.approx(damping, rel=1e-6)
    assert abs(truth.response(28.7)) == pytest.approx(0.5**0.5, rel=1e-12)


@pytest.mark.parametrize(
    ("cutoff", "frequency", "gain", "slope", "problem"),
    [
        (28.7, 30.0, 0.94, 0.0124, "not below the cut-off"),
        (28.7, 15.0, 0.05, 0.0124, "no second-order system"),
        (28.7, 15.0, 0.94, 0.0010, "less than the second order alone"),
    ],
)
def test_a_bandwidth_that_fits_nothing_is_refused(cutoff, frequency, gain, slope, problem):
    with pytest.raises(InputError, match=problem):
        second_order_from_bandwidth(cutoff, frequency, gain, slope)


def test_a_segment_that_gives_no_average_is_refused():
    x = noise(1000)
    for segment in (1000 * H, 4 * H):
        with pytest.raises(InputError, match="segment"):
            frequency_response(x, x, H, segment=segment)
    with pytest.raises(InputError, match="holds no point"):
        frequency_response(x, x, H).select_band(600.0, 700.0)
