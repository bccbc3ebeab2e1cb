import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.theory.step.extrapolation import least_squares_weights, polynomial_weights


def test_c6_cubic_weights():
    assert_allclose(polynomial_weights(3, 1.0), [4, -6, 4, -1], rtol=1e-15)
    assert_allclose(polynomial_weights(3, 2.0), [10, -20, 15, -4], rtol=1e-15)


@given(order=st.integers(0, 4), extra=st.integers(1, 12), ahead=st.floats(-5, 30))
def test_polynomials_up_to_the_order_are_predicted_exactly(order, extra, ahead):
    j = -np.arange(order + extra)
    fitted = least_squares_weights(order, order + extra, ahead)
    through = polynomial_weights(order, ahead)
    for k in range(order + 1):
        size = np.abs(fitted) @ np.abs(j.astype(float)) ** k + np.abs(through).sum() + 1
        assert abs(fitted @ j.astype(float) ** k - ahead**k) < 1e-11 * size * 12**order
        assert abs(through @ j[: order + 1].astype(float) ** k - ahead**k) < 1e-10 * size * 5**k


def test_as_many_points_as_coefficients_is_interpolation():
    assert_allclose(least_squares_weights(3, 4, 1.7), polynomial_weights(3, 1.7), rtol=1e-11)


def test_w9_sum_checks_of_the_least_squares_weights():
    w = least_squares_weights(3, 12, 9.4)
    assert_allclose([w.sum(), np.arange(12) @ w], [1.0, -9.4], rtol=1e-12)


def test_too_few_points_are_refused():
    with pytest.raises(InputError, match="points"):
        least_squares_weights(3, 3, 1.0)
