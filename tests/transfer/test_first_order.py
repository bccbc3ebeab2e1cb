from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from rths.loop.solo import frequency_response, respond
from rths.site import Site
from rths.transfer.first_order import FirstOrder

H, T, G = 1e-3, 16.6e-3, 0.93
SITE = Site(tick=H, interval=H)


def test_a_straight_command_is_followed_exactly():
    # x = g (t - T (1 - exp(-t/T))) for u = t
    t = np.arange(200) * H
    y = respond(FirstOrder(time_constant=T, gain=G).block(SITE), t)[:, 0]
    assert_allclose(y, G * (t - T * (1 - np.exp(-t / T))), atol=1e-15)


@pytest.mark.parametrize("f", [0.5, 2.0, 10.0])
def test_response_is_the_closed_form(f):
    w = 2 * np.pi * f
    h = 1e-4
    block = FirstOrder(time_constant=T, gain=G).block(Site(tick=h, interval=h))
    straight = (w * h) ** 2 / 12  # a command that runs straight between ticks is that much smaller
    exact = G / (1 + 1j * w * T)
    got = frequency_response(block, f, h, cycles=10)
    assert_allclose(got, exact, rtol=1.2 * straight)
    # aliases of the straight command, behind the lag, are what is left
    assert_allclose(got, exact * np.sinc(f * h) ** 2, rtol=2 * straight * w * T)


def test_without_a_time_constant_it_is_the_ideal_actuator():
    u = np.random.default_rng(1).standard_normal(50)
    assert_array_equal(respond(FirstOrder(time_constant=0.0).block(SITE), u)[:, 0], u)


def test_it_starts_at_rest():
    block = FirstOrder(time_constant=T, gain=G).block(Site(tick=H, interval=H, displacement=0.2))
    assert_allclose(respond(block, np.full(50, 0.2)), G * 0.2, rtol=1e-14)
