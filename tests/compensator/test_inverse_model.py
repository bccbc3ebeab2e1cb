from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from rths.compensator._derivatives import LOST, derivatives
from rths.compensator.inverse_model import InverseModel
from rths.errors import InputError
from rths.loop.solo import respond
from rths.site import Site

H = 1 / 4096
SITE = Site(tick=H, interval=H)


@given(
    order=st.integers(2, 4),
    ahead=st.floats(0, 3),
    c=st.lists(st.floats(-3, 3), min_size=5, max_size=5),
)
def test_derivatives_of_a_polynomial_of_the_order_are_exact(order, ahead, c):
    p = np.polynomial.Polynomial(c[: order + 1])
    known = [p(0.7), *(p.deriv()(0.7 - j * 0.1) for j in range(order))]
    got = derivatives(order, ahead * 0.1, 0.1) @ known
    expected = [
        p.deriv(i)(0.7 + ahead * 0.1) if i else p(0.7 + ahead * 0.1) for i in range(order + 1)
    ]
    assert_allclose(got, expected, atol=1e-7)


@pytest.mark.parametrize("order", [2, 3, 4])
def test_an_actuator_of_its_order_follows_a_polynomial_of_its_order_exactly(order):
    # u of (1) put into a_0 x + ... + a_n x^(n) = u has the solution x = d: nothing is left over
    a = np.array([1.01, 0.025, 3e-4, 2e-6, 6e-9])[: order + 1]
    d = np.polynomial.Polynomial([0.1, -2.0, 30.0, 50.0, -80.0][: order + 1])
    t = np.arange(200) * H
    inverse = InverseModel(coefficients=tuple(a), order=order, lead=0.0)
    u = respond(inverse.block(SITE), np.column_stack([d(t), d.deriv()(t)]))[order:, 0]
    exact = a[0] * d(t) + sum(a[i] * d.deriv(i)(t) for i in range(1, order + 1))
    assert_allclose(u, exact[order:], rtol=1e-7)  # round-off of v over h^3


def response(compensator, f, site=SITE):
    """Output over target at a frequency, the velocity being that of the target."""
    t = np.arange(round(8 / f / H)) * H
    w = 2 * np.pi * f
    y = respond(compensator.block(site), np.column_stack([np.sin(w * t), w * np.cos(w * t)]))[:, 0]
    late = t.size // 2
    basis = np.column_stack([np.sin(w * t), np.cos(w * t)])[late:]
    return complex(*np.linalg.lstsq(basis, y[late:], rcond=None)[0])


@pytest.mark.parametrize("order", [2, 3, 4])
@pytest.mark.parametrize("f", [1.0, 5.0, 15.0])
def test_response_is_the_inverse_of_equal_lags(order, f):
    s, tau = 2j * np.pi * f, 0.025
    got = response(InverseModel(delay=tau, order=order, lead=0.0), f)
    # the first neglected term of the differences, (s h)^n/n of the highest derivative
    assert_allclose(got, (1 + tau * s / order) ** order, rtol=3 * abs(s) * H)


def test_given_coefficients_are_used_as_they_are():
    a, f = (0.99, 0.025, 1.1e-4, 4e-7), 4.0
    s = 2j * np.pi * f
    got = response(InverseModel(coefficients=a, lead=0.0), f)
    assert_allclose(got, sum(c * s**i for i, c in enumerate(a)), rtol=1e-4)


def test_the_low_pass_is_made_up_for_at_low_frequency():
    a = (1.0, 0.025, 3e-4)
    plain = InverseModel(coefficients=a, order=2, lead=0.0)
    smooth = InverseModel(coefficients=a, order=2, lead=0.0, low_pass=40.0)
    assert_allclose(response(smooth, 0.5), response(plain, 0.5), rtol=1e-3)
    assert abs(response(smooth, 200.0)) < 0.15 * abs(response(plain, 200.0))


def test_lead_is_there_by_default_only_where_a_command_is_held():
    held = Site(tick=H, interval=H, fresh=True)
    default = InverseModel(delay=0.01)
    assert response(default, 2.0) == response(InverseModel(delay=0.01, lead=0.0), 2.0)
    given_lead = response(InverseModel(delay=0.01, lead=LOST * H), 2.0)
    assert response(default, 2.0, held) == given_lead != response(default, 2.0)


def test_it_starts_at_rest():
    rest = Site(tick=H, interval=H, displacement=0.1)
    still = np.column_stack([np.full(50, 0.1), np.zeros(50)])
    assert_allclose(respond(InverseModel(delay=0.02, low_pass=40.0).block(rest), still), 0.1)


@pytest.mark.parametrize(
    "fields",
    [{}, {"delay": 0.01, "coefficients": (1.0, 0.01, 0.0, 0.0)}, {"coefficients": (1.0, 0.01)}],
)
def test_one_complete_model_is_wanted(fields):
    with pytest.raises(InputError, match="coefficients"):
        InverseModel(**fields)
