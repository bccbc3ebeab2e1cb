from __future__ import annotations

from math import pi

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.loop.solo import respond
from rths.site import Site
from rths.specimen.mr_bingham import MrBingham

DAMPER = MrBingham(friction=39.8, damping=801.0, stiffness=2140.0, offset=1.49)  # [carrion2006]


def force(x, h, damper=DAMPER):
    return respond(damper.block(Site(tick=h, interval=h)), x)[:, 0]


@pytest.mark.parametrize("v", [-0.2, 0.05])
def test_constant_velocity_gives_the_law_exactly(v):
    h = 1e-3
    x = v * h * np.arange(50)
    expected = 39.8 * np.sign(v) + 801.0 * v + 2140.0 * x + 1.49
    assert_allclose(force(x, h)[1:], expected[1:], rtol=1e-11)


def test_force_at_peak_velocity():  # C16
    w, A, n = 2 * pi * 1.273, 10.16e-3, 10000
    h = 2 * pi / w / n
    f = force(A * np.sin(w * h * np.arange(n + 1)), h)
    assert_allclose(f[n], 106.4, rtol=1e-3)


def test_force_at_peak_displacement_is_spring_and_offset_between_the_two_friction_forces():
    w, A, n = 2 * pi * 1.273, 10.16e-3, 10000
    h = 2 * pi / w / n
    f = force(A * np.sin(w * h * np.arange(n + 1)), h)
    middle = (f[n // 4] + f[n // 4 + 1]) / 2
    assert_allclose(middle, 2140.0 * A + 1.49, rtol=1e-3)
    assert_allclose(f[n // 4] - f[n // 4 + 1], 2 * 39.8, rtol=1e-2)


def test_a_cycle_dissipates_friction_and_damping_alone():
    w, A, n = 2 * pi, 10e-3, 40000
    h = 2 * pi / w / n
    x = A * np.sin(w * h * np.arange(n + 1))
    f = force(x, h)
    energy = np.sum((f[1:] + np.append(f[2:], f[1])) / 2 * np.diff(x))
    assert_allclose(energy, 4 * 39.8 * A + pi * 801.0 * w * A**2, rtol=1e-4)


@pytest.mark.parametrize("engine", ["interpreted", "fused"])
def test_all_loops_agree_to_the_last_bit(engine):
    x = np.cumsum(np.random.default_rng(3).normal(size=300)) * 1e-3
    block = DAMPER.block(Site(1e-3, 1e-3))
    assert np.array_equal(respond(block, x, engine), respond(block, x, "table"))
