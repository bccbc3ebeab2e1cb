"""Delay from zero crossings."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from rths.identification.zero_crossing import delay_by_zero_crossing

H = 1e-3
T = H * np.arange(5000)


def sine(t, hertz=2.0):
    return np.sin(2 * np.pi * hertz * t)


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
