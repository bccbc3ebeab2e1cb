import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.theory.delay.equation import DelayedTerm, first_order, second_order

M = np.array([[2.0, 0.3], [0.3, 1.0]])
C = np.array([[0.2, -0.1], [-0.1, 0.3]])
K = np.array([[3.0, -1.0], [-1.0, 2.0]])
LATE = DelayedTerm(0.7, stiffness=np.diag([1.0, 0.0]), damping=np.diag([0.0, 0.4]), mass=0.1 * M)


def test_characteristic_matrix_is_the_laplace_transform_of_the_equation():
    s = 0.3 + 1.9j
    late = np.exp(-0.7 * s) * (np.diag([1.0, 0]) + s * np.diag([0, 0.4]) + s * s * 0.1 * M)
    assert_allclose(
        second_order(M, C, K, [LATE]).characteristic(s), s * s * M + s * C + K + late, rtol=1e-14
    )


def test_slope_is_the_derivative_of_the_characteristic_matrix(characteristic_slope):
    e, s, h = second_order(M, C, K, [LATE]), -0.4 + 1.1j, 1e-6
    central = (e.characteristic(s + h) - e.characteristic(s - h)) / (2 * h)
    assert_allclose(characteristic_slope(e, s), central, atol=1e-8)  # h² and round-off/h


def test_a_term_without_delay_joins_the_undelayed_matrices():
    a = second_order(M, C, K, [DelayedTerm(0.0, K), DelayedTerm(1.0, K), DelayedTerm(1.0, K)])
    b = second_order(M, C, 2 * K, [DelayedTerm(1.0, 2 * K)])
    assert a.delays.tolist() == [0.0, 1.0]
    assert_allclose(a.coefficients, b.coefficients)


def test_first_and_second_order_forms_have_the_same_determinant():
    zero, one = np.zeros((2, 2)), np.eye(2)
    inverse = np.linalg.inv(M)
    state = np.block([[zero, one], [-inverse @ K, -inverse @ C]])
    late = np.block([[zero, zero], [-inverse @ K, zero]])
    s = 0.1 + 0.8j
    first = np.linalg.det(first_order(state, [(0.5, late)]).characteristic(s))
    second = np.linalg.det(second_order(M, C, K, [DelayedTerm(0.5, K)]).characteristic(s))
    assert_allclose(first * np.linalg.det(M), second, rtol=1e-12)


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ((M, C, np.eye(3)), "stiffness"),
        ((np.diag([1.0, 0.0]), C, K), "mass"),
        ((M, C, K, [DelayedTerm(-0.1, K)]), "delay"),
        ((M, C, K, [DelayedTerm(0.1, np.eye(3))]), "delayed stiffness"),
        ((M, C, K * np.nan), "matrices"),
    ],
)
def test_bad_input_names_its_field(arguments, field):
    with pytest.raises(InputError) as error:
        second_order(*arguments)
    assert error.value.field == field
