from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.loop.solo import frequency_response, respond
from rths.site import Site
from rths.transfer.pid_actuator import PidActuator

H = 1e-4
SITE = Site(tick=H, interval=H)
P_ONLY = PidActuator(proportional=60.0, lag=4e-3)
PID = PidActuator(proportional=80.0, integral=1200.0, derivative=0.3, lag=4e-3)


@pytest.mark.parametrize("actuator", [P_ONLY, PID])
@pytest.mark.parametrize("f", [0.3, 3.0, 12.0, 40.0])
def test_response_is_equation_2(actuator, f):
    s, a = 2j * np.pi * f, actuator
    above = a.proportional * s + a.integral
    below = a.lag * s**3 + (1 + a.derivative) * s**2 + a.proportional * s + a.integral
    got = frequency_response(a.block(SITE), f, H, cycles=int(12 + 4 * f))
    assert_allclose(got, above / below, rtol=1e-7 + 0.2 * (2 * np.pi * f * H) ** 2)


def test_lag_of_a_slow_ramp_is_that_of_the_docstring():
    t = np.arange(60_000) * H
    lag = t - respond(PidActuator(proportional=60.0, derivative=0.2, lag=4e-3).block(SITE), t)[:, 0]
    assert_allclose(lag[-1], 1.2 / 60, rtol=1e-9)
    assert abs((t - respond(PID.block(SITE), t)[:, 0])[-1]) < 1e-9  # the integral part removes it


def test_the_answer_does_not_depend_on_the_tick_for_a_straight_command():
    coarse, fine = Site(tick=5e-3, interval=5e-3), Site(tick=5e-4, interval=5e-4)
    t = np.arange(0, 0.2, 5e-4)
    a = respond(PID.block(fine), np.minimum(t, 0.05))[::10, 0]
    b = respond(PID.block(coarse), np.minimum(t[::10], 0.05))[:, 0]
    assert_allclose(a, b, atol=1e-13)


def test_just_below_the_limit_of_the_integral_gain_it_rings_down_and_above_it_is_refused():
    limit = 1.0 * 60.0 / 4e-3
    edge = PidActuator(proportional=60.0, integral=0.98 * limit, lag=4e-3)
    y = respond(edge.block(SITE), np.ones(40_000))[:, 0] - 1
    assert np.abs(y[20_000:]).max() < 0.5 * np.abs(y[:20_000]).max()
    with pytest.raises(InputError, match=r"transfer\.integral.*unstable by itself"):
        PidActuator(proportional=60.0, integral=1.001 * limit, lag=4e-3)
