from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from rths.compensator.polynomial import Polynomial, weights
from rths.loop.solo import frequency_response, respond
from rths.site import Site

H, TAU = 1e-3, 6e-3


@pytest.mark.parametrize(
    ("order", "published"), [(0, [1]), (1, [2, -1]), (2, [3, -3, 1]), (3, [4, -6, 4, -1])]
)
def test_one_delay_ahead_the_weights_are_the_published_ones(order, published):
    assert weights(order, 1.0) == published


@given(
    order=st.integers(0, 4),
    delay=st.floats(1e-3, 20e-3),
    c=st.lists(st.floats(-1, 1), min_size=5, max_size=5),
)
def test_a_polynomial_of_its_order_is_predicted_exactly(order, delay, c):
    c, t = c[: order + 1], np.arange(150) * H
    target = np.polynomial.polynomial.polyval(t / 0.1, c)
    block = Polynomial(delay=delay, order=order).block(Site(tick=H, interval=H))
    u = respond(block, target, "interpreted")[:, 0]
    ahead = np.polynomial.polynomial.polyval((t + delay) / 0.1, c)
    # weights of (1) add up to at most 4^5 in size for eta near 1, times the round-off of a target
    assert_allclose(u[100:], ahead[100:], atol=1e-12 * (1 + np.abs(c).sum()))


@pytest.mark.parametrize("order", [1, 2, 3])
@pytest.mark.parametrize("angle", [0.2, 1.0, np.pi / 2, 2.0])
def test_what_the_actuator_achieves_is_equation_2(order, angle):
    f = angle / (2 * np.pi * TAU)
    block = Polynomial(delay=TAU, order=order).block(Site(tick=H, interval=H))
    z = np.exp(-1j * angle)
    achieved = frequency_response(block, f, H) * z
    # the response is read from the samples by least squares: round-off alone
    assert_allclose(achieved, 1 - (1 - z) ** (order + 1), atol=1e-9)


def test_the_cubic_damps_below_a_quarter_turn_and_drives_above():
    def lead(angle):
        return (1 - (1 - np.exp(-1j * angle)) ** 4).imag

    block = Polynomial(delay=TAU).block(Site(tick=H, interval=H))
    for angle, sign in ((1.5, 1), (1.65, -1)):
        f = angle / (2 * np.pi * TAU)
        achieved = frequency_response(block, f, H) * np.exp(-1j * angle)
        assert np.sign(achieved.imag) == np.sign(lead(angle)) == sign


def test_at_rest_the_command_is_the_displacement_before_the_start():
    block = Polynomial(delay=TAU).block(Site(tick=H, interval=H, displacement=0.01))
    assert_allclose(respond(block, np.full(50, 0.01)), 0.01, rtol=1e-14)
