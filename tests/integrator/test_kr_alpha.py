import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.integrator.kr_alpha import KrAlpha
from rths.report.integrator_accuracy import amplification


def generalised_alpha(omega, zeta, rho):
    """Chung and Hulbert's implicit method on one mass, state (x, v, a)."""
    am, af = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
    g, b = 0.5 - am + af, (1 - am + af) ** 2 / 4
    c, k = 2 * zeta * omega, omega**2
    left = np.array(
        [[1.0, 0.0, -b], [0.0, 1.0, -g], [(1 - af) * k, (1 - af) * c, 1 - am]],
    )
    right = np.array([[1.0, 1.0, 0.5 - b], [0.0, 1.0, 1 - g], [-af * k, -af * c, -am]])
    return np.linalg.solve(left, right)


@given(omega=st.floats(0.05, 20.0), zeta=st.floats(0.0, 0.5), rho=st.floats(0.0, 1.0))
def test_poles_are_those_of_generalised_alpha(omega, zeta, rho):
    found = np.poly(amplification(KrAlpha(rho_infinity=rho), omega, zeta))
    want = np.poly(generalised_alpha(omega, zeta, rho))
    assert_allclose(found[:4], want, atol=1e-9)
    assert_allclose(found[4:], 0.0, atol=1e-9)


@pytest.mark.parametrize("rho", [0.0, 0.25, 0.5, 0.75, 1.0])
def test_spectral_radius_at_infinity_is_the_number_given(rho):
    found = np.abs(np.linalg.eigvals(amplification(KrAlpha(rho_infinity=rho), 1e5))).max()
    assert found == pytest.approx(rho, abs=3e-3)  # two or three roots meet there


@given(omega=st.floats(0.01, 100.0), rho=st.floats(0.0, 1.0))
def test_never_unstable_if_told_the_stiffness(omega, rho):
    told = KrAlpha(rho_infinity=rho, interface_stiffness=omega**2)
    matrix = amplification(told, omega, 0.0, specimen_share=1.0)
    assert np.abs(np.linalg.eigvals(matrix)).max() < 1 + 1e-6


def test_without_numerical_damping_it_is_cr(small_test, run):
    for drive in ("sine", "free"):
        a = run(small_test("kr_alpha", 0.01, 3, True, rho_infinity=1.0, drive=drive))
        b = run(small_test("cr", 0.01, 3, True, drive=drive))
        for signal in ("integrator.target", "structure.velocity", "structure.acceleration"):
            assert_allclose(a[signal], b[signal], atol=1e-11 * np.abs(b[signal]).max())


def test_a_smaller_rho_damps_more_where_the_step_is_long_and_hardly_where_it_is_short():
    def radius(rho, omega):
        return np.abs(np.linalg.eigvals(amplification(KrAlpha(rho_infinity=rho), omega))).max()

    assert radius(0.2, 10.0) < radius(0.6, 10.0) < radius(1.0, 10.0)
    assert 1 - radius(0.5, 0.1) < 1e-5


def test_a_rho_above_one_is_refused():
    with pytest.raises(InputError, match="rho_infinity"):
        KrAlpha(rho_infinity=1.1)
