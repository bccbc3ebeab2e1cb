"""Frequency evaluation index: gain and delay of sines."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from rths.metrics.frequency_evaluation_index import frequency_evaluation_index

H = 1 / 1024


@settings(deadline=None)
@given(
    cycles=st.integers(1, 40), gain=st.floats(0.2, 3), turn=st.floats(-3, 3), power=st.floats(1, 4)
)
def test_the_index_of_a_sine_is_its_gain_and_delay(cycles, gain, turn, power):
    t = np.arange(1024) * H
    c, m = np.sin(2 * np.pi * cycles * t), gain * np.sin(2 * np.pi * cycles * t - turn)
    index = frequency_evaluation_index(c, m, H, power=power)
    assert_allclose(index, [gain, turn / (2 * np.pi * cycles), cycles], rtol=1e-6, atol=1e-9)


def test_the_index_of_several_tones_is_the_weighted_mean():
    t, tau = np.arange(4096) * H, 0.004
    tones = [(1.0, 1.0), (0.5, 3.0), (0.2, 7.0)]
    c = sum(a * np.sin(2 * np.pi * f * t) for a, f in tones)
    m = sum(a * np.sin(2 * np.pi * f * (t - tau)) for a, f in tones)
    weights = np.array([a**2 for a, _ in tones])
    weights /= weights.sum()
    f = np.array([f for _, f in tones])
    mean = np.sum(weights * np.exp(-2j * np.pi * f * tau))
    expected = [abs(mean), -np.angle(mean) / (2 * np.pi * np.sum(weights * f)), np.sum(weights * f)]
    found = frequency_evaluation_index(c, m, H)
    assert_allclose(found, expected, rtol=1e-9)
    assert found.delay == pytest.approx(tau, rel=1e-3)
