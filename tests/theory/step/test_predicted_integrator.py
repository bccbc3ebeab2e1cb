import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.theory.step.amplification import (
    characteristic_polynomial,
    half_plane_polynomial,
    routh_array,
    spectral_radius,
    stable_ranges,
)
from rths.theory.step.predicted_integrator import (
    GAMMA,
    STAGE_PREDICTORS,
    lsrt2,
    lsrt2_gain,
    newmark_linear_acceleration,
)

OMEGAS = (0.1, 0.2, 0.4, 0.8)
g = GAMMA


def printed_a13(omega):
    """(A.13), highest power first."""
    o2, o4 = omega**2, omega**4
    return np.array([
        4 * g**4 * o4 + 8 * g**2 * o2 + 4,
        -8 * g**4 * o4 + 12 * g**3 * o4 - 5 / 2 * o4 * g**2 + 2 * o2 - 16 * g**2 * o2 - 8,
        219 / 2 * o4 * g**2 - 36 * g**3 * o4 + 4 * g**4 * o4 - 30 * o4 * g + 8 * g**2 * o2
        + o4 / 4 + 84 * o2 * g - 18 * o2 + 4,
        -54 * o4 + 52 * g**3 * o4 + 42 * o2 + 324 * o4 * g - 168 * o2 * g - 987 / 2 * o4 * g**2,
        -28 * g**3 * o4 + 1589 / 2 * o4 * g**2 - 22 * o2 + 84 * o2 * g + 201 / 4 * o4
        - 392 * o4 * g,
        202 * o4 * g - 392 * o4 * g**2 - 53 / 2 * o4,
    ])  # fmt: skip


@pytest.mark.parametrize("omega", [0.1, 0.5, 1.0, 2.0])
def test_u2_characteristic_polynomial_of_lsrt2_with_hermite_3(omega):
    found = characteristic_polynomial(lsrt2(omega, "hermite 3"))
    printed = printed_a13(omega)
    assert_allclose(found[:6], printed / printed[0], atol=1e-12)
    assert_allclose(found[6:], 0, atol=1e-12)  # states only other predictors need


def test_u3_limit_of_the_routh_element():
    limit = 128 * g**3 + 496 * g**2 - 656 * g + 136
    assert_allclose(limit, -10.3717, atol=1e-4)
    omega = 1e-2
    column = routh_array(half_plane_polynomial(4 * printed_a13(omega)))[:, 0]
    assert_allclose(column[4] / omega**4, limit, rtol=1e-3)  # the next term is O(Ω²)
    assert (np.delete(column, 4) > 0).all()


@pytest.mark.parametrize(
    ("predictor", "radii"),
    [
        ("hermite 3", (1.0000162, 1.0002588, 1.0040808, 1.0503766)),  # U4
        ("hermite 2", (0.9999954, 0.9999286, 0.9989490, 0.9775433)),  # U5
    ],
)
def test_u4_u5_spectral_radius_of_lsrt2_with_hermite_prediction(predictor, radii):
    assert_allclose([spectral_radius(lsrt2(o, predictor)) for o in OMEGAS], radii, atol=1e-6)


@pytest.mark.parametrize(
    ("predictor", "limit", "tolerance"),
    [
        ("hermite 2", 1.2638, 1e-4),  # U5
        ("explicit newmark", 1.0503, 1e-3),  # U6
        ("linear acceleration", 0.8684, 1e-3),
    ],
)
def test_u5_u6_stable_range_of_lsrt2(predictor, limit, tolerance):
    ((_, high),) = stable_ranges(lambda o: lsrt2(o, predictor), 0.02, 2.0)
    assert abs(high - limit) < tolerance


def test_u4_hermite_3_has_no_stable_range():
    assert stable_ranges(lambda o: lsrt2(o, "hermite 3"), 0.02, 2.0) == []


@pytest.mark.parametrize("omega", [0.1, 0.4, 0.9])
def test_u7_printed_forms_of_the_newmark_loop_agree(omega):
    o2 = omega**2
    a7 = np.array([
        [1, 1, 1 / 2, 0, 0],
        [-o2 / 4, 1 - o2 / 4, 1 / 2 - o2 / 8, 0, -o2 / 4],
        [-o2 / 2, -o2 / 2, -o2 / 4, 0, -o2 / 2],
        [0, 0, 1, 0, 0],
        [1, 2, 10 / 3, -4 / 3, 0],
    ])  # fmt: skip
    a8 = np.array([6, -12 + 3 * o2, 13 * o2 + 6, -21 * o2, 15 * o2, -4 * o2])
    a9 = np.array([12 + 25 * o2, 36 - 41 * o2, 36 - 2 * o2, 12 + 6 * o2, 9 * o2, 3 * o2])
    d1 = 64 * (262 * o2**2 - 183 * o2 + 18) * o2**2
    d1 /= 1551 * o2**3 - 1288 * o2**2 + 2208 * o2 - 1152  # (A.11)
    assert_allclose(newmark_linear_acceleration(omega), a7, atol=1e-15)
    assert_allclose(6 * characteristic_polynomial(a7), a8, atol=1e-12)
    mapped = half_plane_polynomial(a8)
    assert_allclose(mapped / mapped[0], a9 / a9[0], atol=1e-12)
    assert_allclose(routh_array(a9)[4, 0], d1, rtol=1e-11)


def test_u8_stability_interval_of_the_newmark_loop():
    ends = np.sqrt(np.sort(np.roots([262, -183, 18])))
    ((low, high),) = stable_ranges(newmark_linear_acceleration, 0.01, 2.0)
    assert_allclose([low, high], ends, atol=1e-8)
    assert_allclose([low, high], [0.34416, 0.76159], atol=1e-5)
    assert_allclose(spectral_radius(newmark_linear_acceleration(0.82)), 1.097, atol=1e-3)


def test_u9_spectral_radius_of_the_newmark_loop():
    found = [spectral_radius(newmark_linear_acceleration(o)) for o in (0.1, 0.2, 0.3, 0.5)]
    assert_allclose(found, [1.0000076, 1.0000859, 1.0001506, 0.9955443], atol=1e-6)


def test_u10_lsrt2_without_delay_is_l_stable():
    found = [abs(lsrt2_gain(1j * o)) for o in (1, 10, 100)]
    assert_allclose(found, [0.996874, 0.444858, 0.048242], atol=1e-6)


@pytest.mark.parametrize("predictor", STAGE_PREDICTORS)
def test_without_specimen_every_predictor_leaves_lsrt2_alone(predictor):
    # share 0: the two structural poles are those of R(±iΩ)
    poles = np.linalg.eigvals(lsrt2(0.7, predictor, share=0.0))
    assert np.abs(poles - lsrt2_gain(0.7j)).min() < 1e-12


def test_an_unknown_predictor_is_refused():
    with pytest.raises(InputError, match="hermite 2"):
        lsrt2(0.1, "spline")
