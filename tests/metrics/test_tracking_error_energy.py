"""Energy that the tracking error puts in: identities and closed forms of sines."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose

from rths.metrics.tracking_error_energy import tracking_error_energy
from rths.metrics.tracking_indicator import tracking_indicator

H = 1 / 1024
CYCLE = 2 * np.pi * np.arange(1025) / 1024  # one period of 1 Hz, both ends
signals = arrays(np.float64, 50, elements=st.floats(-10, 10))


@settings(deadline=None)
@given(c=signals, m=signals, k=st.floats(0.1, 1e3))
def test_the_energy_of_a_spring_is_its_stiffness_times_the_tracking_indicator(c, m, k):
    energy = tracking_error_energy(c, m, H, k * m)
    ends = m * (m - c) / 2
    expected = k * (tracking_indicator(c, m, H) + ends - ends[0])
    assert_allclose(energy, expected, atol=1e-9 * k)


@pytest.mark.parametrize("lag", [0.2, -0.2])
def test_a_lag_adds_the_energy_of_the_closed_form_and_a_lead_takes_it(lag):
    c, m = 0.01 * np.sin(CYCLE), 0.01 * np.sin(CYCLE - lag)
    energy = tracking_error_energy(c, m, H, 5e4 * m)[-1]
    assert energy == pytest.approx(np.pi * 5e4 * 1e-4 * np.sin(lag), rel=1e-5)
    assert np.sign(energy) == np.sign(lag)


def test_no_tracking_error_no_energy():
    c = np.sin(CYCLE)
    assert_allclose(tracking_error_energy(c, c, H, np.cos(7 * CYCLE)), 0.0, atol=1e-15)
