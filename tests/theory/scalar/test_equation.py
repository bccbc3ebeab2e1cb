import pytest
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.theory.delay.rightmost_roots import rightmost_root
from rths.theory.scalar.equation import ScalarEquation, non_dimensional, principal_root

W0, RATE = non_dimensional(2.2, 15.0, 2250.0, 2250.0)


def test_w0_constants():
    assert_allclose(
        [RATE, W0.damping_ratio, W0.specimen_stiffness], [31.9801, 0.10660, 1], rtol=1e-5
    )


def test_w15_over_compensation_raises_the_damping():
    before = RATE * principal_root(W0, 0.0)
    after = RATE * principal_root(W0, -0.5e-3 * RATE)
    assert abs(after - (-3.6643 + 45.0751j)) < 1e-3
    assert_allclose([-s.real / abs(s) for s in (before, after)], [0.0754, 0.0810], atol=1e-4)


def test_w13_growth_at_an_effective_delay_of_6_8_ms():
    assert_allclose(
        RATE * rightmost_root(W0.delay_equation(6.8e-3 * RATE)).real, 0.01453, atol=1e-4
    )


@pytest.mark.parametrize("delay", [0.05, 0.3, 1.0])
def test_slope_and_drift_are_derivatives(delay):
    e, s, h = ScalarEquation(0.1, 0.7, 0.3), -0.1 + 1.2j, 1e-6
    numerical = (e.characteristic(s + h, delay) - e.characteristic(s - h, delay)) / (2 * h)
    assert abs(e.slope(s, delay) - numerical) < 1e-8
    ahead, behind = (principal_root(e, delay + d) for d in (h, -h))
    assert abs(e.drift(principal_root(e, delay), delay) - (ahead - behind) / (2 * h)) < 1e-8


@pytest.mark.parametrize("field", ["damping_ratio", "specimen_stiffness", "specimen_damping"])
def test_a_negative_constant_is_refused(field):
    with pytest.raises(InputError) as error:
        ScalarEquation(**{"damping_ratio": 0.1, field: -1.0})
    assert error.value.field == field


def test_a_mass_of_zero_is_refused():
    with pytest.raises(InputError, match="mass"):
        non_dimensional(0.0, 1.0, 1.0)
