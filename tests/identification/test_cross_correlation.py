"""Delay from the cross-correlation."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rths.errors import InputError
from rths.identification.cross_correlation import delay_by_cross_correlation
from rths.identification.least_squares_delay import delay_by_least_squares

H = 1e-3
T = H * np.arange(5000)


def sine(t, hertz=2.0):
    return np.sin(2 * np.pi * hertz * t)


@settings(deadline=None, max_examples=40)
@given(shift=st.integers(-90, 90), seed=st.integers(0, 999), gain=st.floats(0.1, 9))
def test_whole_samples_of_any_signal_are_found_exactly_by_correlation(shift, seed, gain):
    noise = np.cumsum(np.random.default_rng(seed).normal(size=2200))
    x, y = noise[100:2100] - 500.0, gain * noise[100 - shift : 2100 - shift] + 300.0
    assert delay_by_cross_correlation(x, y, H) == pytest.approx(shift * H, abs=1e-12)


@pytest.mark.parametrize("estimate", [delay_by_cross_correlation, delay_by_least_squares])
def test_a_delay_beyond_the_longest_is_not_made_up(estimate):
    x, y = sine(T, 1.0), sine(T - 0.15, 1.0)
    with pytest.raises(InputError, match="shorter than the delay"):
        estimate(x, y, H, longest=0.1)
    assert float(estimate(x, y, H, longest=0.2)) == pytest.approx(0.15, abs=1e-9)
    with pytest.raises(InputError, match="does not fit"):
        estimate(x[:300], y[:300], H, longest=0.1)
