from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.loop.solo import frequency_response, respond
from rths.site import Site
from rths.transfer.second_order import SecondOrder

H = 1e-4
SITE = Site(tick=H, interval=H)
RIG = SecondOrder(frequency=31.240, damping=0.76499, delay=4.2621e-3)  # C7


def measured(f: float) -> complex:
    return frequency_response(RIG.block(SITE), f, H, cycles=4 if f < 1 else 20)


def closed_form(f: float) -> complex:
    w0, s = 2 * np.pi * RIG.frequency, 2j * np.pi * f
    return complex(w0**2 / (s**2 + 2 * RIG.damping * w0 * s + w0**2) * np.exp(-s * RIG.delay))


@pytest.mark.parametrize("f", [0.1, 1.0, 5.0, 15.0, 28.7])
def test_response_is_the_closed_form(f):
    # straight command between ticks and between the two samples of the fractional dead time
    assert_allclose(measured(f), closed_form(f), rtol=1e-8 + 0.25 * (2 * np.pi * f * H) ** 2)


def test_amplitudes_are_those_of_the_published_rig():  # C7, Fig. 4 of carrion2006
    assert_allclose(abs(measured(28.7)), 10 ** (-3 / 20), atol=1e-3)
    assert_allclose(abs(measured(15.0)), 0.94, atol=1e-3)


def test_phase_delay_is_that_of_the_published_rig():  # C7: 12.06...12.46 ms over 0.1-28.7 Hz
    f = np.array([0.1, 2.0, 5.0, 10.0, 15.0, 20.0, 22.6, 25.0, 28.7])
    phase = np.unwrap([np.angle(measured(v)) for v in f])
    delay = -phase / (2 * np.pi * f) * 1e3
    assert_allclose([delay.min(), delay.max()], [12.06, 12.46], atol=6e-3)


def test_a_step_of_the_slope_is_followed_exactly():
    w0, z = 2 * np.pi * 30.0, 0.3
    t = np.arange(3000) * H
    y = respond(SecondOrder(frequency=30.0, damping=z).block(SITE), t)[:, 0]
    wd, a = w0 * np.sqrt(1 - z * z), 2 * z / w0
    b = (2 * z * z - 1) / wd
    exact = t - a + np.exp(-z * w0 * t) * (a * np.cos(wd * t) + b * np.sin(wd * t))
    assert_allclose(y, exact, atol=1e-12)


def test_it_starts_at_rest():
    block = RIG.block(Site(tick=H, interval=H, displacement=0.2))
    assert_allclose(respond(block, np.full(500, 0.2)), 0.2, rtol=1e-12)
