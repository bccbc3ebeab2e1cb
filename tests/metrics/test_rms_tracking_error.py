"""Tracking error as root mean square: worked by hand (H6), and its ratios."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from rths.metrics.maximum_tracking_error import maximum_tracking_error
from rths.metrics.nrmse import nrmse
from rths.metrics.rms_tracking_error import rms_tracking_error

H = 1 / 1024
CYCLE = 2 * np.pi * np.arange(1025) / 1024  # one period of 1 Hz, both ends
signals = arrays(np.float64, 50, elements=st.floats(-10, 10))


def test_h6_definitions_on_numbers_worked_by_hand():
    c, m = [3.0, 4.0, 0.0], [3.0, 1.0, -4.0]
    assert maximum_tracking_error(c, m, H) == 4.0
    assert rms_tracking_error(c, m, H) == pytest.approx(1.0)  # sqrt(25/25)
    # the printed form without the root over the quotient would give 5/25
    assert rms_tracking_error(c, m, H) != pytest.approx(0.2)


@settings(deadline=None)
@given(c=signals, scale=st.floats(0.1, 10), factor=st.floats(0, 2))
def test_rms_is_free_of_units_and_measures_a_wrong_gain(c, scale, factor):
    c[0] = 5.0
    m = factor * c
    assert rms_tracking_error(c, m, H) == pytest.approx(abs(1 - factor), abs=1e-12)
    again = rms_tracking_error(scale * c, scale * m, H)
    assert again == pytest.approx(rms_tracking_error(c, m, H), abs=1e-12)
    assert nrmse(c, m, H) == rms_tracking_error(c, m, H)


def test_tiny_signals_keep_their_ratio():
    c = 1e-200 * np.sin(CYCLE)
    assert rms_tracking_error(c, 1.5 * c, H) == pytest.approx(0.5)
