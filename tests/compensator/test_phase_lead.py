from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from rths.compensator.phase_lead import PhaseLead
from rths.loop.solo import frequency_response, respond
from rths.site import Site
from rths.transfer.first_order import FirstOrder

H = 1 / 4096
SITE = Site(tick=H, interval=H)
LEAD = PhaseLead(lead_time=16.6e-3, lag_time=2e-3)


@pytest.mark.parametrize("f", [0.5, 5.0, 50.0, 700.0])
def test_response_is_equation_1_at_the_frequency_of_tustins_rule(f):
    s = 2j / H * np.tan(np.pi * f * H)
    got = frequency_response(LEAD.block(SITE), f, H, cycles=int(20 + f))
    assert_allclose(got, (16.6e-3 * s + 1) / (2e-3 * s + 1), rtol=1e-9)


def test_a_ramp_is_led_by_the_difference_of_the_times():
    t = np.arange(500) * H
    assert_allclose(respond(LEAD.block(SITE), t)[-1, 0] - t[-1], 14.6e-3, rtol=1e-9)


def test_it_cancels_the_pole_of_a_first_order_actuator(track):
    t = np.arange(4096) * H
    target = np.sin(2 * np.pi * 5 * t)
    lead = PhaseLead(lead_time=16.6e-3, lag_time=1e-3)
    measured = track(lead, FirstOrder(time_constant=16.6e-3), target, H)[0]
    left = np.sin(2 * np.pi * 5 * t - np.arctan(2 * np.pi * 5 * 1e-3)) / np.hypot(
        1, 2 * np.pi * 5 * 1e-3
    )  # the pole of the lead is what remains
    assert_allclose(measured[1000:], left[1000:], atol=(2 * np.pi * 5 * H) ** 2)


def test_the_published_lead_of_the_single_actuator_benchmark():
    # (50.8316 s + 8570.4)/(s + 8570.4) by Tustin's rule at 4096 Hz: a pole faster than the tick
    b, a = 50.83163360273612, 8570.397339444286
    k = 2 * 4096
    u = np.random.default_rng(1).standard_normal(200)
    expected, d, y = [], 0.0, 0.0
    for now in u:
        y = ((b * k + a) * now + (a - b * k) * d - (a - k) * y) / (k + a)
        d = now
        expected.append(y)
    got = respond(PhaseLead(lead_time=b / a, lag_time=1 / a).block(SITE), u)[:, 0]
    assert_allclose(got, expected, rtol=1e-10, atol=1e-10)


def test_equal_times_change_nothing():
    u = np.random.default_rng(2).standard_normal(50)
    same = PhaseLead(lead_time=5e-3, lag_time=5e-3)
    assert_allclose(respond(same.block(SITE), u)[:, 0], u, atol=1e-12)
    assert_array_equal(
        respond(PhaseLead(lead_time=0.0, lag_time=0.0).block(SITE), np.zeros(9)), 0.0
    )


def test_it_starts_at_rest():
    rest = LEAD.block(Site(tick=H, interval=H, displacement=0.1))
    assert_allclose(respond(rest, np.full(50, 0.1)), 0.1, rtol=1e-12)
