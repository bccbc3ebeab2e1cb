"""Second order with dead time."""

import numpy as np
import scipy.signal
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from rths.identification.first_order import FIRST_ORDER
from rths.identification.frequency_response import FrequencyResponse, frequency_response
from rths.identification.pure_delay import PURE_DELAY
from rths.identification.ramp_response import ramp_response
from rths.identification.second_order import SECOND_ORDER

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


@settings(deadline=None, max_examples=15)
@given(f0=st.floats(10, 60), damping=st.floats(0.3, 1.2), dead=st.floats(1e-3, 10e-3))
def test_any_second_order_with_dead_time_is_recovered(f0, damping, dead):
    truth = [1.0, dead, f0, damping]
    fit = SECOND_ORDER.fit_response(as_measured(SECOND_ORDER, truth, np.linspace(0.5, 60, 120)))
    assert_allclose(fit.values, truth, rtol=1e-5)


@settings(deadline=None, max_examples=25)
@given(f0=st.floats(1, 100), damping=st.one_of(st.just(1.0), st.floats(0.05, 5.0)))
def test_the_second_order_is_the_first_order_hold_of_scipy(f0, damping):
    x, w = noise(400), 2 * np.pi * f0
    a1, a2 = 2 * damping / w, 1 / w**2
    b, a, _ = scipy.signal.cont2discrete(([1.0], [a2, a1, 1.0]), H, method="foh")
    expected = scipy.signal.lfilter(np.squeeze(b), a, x)
    # 1e-8: poles drawn apart at damping 1; scipy's own polynomials lose digits at low f0
    assert_allclose(ramp_response(x, H, a1, a2), expected, atol=1e-7 * np.abs(x).max())


def test_a_measured_response_with_noise_is_fitted():
    x = noise(60_000)
    y = SECOND_ORDER.simulate(np.array(TRUTH["second order"][1]), x, H)
    y = y + 0.02 * np.std(y) * np.random.default_rng(4).normal(size=y.size)
    fit = SECOND_ORDER.fit_response(frequency_response(x, y, H, segment=2.0).select_band(0.5, 50.0))
    assert_allclose(fit.values, TRUTH["second order"][1], rtol=0.05)
