from __future__ import annotations

from math import gamma, pi

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.loop.solo import respond
from rths.site import Site
from rths.specimen.power_law_damper import PowerLawDamper
from rths.specimen.spring_dashpot import SpringDashpot

H = 1e-3


def force(x, c, alpha, h=H):
    damper = PowerLawDamper(coefficient=c, exponent=alpha)
    return respond(damper.block(Site(tick=h, interval=h)), x)[:, 0]


@pytest.mark.parametrize("alpha", [0.0, 0.15, 0.5, 1.0])
@pytest.mark.parametrize("v", [-0.7, -0.01, 0.3])
def test_constant_velocity_gives_the_law_exactly(alpha, v):
    f = force(v * H * np.arange(20), 5e4, alpha)
    assert_allclose(f[1:], 5e4 * abs(v) ** alpha * np.sign(v), rtol=1e-12)


@pytest.mark.parametrize("alpha", [0.0, 0.15, 1.0])
def test_at_rest_there_is_no_force(alpha):
    assert np.all(force(np.full(10, 0.0), 5e4, alpha) == 0.0)


def test_an_exponent_of_one_is_the_dashpot():
    x = np.random.default_rng(1).normal(size=100)
    dashpot = SpringDashpot(stiffness=0.0, damping=70.0).block(Site(tick=H, interval=H))
    assert_allclose(force(x, 70.0, 1.0), respond(dashpot, x)[:, 0], rtol=1e-12)


def test_rated_force_of_the_damper_of_the_paper():  # L17
    f = force(0.3 * H * np.arange(5), 60e3, 0.15)[-1]
    assert_allclose(f, 50.09e3, rtol=1e-3)


@pytest.mark.parametrize("alpha", [0.0, 0.15, 0.5, 1.0])
def test_a_cycle_of_a_sine_dissipates_the_closed_form(alpha):
    # integral of c (w A |cos|)^alpha w A |cos| over a period, by the beta function
    n, A, w, c = 20000, 0.02, 2 * pi, 5e4
    h = 2 * pi / w / n
    x = A * np.sin(w * h * np.arange(n + 1))
    f = force(x, c, alpha, h)
    energy = np.sum(f[1:] * np.diff(x))  # force of a tick acts over that tick
    expected = 2 ** (2 + alpha) * c * w**alpha * A ** (1 + alpha)
    expected *= gamma(1 + alpha / 2) ** 2 / gamma(2 + alpha)
    assert_allclose(energy, expected, rtol=1e-6)


@pytest.mark.parametrize("alpha", [-0.1, 1.1])
def test_an_exponent_outside_zero_to_one_is_refused(alpha):
    with pytest.raises(InputError, match=r"specimen.exponent.*from 0 to 1"):
        PowerLawDamper(coefficient=1.0, exponent=alpha)


@pytest.mark.parametrize("engine", ["interpreted", "fused"])
def test_all_loops_agree_to_the_last_bit(engine):
    x = np.cumsum(np.random.default_rng(3).normal(size=500)) * 1e-4
    block = PowerLawDamper(coefficient=6e4, exponent=0.15).block(Site(H, H))
    assert np.array_equal(respond(block, x, engine), respond(block, x, "table"))
