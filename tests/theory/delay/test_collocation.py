import numpy as np
from numpy.testing import assert_allclose

from rths.theory.delay.collocation import companion, differentiation, generator, interpolation_row
from rths.theory.delay.equation import DelayedTerm, second_order

EQUATION = second_order(1.0, 0.2, 1.0, [DelayedTerm(1.0, 0.8), DelayedTerm(0.37, 0.2, 0.1)])


def test_differentiation_is_exact_for_polynomials_up_to_the_number_of_nodes():
    theta, d = differentiation(6, 2.5)
    for k in range(7):
        assert_allclose(d @ theta**k, k * theta ** max(k - 1, 0) if k else 0 * theta, atol=1e-11)


def test_interpolation_is_exact_at_and_between_nodes():
    theta, _ = differentiation(5, 1.0)
    for at in (0.0, theta[2], -0.317, -1.0):
        assert_allclose(interpolation_row(theta, at) @ theta**5, at**5, atol=1e-14)


def test_eigenvalues_converge_spectrally(characteristic_slope):
    def rightmost(nodes):
        e = np.linalg.eigvals(generator(EQUATION.monic, EQUATION.delays, nodes))
        return max(e, key=lambda s: (round(s.real, 6), s.imag))

    def residual(nodes):
        s = rightmost(nodes)
        slope = characteristic_slope(EQUATION, s)[0, 0]
        return abs(EQUATION.characteristic(s)[0, 0]) / abs(slope)

    errors = [residual(n) for n in (4, 8, 12)]  # distance to the root, by one Newton step
    assert errors[1] < 1e-3 * errors[0]
    assert errors[2] < 1e-9


def test_without_delay_the_companion_matrix_has_the_roots():
    e = second_order(1.0, 0.2, 4.0)
    assert_allclose(
        np.sort_complex(np.linalg.eigvals(companion(e.monic))),
        np.sort_complex(np.roots([1, 0.2, 4])),
    )
