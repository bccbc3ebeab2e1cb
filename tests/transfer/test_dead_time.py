from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from rths.errors import InputError
from rths.loop.solo import frequency_response, respond
from rths.site import Site
from rths.transfer.dead_time import DeadTime

H = 1 / 1024


def site(rest: float = 0.0) -> Site:
    return Site(tick=H, interval=H, displacement=rest)


@pytest.mark.parametrize("ticks", [0, 1, 2, 62, 63, 64, 200])
def test_whole_ticks_return_exactly_what_was_commanded(ticks):
    u = np.random.default_rng(1).standard_normal(500)
    y = respond(DeadTime(delay=ticks * H).block(site()), u)[:, 0]
    assert_array_equal(y[ticks:], u[: u.size - ticks])


def test_before_the_first_command_arrives_the_actuator_stands_at_rest():
    y = respond(DeadTime(delay=7 * H).block(site(0.3)), np.ones(20))[:, 0]
    assert_array_equal(y[:7], 0.3)
    assert_array_equal(y[7:], 1.0)


@given(delay=st.floats(0.0, 0.3), slope=st.floats(-9, 9), start=st.floats(-1, 1))
def test_a_straight_motion_is_delayed_exactly(delay, slope, start):
    t = np.arange(700) * H
    y = respond(DeadTime(delay=delay).block(site()), start + slope * t, "interpreted")[:, 0]
    late = t >= delay + H
    assert_allclose(y[late], start + slope * (t[late] - delay), atol=1e-12 * (1 + abs(slope)))


@pytest.mark.parametrize(("delay", "f"), [(9.4e-3, 1.5), (12.06e-3, 10.0), (0.3e-3, 60.0)])
def test_response_is_that_of_two_neighbouring_samples(delay, f):
    z = np.exp(2j * np.pi * f * H)
    q, r = divmod(delay / H, 1)
    got = frequency_response(DeadTime(delay=delay).block(site()), f, H)
    assert_allclose(got, (1 - r) * z**-q + r * z ** -(q + 1), atol=1e-9)


def test_round_off_in_the_delay_does_not_make_it_fractional():
    u = np.random.default_rng(2).standard_normal(300)
    y = respond(DeadTime(delay=0.1 * 3).block(Site(tick=0.1 / 30, interval=0.1)), u)[:, 0]
    assert_array_equal(y[90:], u[:-90])


def test_milliseconds_given_as_seconds_are_refused():
    with pytest.raises(InputError, match=r"12\.4 ms is written 0\.0124"):
        DeadTime(delay=12.4)
