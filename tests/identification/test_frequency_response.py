"""Frequency response from two signals: closed forms, and scipy."""

import numpy as np
import pytest
import scipy.signal
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.identification.frequency_response import frequency_response

H = 1 / 1024


def noise(count, seed=1):
    """Random command below about 40 Hz, from rest."""
    rough = np.random.default_rng(seed).normal(size=count)
    return scipy.signal.lfilter(*scipy.signal.butter(2, 40 * 2 * H), rough)


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


def test_a_segment_that_gives_no_average_is_refused():
    x = noise(1000)
    for segment in (1000 * H, 4 * H):
        with pytest.raises(InputError, match="segment"):
            frequency_response(x, x, H, segment=segment)
    with pytest.raises(InputError, match="holds no point"):
        frequency_response(x, x, H).select_band(600.0, 700.0)
