from functools import partial
from math import pi, sqrt

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.theory.delay.root_count import unstable_count
from rths.theory.step.extrapolated_loop import (
    critical_extrapolated_delay,
    energy_balance_frequency,
    extrapolated_loop,
)
from rths.theory.step.predictor_response import harmonic_margin, polynomial

ZETA, SHARE, TAU = 0.02, 3.61 / (3.61 + 6.65), 12.4e-3


def test_c1_energy_balance():
    assert_allclose(energy_balance_frequency(ZETA, SHARE, TAU), 1.4591, atol=5e-5)


def test_c2_exact_uncompensated_limit():
    limit = critical_extrapolated_delay(ZETA, SHARE, 0)
    assert_allclose(limit / (2 * pi * TAU), 1.4623, rtol=1e-4)


@pytest.mark.parametrize(("order", "exact"), [(2, pi / (3 * sqrt(2))), (3, pi / (2 * sqrt(5)))])
def test_c4_true_limit_of_an_undamped_specimen(order, exact):
    found = critical_extrapolated_delay(0.0, 1.0, order)
    assert_allclose(found, exact, rtol=1e-12)
    assert abs(found - {2: 0.7405, 3: 0.7025}[order]) < 1e-3


@pytest.mark.parametrize(
    ("order", "limit", "hertz"),
    [
        (0, 0.1139, 1.46),
        (1, 0.4828, 6.20),
        (2, 0.9413, 12.08),
        (3, 1.0137, 13.01),
        (4, 0.85, 10.91),
    ],
)
def test_c5_true_limits_and_the_roots_that_cross_there(order, limit, hertz):
    found = critical_extrapolated_delay(ZETA, SHARE, order)
    assert abs(found - limit) < 1e-3
    assert abs(found / (2 * pi * TAU) - hertz) < 0.01
    for share in np.linspace(0.05, 0.99999, 12):
        assert unstable_count(extrapolated_loop(ZETA, SHARE, order, share * found)) == 0
    assert unstable_count(extrapolated_loop(ZETA, SHARE, order, 1.00001 * found)) == 2


def test_the_harmonic_margin_is_not_a_limit_of_stability():
    cubic = harmonic_margin(partial(polynomial, order=3))  # π/2
    assert critical_extrapolated_delay(ZETA, SHARE, 3) < 0.7 * cubic
    assert unstable_count(extrapolated_loop(ZETA, SHARE, 3, cubic)) > 0


@pytest.mark.parametrize("order", [0, 1, 4])
def test_an_undamped_loop_is_lost_at_once_where_the_harmonic_margin_is_zero(order):
    assert critical_extrapolated_delay(0.0, 1.0, order) == 0.0


def test_a_share_above_one_is_refused():
    with pytest.raises(InputError, match="share"):
        critical_extrapolated_delay(0.02, 1.5, 3)
