"""Where a command comes to rest is known before it brakes."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from rths.guard.braking import Braking
from rths.loop.solo import respond
from rths.site import Site

TICK = 1 / 1024


@settings(max_examples=30)
@given(at=st.floats(-0.1, 0.1), velocity=st.floats(-2, 2), acceleration=st.floats(1, 500))
def test_a_command_that_brakes_comes_no_further_than_it_says(at, velocity, acceleration):
    step, slowing = velocity * TICK, acceleration * TICK**2
    guard = Braking(signal="s", trip=10.0, acceleration=acceleration)
    site = Site(tick=TICK, interval=TICK)
    value = respond(guard.block(site), np.array([at - step, at]))[-1, 1]
    steps = np.sign(step) * np.maximum(abs(step) - slowing * np.arange(1, 5000), 0.0)
    rest = at + steps.sum()
    assert abs(rest - at) <= abs(value - at) + 1e-12
    assert abs(value - rest) <= 0.5 * abs(step) + 0.5 * slowing + 1e-12  # and hardly less far


def test_at_rest_it_is_the_command_itself(judged):
    guard = Braking(signal="s", trip=0.1, acceleration=10.0)
    assert judged(guard, [0.0, 0.0, 0.0])[:, 1].tolist() == [0.0, 0.0, 0.0]
