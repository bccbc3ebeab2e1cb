"""Times that jitter: within reason resampled, beyond it refused."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.motions.even_times import even_out


def place(k: int) -> str:
    return f"sample {k}"


def test_a_straight_line_is_met_exactly_whatever_the_jitter():
    k = np.arange(200)
    time = 0.01 * (k + 0.08 * np.sin(2.0 * k))  # intervals differ by 13 % at most
    step, values, remarks = even_out(time, np.column_stack([3.0 * time, -time]), 0.0, place)
    even = time[0] + step * k
    assert_allclose(values, np.column_stack([3.0 * even, -even]), atol=1e-13)
    assert len(remarks) == 1
    assert "resampled" in remarks[0]


def test_even_times_are_left_as_they_are():
    values = np.ones((20, 1))
    step, same, remarks = even_out(0.01 * np.arange(20), values, 0.0, place)
    assert (step, remarks) == (0.01, ())
    assert same is values


@pytest.mark.parametrize(
    "time",
    [
        0.01 * np.r_[np.arange(50), np.arange(50, 100) + 0.35],  # a jump
        np.cumsum(np.r_[0.0, np.full(50, 0.010), np.full(50, 0.011)]),  # another rate
        0.01 * np.r_[np.arange(5), np.arange(5, 8) + 0.1],  # too few to tell
        np.r_[0.01 * np.arange(50), np.nan],
    ],
)
def test_a_jump_and_a_drift_are_refused(time):
    with pytest.raises(InputError):
        even_out(time, np.ones((time.size, 1)), 1e-6, place)


@pytest.mark.parametrize("first", [-1.7e308, 0.0])
def test_times_near_the_largest_number_are_refused_and_nothing_else_is_said(first):
    time = np.array([first, *(0.01 * np.arange(1, 19)), 1.7e308])
    with pytest.raises(InputError, match="comes after a gap"):
        even_out(time, np.ones((20, 1)), 0.0, place)
