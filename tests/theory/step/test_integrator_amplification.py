import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.theory.step.amplification import characteristic_polynomial, spectral_radius
from rths.theory.step.integrator_amplification import (
    alpha_os,
    average_acceleration,
    central_difference,
    chen_ricles,
    explicit_newmark,
)

OMEGA, ZETA = st.floats(0.01, 50), st.floats(0, 0.9)


@pytest.mark.parametrize("scheme", [central_difference, explicit_newmark])
def test_c19_explicit_schemes_are_stable_up_to_two(scheme):
    assert spectral_radius(scheme(2 - 1e-6)) < 1 + 1e-9
    assert spectral_radius(scheme(2 + 1e-6)) > 1 + 1e-4


@given(omega=st.floats(0.01, 1.9))
def test_explicit_newmark_has_the_poles_of_central_differences(omega):
    newmark = characteristic_polynomial(explicit_newmark(omega))
    assert_allclose(newmark[:3], characteristic_polynomial(central_difference(omega)), atol=1e-12)
    assert abs(newmark[3]) < 1e-12


@pytest.mark.parametrize(
    ("omega", "zeta", "radius"), [(0.5, 0.02, 0.990632), (3, 0.02, 0.981706), (50, 0, 1.0)]
)
def test_h4_spectral_radius_of_cr(omega, zeta, radius):
    assert_allclose(spectral_radius(chen_ricles(omega, zeta)), radius, atol=1e-6)


@settings(deadline=None)
@given(omega=OMEGA, zeta=ZETA)
def test_h4_cr_has_the_poles_of_average_acceleration_and_never_grows(omega, zeta):
    cr, average = chen_ricles(omega, zeta), average_acceleration(omega, zeta)
    scale = 1 + omega**2  # coefficients are differences of numbers of this size
    assert_allclose(
        characteristic_polynomial(cr), characteristic_polynomial(average), atol=1e-12 * scale
    )
    assert spectral_radius(average) <= 1 + 1e-9


@pytest.mark.parametrize(
    ("alpha", "radii"), [(-0.1, (0.96237, 0.83780, 0.81818)), (-0.3, (0.93749, 0.68461, 0.53846))]
)
def test_c19_alpha_os_with_the_actual_stiffness(alpha, radii):
    found = [spectral_radius(alpha_os(omega, alpha)) for omega in (2, 10, 1e5)]
    assert_allclose(found, radii, atol=1e-4)
    assert_allclose(found[2], (1 + alpha) / (1 - alpha), atol=1e-6)


@given(omega=OMEGA, alpha=st.floats(-1 / 3, -0.01), softening=st.floats(1, 5))
def test_c19_alpha_os_is_stable_if_the_initial_stiffness_is_not_below_the_actual(
    omega, alpha, softening
):
    assert spectral_radius(alpha_os(omega, alpha, softening)) <= 1 + 1e-9


def test_c19_alpha_os_of_a_hardening_specimen_is_unstable():
    assert_allclose(spectral_radius(alpha_os(10, 0.0, 0.9)), 1.6488, atol=1e-4)


def test_each_scheme_follows_the_exact_decay_to_second_order():
    for scheme in (central_difference, explicit_newmark, average_acceleration, chen_ricles):
        errors = []
        for omega in (0.02, 0.01):
            poles = np.linalg.eigvals(scheme(omega, 0.05))
            pole = poles[np.argmax(poles.imag)]
            exact = np.exp(omega * (-0.05 + 1j * np.sqrt(1 - 0.05**2)))
            errors.append(abs(pole - exact) / omega)
        assert_allclose(np.log2(errors[0] / errors[1]), 2, atol=0.05)


def test_alpha_outside_its_range_is_refused():
    with pytest.raises(InputError, match="alpha"):
        alpha_os(1.0, 0.2)
