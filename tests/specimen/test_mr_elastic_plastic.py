from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from rths.loop.solo import respond
from rths.site import Site
from rths.specimen.mr_elastic_plastic import MrElasticPlastic

H, F, D, C = 1 / 1024, 180e3, 5e-3, 100e3  # the virtual damper of [chen2010]


def force(x, damping=C, h=H, start=0.0):
    damper = MrElasticPlastic(slip_force=F, slip_displacement=D, damping=damping)
    return respond(damper.block(Site(tick=h, interval=h, displacement=start)), x)[:, 0]


def test_a_pull_at_constant_velocity_is_elastic_until_it_slips():
    v = 0.05
    x = v * H * np.arange(400)
    expected = np.minimum(F * x / D, F) + C * v
    assert_allclose(force(x)[1:], expected[1:], rtol=1e-10)


@given(st.lists(st.floats(-20e-3, 20e-3), min_size=2, max_size=20), st.integers(2, 7))
def test_without_a_dashpot_the_force_depends_on_the_path_alone(turns, parts):
    x = np.array([0.0, *turns])
    fine = np.interp(np.arange((len(x) - 1) * parts + 1) / parts, np.arange(len(x)), x)
    assert_allclose(force(fine, damping=0.0)[::parts], force(x, damping=0.0), atol=1e-9 * F)


def test_a_slow_cycle_dissipates_the_area_of_its_parallelogram():
    A = 50e-3
    x = np.concatenate([np.linspace(0, A, 51), np.linspace(A, -A, 101), np.linspace(-A, A, 101)])
    f = force(x, damping=0.0)
    assert_allclose(np.trapezoid(f[50:], x[50:]), 4 * F * (A - D), rtol=1e-12)


def test_dashpot_and_slider_add_up():
    x = np.cumsum(np.random.default_rng(1).normal(size=300)) * 1e-3
    v = np.diff(x, prepend=0.0) / H
    assert_allclose(force(x), force(x, damping=0.0) + C * v, rtol=1e-12, atol=1e-6)


def test_it_starts_where_a_slow_pull_has_left_it():
    assert_allclose(force([3e-3], start=3e-3), F * 3 / 5)
    assert_allclose(force([9e-3], start=9e-3), F)


@pytest.mark.parametrize("engine", ["interpreted", "fused"])
def test_all_loops_agree_to_the_last_bit(engine):
    x = np.cumsum(np.random.default_rng(3).normal(size=300)) * 1e-3
    block = MrElasticPlastic(slip_force=F, slip_displacement=D, damping=C).block(Site(H, H))
    assert np.array_equal(respond(block, x, engine), respond(block, x, "table"))
