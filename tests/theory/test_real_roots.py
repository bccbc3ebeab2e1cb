import numpy as np
import pytest
from numpy.polynomial import Polynomial
from numpy.testing import assert_allclose

from rths.theory.real_roots import real_roots


def test_all_roots_inside_are_found_and_none_outside():
    coefficients = Polynomial.fromroots([-1.0, 0.25, 0.5, 1.5, 3.0, 5.0]).coef
    assert_allclose(real_roots(coefficients, 4.0), [0.25, 0.5, 1.5, 3.0], rtol=1e-13)


def test_complex_pairs_are_no_roots():
    coefficients = Polynomial.fromroots([1 + 1e-4j, 1 - 1e-4j, 2.0]).coef.real
    assert_allclose(real_roots(coefficients, 4.0), [2.0], rtol=1e-13)


def test_roots_at_the_ends_and_at_a_division_are_found():
    coefficients = Polynomial.fromroots([0.0, 2.0]).coef
    assert real_roots(coefficients, 4.0) == [0.0, 2.0]


@pytest.mark.parametrize("small", 10.0 ** np.arange(-200, 0, 20))
def test_a_root_keeps_its_relative_accuracy_at_any_size(small):
    # (x - small)(x - 1)(x - 3)
    coefficients = [-3 * small, 3 + 4 * small, -4 - small, 1.0]
    assert_allclose(real_roots(coefficients, 4.0), [small, 1.0, 3.0], rtol=1e-13)


def test_two_close_roots_are_two():
    coefficients = Polynomial.fromroots([1.0, 1.0 + 1e-5]).coef
    # a root of distance d to its twin is known to rounding / d
    assert_allclose(real_roots(coefficients, 4.0), [1.0, 1.0 + 1e-5], rtol=1e-10)
