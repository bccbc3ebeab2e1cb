"""Synchronisation subspace: the loop of a delayed sine."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from rths.metrics.synchronisation_subspace import synchronisation_subspace
from rths.metrics.tracking_indicator import tracking_indicator

H = 1 / 1024
CYCLE = 2 * np.pi * np.arange(1025) / 1024  # one period of 1 Hz, both ends


@settings(deadline=None)
@given(amplitude=st.floats(1e-3, 10), tau=st.floats(0, 0.1))
def test_the_loop_of_a_delayed_sine_is_the_test_itself(amplitude, tau):
    t = np.arange(1024) * H
    c = amplitude * np.cos(2 * np.pi * 2 * t)
    m = amplitude * np.cos(2 * np.pi * 2 * (t - tau))
    plane = synchronisation_subspace(c, m, H, delay=tau)
    # every point of the test lies on the ellipse c² + m² - 2 c m cos φ = X² sin² φ of the loop
    phi = 2 * np.pi * 2 * tau
    for x, y in ((c, m), (plane.loop_target, plane.loop_measured)):
        off = x**2 + y**2 - 2 * x * y * np.cos(phi) - amplitude**2 * np.sin(phi) ** 2
        assert_allclose(off, 0.0, atol=1e-9 * amplitude**2)
    width = np.abs(plane.loop_target - plane.loop_measured).max() / np.sqrt(2)
    assert plane.half_width == pytest.approx(width, rel=1e-3)
    shoelace = tracking_indicator(plane.loop_target, plane.loop_measured, H)[-1]
    assert plane.area == pytest.approx(shoelace, rel=1e-3, abs=1e-9)


def test_the_limit_loop_takes_the_frequency_and_amplitude_it_is_given():
    c = np.sin(CYCLE)
    plane = synchronisation_subspace(c, c, H, delay=0.00677, frequency=7.116, amplitude=0.01)
    assert plane.area == pytest.approx(np.pi * 1e-4 * np.sin(2 * np.pi * 7.116 * 0.00677))
    assert np.abs(plane.loop_target).max() == pytest.approx(0.01)
