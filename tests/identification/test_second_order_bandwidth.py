"""Actuator from its bandwidth: C7."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rths.errors import InputError
from rths.identification.second_order_bandwidth import second_order_from_bandwidth


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
