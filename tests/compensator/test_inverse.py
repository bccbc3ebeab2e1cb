from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from rths.compensator.inverse import Inverse
from rths.errors import InputError
from rths.loop.solo import frequency_response, respond
from rths.site import Site
from rths.transfer.sampled_lag import SampledLag

H = 1 / 1024
SITE = Site(tick=H, interval=H)


def response(alpha, f):
    return frequency_response(Inverse(alpha=alpha).block(SITE), f, H, cycles=10)


@pytest.mark.parametrize(("alpha", "lead"), [(30, 28.32e-3), (60, 57.62e-3)])
def test_the_lead_at_low_frequency_is_alpha_minus_one_ticks(alpha, lead):  # H1
    ramp = np.arange(50) * H
    ahead = respond(Inverse(alpha=alpha).block(SITE), ramp)[10:, 0] - ramp[10:]
    assert_allclose(ahead, (alpha - 1) * H, rtol=1e-12)
    assert_allclose((alpha - 1) * H, lead, atol=5e-6)


@pytest.mark.parametrize(
    ("alpha", "gain", "lead"), [(30, 1.34863, 22.928e-3), (60, 2.08128, 33.560e-3)]
)
def test_gain_and_lead_at_5_hz_are_those_of_the_table(alpha, gain, lead):  # H1
    got = response(alpha, 5.0)
    assert_allclose(got, alpha - (alpha - 1) * np.exp(-2j * np.pi * 5 * H), rtol=1e-9)
    assert_allclose(abs(got), gain, rtol=1e-5)
    assert_allclose(np.angle(got) / (2 * np.pi * 5), lead, rtol=3e-5)  # its five printed digits


def test_the_gain_at_the_highest_frequency_is_twice_alpha_minus_one():
    tick_tock = (-1.0) ** np.arange(20)
    command = respond(Inverse(alpha=30.0).block(SITE), tick_tock)[:, 0]
    assert_allclose(np.abs(command[1:]), 59.0)


@pytest.mark.parametrize("alpha", [1.0, 28.0, 30.0, 33.0])
def test_it_is_the_exact_inverse_of_the_sampled_lag(alpha, track):  # H2
    target = 0.05 * np.cumsum(np.random.default_rng(1).standard_normal(3000)) / 50
    measured = track(Inverse(alpha=alpha), SampledLag(alpha=alpha), target, H)[0]
    assert_allclose(measured, target, atol=1e-13 * alpha)


def test_alpha_1_changes_nothing_and_alpha_0_costs_a_tick():
    u = np.random.default_rng(2).standard_normal(50)
    assert_array_equal(respond(Inverse(alpha=1.0).block(SITE), u)[:, 0], u)
    assert_array_equal(respond(Inverse(alpha=0.0).block(SITE), u)[1:, 0], u[:-1])


def test_it_starts_at_rest_and_refuses_a_negative_alpha():
    rest = Inverse(alpha=30.0).block(Site(tick=H, interval=H, displacement=0.1))
    assert_allclose(respond(rest, np.full(5, 0.1)), 0.1, rtol=1e-12)
    with pytest.raises(InputError, match=r"compensator\.alpha"):
        Inverse(alpha=-1.0)
