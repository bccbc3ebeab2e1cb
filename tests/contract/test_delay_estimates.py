"""What every estimate of a delay from two signals promises: exact shifts first, then L22."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rths.errors import InputError
from rths.identification.cross_correlation import delay_by_cross_correlation
from rths.identification.least_squares_delay import delay_by_least_squares
from rths.identification.zero_crossing import delay_by_zero_crossing

H = 1e-3
T = H * np.arange(5000)
SMOOTH = {  # functions of time with content below 5 Hz, so that a spline follows them
    "two tones": lambda t: np.sin(2 * np.pi * 1.3 * t) + 0.4 * np.cos(2 * np.pi * 3.7 * t + 0.2),
    "sweep": lambda t: np.sin(2 * np.pi * (0.5 * t + 0.35 * t**2)),
    "growing": lambda t: np.exp(0.3 * t) * np.sin(2 * np.pi * 2 * t),
}


def sine(t, hertz=2.0):
    return np.sin(2 * np.pi * hertz * t)


@settings(deadline=None, max_examples=40)
@given(name=st.sampled_from(sorted(SMOOTH)), tau=st.floats(-0.04, 0.04))
def test_a_fraction_of_a_sample_is_found(name, tau):
    x, y = SMOOTH[name](T), SMOOTH[name](T - tau)
    # error of a cubic spline for content up to 5 Hz: (2π 5 h)⁴/384 of the amplitude
    assert float(delay_by_least_squares(x, y, H)) == pytest.approx(tau, abs=1e-8)
    found = delay_by_cross_correlation(x, y, H, interpolated=True)
    assert found == pytest.approx(tau, abs=0.02 * H)  # a parabola instead of the true peak


@pytest.mark.parametrize("tau", [0.015, 0.0154])
def test_l22_delay_estimates(tau):
    x, y = sine(T), sine(T - tau)
    assert delay_by_cross_correlation(x, y, H) == pytest.approx(0.015, abs=1e-12)
    assert delay_by_cross_correlation(x, y, H) == pytest.approx(tau, abs=0.5 * H)
    assert delay_by_zero_crossing(x, y, H).mean == pytest.approx(tau, abs=1e-5)


@pytest.mark.parametrize(
    "estimate", [delay_by_cross_correlation, delay_by_least_squares, delay_by_zero_crossing]
)
def test_what_is_no_pair_of_signals_is_refused(estimate):
    with pytest.raises(InputError, match="do not match"):
        estimate(T, T[:-1], H)
    with pytest.raises(InputError, match="finite"):
        estimate(T, np.where(T > 1, np.nan, T), H)
    with pytest.raises(InputError, match="shape"):
        estimate(np.zeros((9, 2)), np.zeros((9, 2)), H)
    with pytest.raises(InputError, match="step"):
        estimate(T, T, 0.0)


def test_signals_at_rest_have_no_delay():
    with pytest.raises(InputError, match="does not move"):
        delay_by_cross_correlation(np.zeros(5000), sine(T), H)
    with pytest.raises(InputError, match="is not crossed"):
        delay_by_zero_crossing(sine(T) + 5, sine(T) + 5, H)
    assert delay_by_zero_crossing(sine(T) + 5, sine(T) + 5, H, level=5.0).mean == 0.0
