"""A jump is what two samples before did not foretell."""

from __future__ import annotations

from math import nextafter, pi

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rths.guard.jump import Jump
from rths.loop.solo import respond
from rths.site import Site

H = 1 / 1024  # a power of two: differences and quotients of short numbers are exact


def test_a_jump_is_what_the_straight_line_does_not_foretell(judged):
    g = Jump(signal="feedback.force", trip=0.5)
    line = 3.0 * np.arange(10.0)
    assert judged(g, line)[:, 0].max() == 0
    line[6:] += nextafter(0.5, 1) * 2**3  # beyond the round-off of the line
    assert judged(g, line)[:, 0].tolist()[:7] == [0] * 6 + [2]


@given(amplitude=st.floats(0.1, 10), frequency=st.floats(0.5, 20))
def test_a_sine_does_not_jump_more_than_its_curvature(amplitude, frequency):
    w = 2 * pi * frequency * H
    g = Jump(signal="feedback.force", trip=amplitude * w * w * (1 + 1e-9))
    sine = amplitude * np.sin(w * np.arange(500))
    assert respond(g.block(Site(tick=H, interval=H)), sine)[:, 0].max() == 0
