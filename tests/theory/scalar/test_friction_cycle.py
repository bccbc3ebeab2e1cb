import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import expm

from rths.errors import InputError
from rths.theory.scalar.friction_cycle import (
    damper_number,
    friction_cycle,
    linear_flow,
    shared_friction_peak,
)

RATE, SCALE = 500.0**0.5, 0.05  # m = 1000 kg, k = 5e5 N/m, x_0 = 0.05 m
EXAMPLE = friction_cycle(0.03, 2.0, 0.224)


def test_l5_damper_number_and_scales_of_the_example():
    assert_allclose(RATE, 22.3607, rtol=1e-5)
    assert abs(damper_number(1000, RATE, SCALE, 50e3, 0.15) - 2.0338) < 1e-4
    assert damper_number(1000, RATE, SCALE, 50e3, 0.0) == pytest.approx(2.0)
    assert_allclose(0.224 / RATE, 10.018e-3, rtol=1e-4)


def test_l6_corner_of_the_fast_zone():
    assert_allclose(EXAMPLE.corner, (-1.85496, 0.87228), atol=1e-5)


def test_l7_switching_point_period_and_line():
    e = EXAMPLE
    found = [e.x1, e.x2, e.period, e.slope, e.offset]
    assert_allclose(found, [4.585e-4, 0.452443, 0.889960, -0.226273, 0.452546], atol=1e-6)


def test_l8_l9_l10_peak_velocity_force_and_period_in_si():
    velocity = EXAMPLE.x2 * SCALE * RATE
    assert_allclose(velocity, 0.50585, rtol=1e-4)
    assert_allclose(50 * velocity**0.15, 45.141, rtol=1e-4)
    assert_allclose(EXAMPLE.period / RATE, 0.039800, rtol=1e-5)


@pytest.mark.parametrize(
    ("delay", "period", "peak", "zone"),
    [
        (0.05, 0.99850, 0.099933, True),
        (0.224, None, None, True),
        (0.4, 0.98765, 0.833782, True),
        (1.0, 0.95904, 2.842434, False),
    ],
)
def test_l13_l14_small_delay_limits_and_existence_of_the_fast_zone(delay, period, peak, zone):
    cycle = friction_cycle(0.03, 2.0, delay)
    assert cycle.has_fast_zone == zone
    if period:
        assert_allclose([cycle.period / (4 * delay), cycle.x2], [period, peak], atol=1e-5)


def test_l13_the_limits_are_approached_linearly():
    short = friction_cycle(0.03, 2.0, 1e-4)
    assert_allclose([short.period / 4e-4, short.x2 / 2e-4], [1, 1], atol=1e-4)


@pytest.mark.parametrize("delay", [0.05, 0.224, 1.0, 2.5])
def test_the_cycle_closes_and_the_velocity_was_zero_one_delay_before_switching(delay):
    cycle = friction_cycle(0.03, 2.0, delay)
    centre, start = np.array([-2.0, 0.0]), np.array([cycle.x1, cycle.x2])
    half = linear_flow(0.03, cycle.period / 2) @ (start - centre) + centre
    assert_allclose(half, -start, atol=1e-12)
    before = linear_flow(0.03, cycle.period / 2 - delay) @ (start - centre) + centre
    assert abs(before[1]) < 1e-11


def test_flow_is_the_matrix_exponential():
    assert_allclose(linear_flow(0.2, 1.7), expm(np.array([[0, 1], [-1, -0.4]]) * 1.7), atol=1e-14)


def test_l18_rule_of_one_half():
    assert [shared_friction_peak(2.0, 0.224, r) for r in (0, 0.25, 0.5)] == [0, 0, 0]
    assert shared_friction_peak(2.0, 0.224, 0.75) == pytest.approx(0.224)


@pytest.mark.parametrize(
    ("arguments", "field"),
    [((1.2, 2, 0.2), "damping_ratio"), ((0.03, 2, 4.0), "delay"), ((0.03, -2, 0.2), "friction")],
)
def test_bad_input_names_its_field(arguments, field):
    with pytest.raises(InputError) as error:
        friction_cycle(*arguments)
    assert error.value.field == field
