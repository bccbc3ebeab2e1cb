from functools import partial
from math import pi

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.theory.step.predictor_response import (
    PREDICTORS,
    achieved_ratio,
    harmonic_margin,
    polynomial,
)


@pytest.mark.parametrize(
    ("name", "margin", "printed"),
    [
        ("hermite 2", pi / 2, 1.58),
        ("hermite 3", 2.6006, 2.61),
        ("explicit newmark", 1.0408, 1.05),
        ("linear acceleration", 1.5826, 1.59),
    ],
)
def test_u1_phase_margins(name, margin, printed):
    found = harmonic_margin(PREDICTORS[name])
    assert abs(found - margin) < 1e-4
    assert abs(found - printed) < 0.01


@pytest.mark.parametrize(("order", "margin"), list(enumerate([0, 0, pi / 3, pi / 2, 0, 0])))
def test_c3_harmonic_margin_of_polynomials(order, margin):
    assert abs(harmonic_margin(partial(polynomial, order=order)) - margin) < 1e-6


@pytest.mark.parametrize("order", range(6))
def test_polynomial_response_with_points_one_delay_apart(order):
    for w in (0.1, 0.8, 2.5):
        exact = 1 - (1 - np.exp(-1j * w)) ** (order + 1)
        assert_allclose(achieved_ratio(partial(polynomial, order=order), w), exact, atol=1e-12)


@pytest.mark.parametrize(
    ("name", "order"),
    [
        ("linear", 2), ("quadratic", 3), ("cubic", 4), ("hermite 2", 3), ("hermite 3", 4),
        ("explicit newmark", 3), ("linear acceleration", 4),
    ],
)  # fmt: skip
def test_error_falls_with_the_order_of_the_predictor(name, order):
    # exact for polynomials of degree order-1, so the error of a slow harmonic is O(Ω^order)
    big, small = (abs(achieved_ratio(PREDICTORS[name], w) - 1) for w in (0.02, 0.01))
    assert_allclose(np.log2(big / small), order, atol=0.05)


@pytest.mark.parametrize("name", ["quadratic", "cubic", "hermite 2", "explicit newmark"])
@pytest.mark.parametrize("ahead", [0.5, 3.0, 30.0, 100.0])
def test_the_margin_is_where_the_lead_ends_however_close_the_points(name, ahead):
    margin = harmonic_margin(PREDICTORS[name], ahead)
    assert margin > 0
    below = np.linspace(0.1 / max(1.0, ahead), 0.999 * margin, 200)
    assert min(achieved_ratio(PREDICTORS[name], w, ahead).imag for w in below) > 0
    if margin < np.pi:
        assert achieved_ratio(PREDICTORS[name], 1.001 * margin, ahead).imag < 0
