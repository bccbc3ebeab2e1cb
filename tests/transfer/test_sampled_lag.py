from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from rths.errors import InputError
from rths.loop.solo import frequency_response, respond
from rths.site import Site
from rths.transfer.sampled_lag import SampledLag

H = 1 / 1024
SITE = Site(tick=H, interval=H)


@pytest.mark.parametrize("f", [0.5, 5.0, 50.0])
@pytest.mark.parametrize("alpha", [1.0, 28.0, 33.0])
def test_response_is_equation_2(alpha, f):
    z = np.exp(2j * np.pi * f * H)
    got = frequency_response(SampledLag(alpha=alpha).block(SITE), f, H)
    assert_allclose(got, z / (alpha * z - (alpha - 1)), atol=1e-9)


def test_a_slow_ramp_is_late_by_alpha_minus_one_ticks():
    t = np.arange(4000) * H
    y = respond(SampledLag(alpha=33.0).block(SITE), t)[:, 0]
    assert_allclose(t[-1] - y[-1], 32 * H, rtol=1e-12)


def test_with_alpha_1_it_is_the_ideal_actuator():
    u = np.random.default_rng(1).standard_normal(50)
    assert_allclose(respond(SampledLag(alpha=1.0).block(SITE), u)[:, 0], u, rtol=1e-12)


def test_it_starts_at_rest():
    block = SampledLag(alpha=33.0).block(Site(tick=H, interval=H, displacement=0.2))
    assert_array_equal(respond(block, np.full(9, 0.2)), 0.2)


def test_an_actuator_that_would_overshoot_each_tick_is_refused():
    with pytest.raises(InputError, match=r"transfer\.alpha.*1 or more"):
        SampledLag(alpha=0.9)
