"""What every actuator model that can be identified promises."""

import numpy as np
import pytest
import scipy.signal
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.identification.delayed_first_order import DELAYED_FIRST_ORDER
from rths.identification.first_order import FIRST_ORDER
from rths.identification.frequency_response import FrequencyResponse
from rths.identification.pure_delay import PURE_DELAY
from rths.identification.second_order import SECOND_ORDER

H = 1 / 1024
TRUTH = {
    "pure delay": (PURE_DELAY, [0.98, 0.0124]),
    "first order": (FIRST_ORDER, [1.03, 0.0166]),
    "delayed first order": (DELAYED_FIRST_ORDER, [0.97, 0.0042, 0.0081]),
    "second order": (SECOND_ORDER, [0.99, 0.0042621, 31.24, 0.76499]),
}


def noise(count, seed=1):
    """Random command below about 40 Hz, from rest."""
    rough = np.random.default_rng(seed).normal(size=count)
    return scipy.signal.lfilter(*scipy.signal.butter(2, 40 * 2 * H), rough)


def as_measured(model, parameters, frequencies):
    response = model.response(np.array(parameters), frequencies)
    return FrequencyResponse(frequencies, response, np.ones(frequencies.size), 16)


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
