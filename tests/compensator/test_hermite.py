from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from rths.compensator.hermite import Hermite, weights
from rths.errors import InputError
from rths.loop.solo import respond
from rths.site import Site

DT = 0.01
SITE = Site(tick=DT, interval=DT, stage=DT)
T = np.arange(40) * DT


@given(
    order=st.sampled_from([2, 3]),
    delay=st.floats(0, 0.05),
    c=st.lists(st.floats(-9, 9), min_size=4, max_size=4),
)
def test_a_polynomial_of_its_order_is_predicted_exactly(order, delay, c):
    p = np.polynomial.Polynomial(c[: order + 1])
    u = respond(
        Hermite(delay=delay, order=order).block(SITE), np.column_stack([p(T), p.deriv()(T)])
    )
    assert_allclose(u[1:, 0], p(T + delay)[1:], atol=1e-9)  # the first call has no point before


@pytest.mark.parametrize(("order", "missing"), [(2, 2 * DT**3), (3, 4 * DT**4)])
def test_of_one_order_more_the_remainder_of_interpolation_is_missing(order, missing):
    p = np.polynomial.Polynomial([0.0] * (order + 1) + [1.0])
    rows = np.column_stack([p(T), p.deriv()(T)])
    u = respond(Hermite(delay=DT, order=order).block(SITE), rows)[1:, 0]
    assert_allclose(p(T + DT)[1:] - u, missing, rtol=1e-6)  # (t-t_1)²(t-t_0), (t-t_1)²(t-t_0)²


def test_without_delay_the_command_is_the_target():
    assert weights(2, 0.0, DT) == weights(3, 0.0, DT) == [1.0, 0.0, 0.0, 0.0]


def test_a_structure_at_rest_is_left_where_it_stands():
    block = Hermite(delay=0.05).block(Site(tick=DT, interval=DT, stage=DT, displacement=0.3))
    assert_allclose(respond(block, [[0.3, 0.0]] * 3), 0.3, rtol=1e-14)


def test_only_orders_two_and_three_exist():
    with pytest.raises(InputError, match="order"):
        Hermite(delay=0.01, order=4)
