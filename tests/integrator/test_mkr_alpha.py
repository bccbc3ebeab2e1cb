from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.integrator.kr_alpha import KrAlpha
from rths.integrator.mkr_alpha import MkrAlpha
from rths.report.integrator_accuracy import accuracy, amplification

RHOS = [0.0, 0.25, 0.5, 0.866, 1.0]
rhos = st.floats(0.0, 1.0)


def generalised_alpha(omega, zeta, weights):
    """Chung and Hulbert's implicit method on one mass, state (x, v, a)."""
    am, af, g, b = weights
    c, k = 2 * zeta * omega, omega**2
    left = np.array([[1.0, 0.0, -b], [0.0, 1.0, -g], [(1 - af) * k, (1 - af) * c, 1 - am]])
    right = np.array([[1.0, 1.0, 0.5 - b], [0.0, 1.0, 1 - g], [-af * k, -af * c, -am]])
    return np.linalg.solve(left, right)


def radius(integrator, omega, share=0.0):
    matrix = amplification(integrator, omega, specimen_share=share)
    return np.abs(np.linalg.eigvals(matrix)).max()


def stiffened(kind, rho, omega, growth):
    """Spectral radius where the stiffness is ``growth`` times what the scheme was told."""
    return radius(kind(rho_infinity=rho, interface_stiffness=omega**2 / growth), omega, 1.0)


@dataclass
class Published:
    """The four numbers from what they are to do, not from the code."""

    rho: float

    @property
    def weights(self):
        gamma = 0.5 + (1 - self.rho**2) / (1 + self.rho**2)  # two roots of modulus ρ
        alpha_f = self.rho / (1 + self.rho)  # the third is -ρ
        return 0.5 - gamma + alpha_f, alpha_f, gamma, (0.5 + gamma) / 2  # second order


@given(rho=rhos)
def test_the_numbers_follow_from_order_two_and_three_roots_of_one_modulus(rho):
    assert_allclose(MkrAlpha(rho_infinity=rho).weights, Published(rho).weights, atol=1e-14)


@given(omega=st.floats(0.05, 20.0), zeta=st.floats(0.0, 0.5), rho=rhos)
def test_poles_are_those_of_generalised_alpha(omega, zeta, rho):
    found = np.poly(amplification(MkrAlpha(rho_infinity=rho), omega, zeta))
    want = np.poly(generalised_alpha(omega, zeta, Published(rho).weights))
    assert_allclose(found[:4], want, atol=1e-9)
    assert_allclose(found[4:], 0.0, atol=1e-9)


@pytest.mark.parametrize("rho", RHOS)
def test_the_poles_at_infinity_are_those_written(rho):
    found = np.linalg.eigvals(amplification(MkrAlpha(rho_infinity=rho), 1e5))
    want = [1j * rho, -1j * rho, -rho]  # the rest of the memory has none but 0
    for pole in want:
        assert np.abs(found - pole).min() < 1e-3  # at rho = 0 three meet, a third root of 1e-10
    assert np.abs(found).max() == pytest.approx(rho, abs=1e-3)


@given(omega=st.floats(0.01, 1000.0), rho=rhos)
def test_never_unstable_if_told_the_stiffness(omega, rho):
    assert stiffened(MkrAlpha, rho, omega, 1.0) < 1 + 1e-6


@given(omega=st.floats(0.01, 1000.0), rho=rhos, share=st.floats(0.01, 1.0))
def test_stiffness_may_grow_to_equation_6_whatever_the_step(omega, rho, share):
    assert stiffened(MkrAlpha, rho, omega, share * 4 / (3 - rho**2)) < 1 + 1e-6


@pytest.mark.parametrize("rho", RHOS)
def test_beyond_equation_6_a_long_step_is_unstable_and_kr_alpha_is_before(rho):
    limit, of_kr = 4 / (3 - rho**2), 4 / ((1 + rho) * (3 - rho))
    assert stiffened(MkrAlpha, rho, 1e3, 1.01 * limit) > 1.001
    assert stiffened(KrAlpha, rho, 1e3, 0.999 * of_kr) < 1 + 1e-6 < 1.001
    assert stiffened(KrAlpha, rho, 1e3, 1.01 * of_kr) > 1.001
    assert limit > of_kr or rho == 0.0


@pytest.mark.parametrize("rho", RHOS)
def test_period_and_damping_of_slow_modes_are_equation_7(rho):
    found = accuracy(MkrAlpha(rho_infinity=rho), [0.01, 0.02])
    period = (11 * rho**2 - 12 * rho + 11) / (1 + rho**2) / 24
    damping = (1 - rho) * (1 + rho**4) / (2 * (1 + rho) * (1 + rho**2) ** 2)
    assert_allclose(found.period_error / found.omega**2, period, rtol=2e-3)  # the next term: Ω²
    assert_allclose(found.damping_error / found.omega**3, damping, rtol=2e-3, atol=1e-7)


def test_without_numerical_damping_a_stiffening_spring_is_survived_that_ends_cr():
    assert stiffened(MkrAlpha, 1.0, 30.0, 1.8) < 1 + 1e-6
    assert stiffened(KrAlpha, 1.0, 30.0, 1.8) > 1.5


def test_a_rho_above_one_is_refused():
    with pytest.raises(InputError, match="rho_infinity"):
        MkrAlpha(rho_infinity=1.1)
