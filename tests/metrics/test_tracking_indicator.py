"""Tracking indicator: the corrected recursion, and H3."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose

from rths.metrics.tracking_indicator import tracking_indicator

H = 1 / 1024
CYCLE = 2 * np.pi * np.arange(1025) / 1024  # one period of 1 Hz, both ends
signals = arrays(np.float64, 50, elements=st.floats(-10, 10))


@settings(deadline=None)
@given(c=signals, m=signals)
def test_the_tracking_indicator_is_the_corrected_recursion(c, m):
    a = ta = 0.0
    expected = [0.0]
    for i in range(len(c) - 1):
        a += 0.5 * (c[i + 1] + c[i]) * (m[i + 1] - m[i])
        ta += 0.5 * (m[i + 1] + m[i]) * (c[i + 1] - c[i])
        expected.append(0.5 * (a - ta))
    assert_allclose(tracking_indicator(c, m, H), expected, atol=1e-9)


@settings(deadline=None)
@given(c=signals, m=signals)
def test_the_tracking_indicator_changes_sign_when_the_signals_change_places(c, m):
    assert_allclose(tracking_indicator(c, m, H), -tracking_indicator(m, c, H), atol=1e-12)
    assert_allclose(tracking_indicator(c, 2 * c, H), 0.0, atol=1e-12)


def test_h3_tracking_indicator_of_a_lagging_sine():
    phi = 2 * np.pi * 0.030
    ti = tracking_indicator(10 * np.sin(CYCLE), 10 * np.sin(CYCLE - phi), H)
    exact = 100 * np.sin(2 * np.pi * H) * np.sin(phi) / 2
    assert_allclose(np.diff(ti), exact, rtol=1e-9)  # the same at every step
    assert exact == pytest.approx(0.0574875, abs=5e-8)
    assert ti[-1] == pytest.approx(58.867, rel=1e-5)
    assert ti[-1] == pytest.approx(np.pi * 100 * np.sin(phi), rel=1e-5)


def test_a_leading_actuator_lowers_the_tracking_indicator():
    ti = tracking_indicator(np.sin(CYCLE), np.sin(CYCLE + 0.1), H)
    assert np.all(np.diff(ti) < 0)
