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


def test_a_light_damper_is_overcome_at_once_where_the_delay_is_not_compensated():
    # first order of (3): θ = 2ζ/r, ω = 1
    assert_allclose(critical_extrapolated_delay(4e-5, 0.9, 0), 8e-5 / 0.9, rtol=1e-4)


@pytest.mark.parametrize(("order", "rising", "slope"), [(0, 1, 1.0), (1, 3, 1.0), (4, 5, 1.0)])
@pytest.mark.parametrize("zeta", [1e-6, 1e-12, 1e-30, 1e-100, 1e-200])
def test_the_limit_of_light_damping_over_two_hundred_decades(order, rising, slope, zeta):
    # Im w = θ^rising for small θ: 2ζ = r θ^rising, next order θ²
    theta = (2 * zeta / 0.7 / slope) ** (1 / rising)
    found = critical_extrapolated_delay(zeta, 0.7, order)
    assert_allclose(found, theta, rtol=10 * theta + 1e-12)


@pytest.mark.parametrize("order", [2, 3, 6])
def test_the_limit_without_damping_is_that_of_vanishing_damping(order):
    for share in (0.1, 0.5, 0.9, 1.0):
        bare = critical_extrapolated_delay(0.0, share, order)
        for zeta in (1e-9, 1e-14, 1e-40):
            assert_allclose(
                critical_extrapolated_delay(zeta, share, order), bare, rtol=1e4 * zeta + 1e-13
            )


@pytest.mark.parametrize("order", range(7))
@pytest.mark.parametrize("zeta", [1e-9, 1e-6, 1e-4, 1e-2, 0.1, 1.0])
def test_the_characteristic_roots_leave_the_left_half_plane_there_and_not_before(order, zeta):
    for share in (1e-4, 1e-2, 0.3, 0.5, 0.7, 0.9, 0.999999, 1.0):
        limit = critical_extrapolated_delay(zeta, share, order)
        # without a limit: up to where the roots crowd, far beyond the first turn of the mass
        until = limit if np.isfinite(limit) else 20.0
        for part in (1e-6, 1e-3, 0.03, 0.1, 0.3, 0.5, 0.7, 0.9, 0.999):
            assert unstable_count(extrapolated_loop(zeta, share, order, part * until)) == 0
        if np.isfinite(limit):
            assert unstable_count(extrapolated_loop(zeta, share, order, 1.001 * limit)) > 0


def test_a_crossing_is_seen_though_the_next_follows_at_once():
    # just below the damping that no delay overcomes: both crossings are close together
    low, high = 0.1, 1.0  # the first has a limit, the second none
    while high - low > 1e-9:
        middle = 0.5 * (low + high)
        inside = np.isfinite(critical_extrapolated_delay(middle, 0.4, 0))
        low, high = (middle, high) if inside else (low, middle)
    limit = critical_extrapolated_delay(low, 0.4, 0)
    assert unstable_count(extrapolated_loop(1.0001 * high, 0.4, 0, limit)) == 0
    assert unstable_count(extrapolated_loop(0.9999 * low, 0.4, 0, limit)) == 2
