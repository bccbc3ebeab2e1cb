from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.loop.solo import frequency_response, respond
from rths.site import Site
from rths.specimen.spring_dashpot import SpringDashpot

H = 1e-3


def block(displacement=0.0):
    return SpringDashpot(stiffness=4e4, damping=300.0).block(
        Site(tick=H, interval=H, displacement=displacement)
    )


def test_a_straight_motion_gives_its_exact_velocity():
    x = 0.02 + 0.3 * H * np.arange(100)
    f = respond(block(displacement=0.02), x)[:, 0]
    assert_allclose(f[1:], 4e4 * x[1:] + 300.0 * 0.3, rtol=1e-11)


def test_it_starts_at_rest_where_the_actuator_stands():
    assert respond(block(displacement=0.02), [0.02])[0, 0] == 4e4 * 0.02


@pytest.mark.parametrize("f", [1.0, 10.0, 60.0])
def test_the_response_is_that_of_a_backward_difference(f):
    z = np.exp(2j * np.pi * f * H)
    assert_allclose(frequency_response(block(), f, H), 4e4 + 300.0 / H * (1 - 1 / z), rtol=1e-9)
