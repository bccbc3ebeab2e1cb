""""""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from rths.errors import InputError
from rths.motions.time_series import TimeSeries

RAMP = TimeSeries(0.1, np.array([0.0, 1.0, 4.0, 9.0]))


@settings(deadline=None)
@given(slope=st.floats(-9, 9), offset=st.floats(-9, 9), t=st.floats(0.0, 0.9))
def test_a_straight_line_is_interpolated_exactly(slope, offset, t):
    line = TimeSeries(0.1, offset + slope * 0.1 * np.arange(10))
    assert_allclose(
        line.values_at(t), offset + slope * t, atol=1e-12
    )  # round-off of values up to 18


def test_the_ground_is_quiet_before_and_after_the_record():
    moving = TimeSeries(0.1, np.ones(4))
    assert_array_equal(moving.values_at([-1e-3, 0.0, 0.3, 0.301]), [0.0, 1.0, 1.0, 0.0])


def test_scaling_to_a_peak_uses_the_largest_absolute_value():
    series = TimeSeries(0.1, np.array([1.0, -4.0, 2.0]), units=("m/s2",))
    assert_allclose(series.scale_to_peak(2.0).values, [0.5, -2.0, 1.0])
    assert series.scale(-2.0).peak == 8.0
    with pytest.raises(InputError, match="cannot be reached"):
        series.scale(0.0).scale_to_peak(1.0)


def test_channels_stay_together():
    both = TimeSeries(0.5, [[0.0, 0.0], [1.0, 10.0], [2.0, 20.0]], ("x", "f"), ("m", "N"))
    assert_allclose(both.values_at([0.25, 0.75]), [[0.5, 5.0], [1.5, 15.0]])
    assert both.channel("f").unit == "N"
    with pytest.raises(InputError, match="is not the same for all"):
        both.unit  # noqa: B018
    with pytest.raises(InputError, match="It has"):
        both.channel("y")


def test_values_cannot_be_changed_behind_the_series():
    mine = np.zeros(3)
    series = TimeSeries(0.1, mine)
    mine[0] = 5.0
    assert series.values[0] == 0.0
    with pytest.raises(ValueError, match="read-only"):
        series.values[0] = 1.0


@pytest.mark.parametrize(
    ("step", "values", "names", "problem"),
    [
        (0.0, [1.0, 2.0], "x", "no time step"),
        (-0.1, [1.0, 2.0], "x", "no time step"),
        (np.nan, [1.0, 2.0], "x", "no time step"),
        (0.1, [1.0], "x", "not the shape"),
        (0.1, np.zeros((2, 2, 2)), "x", "not the shape"),
        (0.1, [1.0, np.nan], "x", "not a finite number"),
        (0.1, [1.0, -np.inf], "x", "not a finite number"),
        (0.1, [1.0, 2.0], ("x", "y"), "does not fit 1 channel"),
    ],
)
def test_what_is_no_series_is_refused(step, values, names, problem):
    with pytest.raises(InputError, match=problem):
        TimeSeries(step, values, names)


def test_a_g_is_9_81_and_contradiction_is_refused():
    assert_allclose(RAMP.convert("g").values, 9.81 * RAMP.values)
    assert RAMP.convert("g").unit == "m/s2"
    with pytest.raises(InputError, match="contradicts"):
        RAMP.convert("g").convert("g")
    with pytest.raises(InputError, match="is not known"):
        RAMP.convert("furlong")


@pytest.mark.parametrize("act", [lambda s: s.scale(1e10), lambda s: s.convert("g")])
def test_what_grows_beyond_all_numbers_is_refused_and_nothing_else_is_said(act):
    series = TimeSeries(0.01, np.array([1e308, 0.0]), ("acceleration",), ("",))
    with pytest.raises(InputError, match="not a finite number"):
        act(series)
