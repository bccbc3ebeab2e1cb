import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.theory.step.amplification import (
    characteristic_polynomial,
    half_plane_polynomial,
    matrix_of,
    routh_array,
    spectral_radius,
    stable_ranges,
)

COEFFICIENTS = st.lists(st.floats(-2, 2), min_size=2, max_size=5)


def test_a_linear_step_becomes_its_matrix():
    a = np.arange(9.0).reshape(3, 3)
    assert_allclose(matrix_of(lambda x: a @ x, 3), a)


@given(c=COEFFICIENTS)
def test_characteristic_polynomial_of_a_companion_matrix(c):
    matrix = np.vstack([-np.array(c), np.eye(len(c))[:-1]])
    assert_allclose(characteristic_polynomial(matrix), [1, *c], atol=1e-12)


@settings(deadline=None)
@given(seed=st.integers(0, 10**6), size=st.integers(2, 6))
def test_routh_after_the_bilinear_map_agrees_with_the_spectral_radius(seed, size):
    matrix = np.random.default_rng(seed).normal(size=(size, size))
    matrix *= 0.95 / spectral_radius(matrix) if seed % 2 else 1.05 / spectral_radius(matrix)
    mapped = half_plane_polynomial(characteristic_polynomial(matrix))
    column = routh_array(mapped)[:, 0]
    assert (np.ptp(np.sign(column)) == 0) == (seed % 2 == 1)


def test_stable_ranges_finds_both_ends():
    def window(x):
        return np.array([[1.0 + (x - 0.3) * (x - 0.7)]])

    ((low, high),) = stable_ranges(window, 0.1, 1.0)
    assert_allclose([low, high], [0.3, 0.7], atol=1e-10)


def test_a_zero_in_the_first_column_and_a_bad_range_are_refused():
    with pytest.raises(InputError, match="zero"):
        routh_array([1.0, 0.0, 2.0, 1.0])
    with pytest.raises(InputError, match="low"):
        stable_ranges(lambda x: np.eye(1), 0.0, 1.0)
