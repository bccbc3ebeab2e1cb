from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from rths.compensator.linear_acceleration import LinearAcceleration
from rths.loop.solo import respond
from rths.site import Site

DT = 0.01
T = np.arange(20) * DT


def predicted(p, delay, interval=DT):
    site, t = Site(tick=DT, interval=interval, stage=DT), T * interval / DT
    rows = np.column_stack([p(t), p.deriv()(t), p.deriv(2)(t)])
    return respond(LinearAcceleration(delay=delay).block(site), rows)[1:, 0], t[1:]


@given(
    delay=st.floats(0, 0.05),
    c=st.lists(st.floats(-9, 9), min_size=4, max_size=4),
    interval=st.sampled_from([DT, 2 * DT]),
)
def test_an_acceleration_on_a_straight_line_is_predicted_exactly(delay, c, interval):
    p = np.polynomial.Polynomial(c)
    u, t = predicted(p, delay, interval)
    assert_allclose(u, p(t + DT + delay), atol=1e-10)


def test_a_bent_acceleration_is_not():
    p = np.polynomial.Polynomial([0, 0, 0, 0, 1.0])
    u, t = predicted(p, DT)
    assert np.all(np.abs(u - p(t + 2 * DT)) > DT**4)
