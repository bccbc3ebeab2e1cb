from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from rths.loop.solo import respond
from rths.site import Site
from rths.specimen.bilinear import Bilinear

K, D = 3.61e6, 1e-3


def force(x, hardening=0.02, start=0.0):
    specimen = Bilinear(stiffness=K, yield_displacement=D, hardening=hardening)
    return respond(specimen.block(Site(tick=1.0, interval=1.0, displacement=start)), x)[:, 0]


def test_the_backbone_has_its_two_slopes():
    x = np.linspace(0, 5e-3, 51)
    f_y = K * D
    assert_allclose(force(x), np.where(x <= D, K * x, f_y + 0.02 * K * (x - D)), rtol=1e-12)


def test_a_cycle_dissipates_the_area_of_its_parallelogram():
    A = 4 * D  # ductility 4
    x = np.concatenate([np.linspace(0, A, 41), np.linspace(A, -A, 81), np.linspace(-A, A, 81)])
    f = force(x)
    last = slice(40, None)  # from A down to -A and back
    energy = np.trapezoid(f[last], x[last])
    assert_allclose(energy, 4 * (1 - 0.02) * K * D * (A - D), rtol=1e-12)


@given(st.lists(st.floats(-6e-3, 6e-3), min_size=2, max_size=20), st.integers(2, 7))
def test_the_force_depends_on_the_path_alone_not_on_its_ticks(turns, parts):
    x = np.array([0.0, *turns])
    fine = np.interp(np.arange((len(x) - 1) * parts + 1) / parts, np.arange(len(x)), x)
    assert_allclose(force(fine)[::parts], force(x), atol=1e-9 * K * D)


def test_it_starts_where_a_slow_pull_has_left_it():
    assert_allclose(force([4e-3], start=4e-3), force([0.0, 4e-3])[-1:], rtol=1e-12)


def test_hardening_of_one_is_a_spring():
    x = np.random.default_rng(0).normal(size=30) * D * 9
    assert_allclose(force(x, hardening=1.0), K * x, rtol=1e-12)


def test_reversed_motion_reverses_the_force():
    x = np.cumsum(np.random.default_rng(2).normal(size=200)) * D
    assert_allclose(force(-x), -force(x), rtol=0, atol=1e-9)


def test_elastic_motion_dissipates_nothing_but_yielding_does():
    x = 0.999 * D * np.sin(np.linspace(0, 20 * np.pi, 2001))
    assert abs(np.trapezoid(force(x), x)) < 1e-12 * K * D**2
    assert np.trapezoid(force(2 * x), 2 * x) > K * D**2


@pytest.mark.parametrize("engine", ["interpreted", "fused"])
def test_all_loops_agree_to_the_last_bit(engine):
    x = np.cumsum(np.random.default_rng(3).normal(size=300)) * D
    block = Bilinear(stiffness=K, yield_displacement=D, hardening=0.02).block(Site(1.0, 1.0))
    assert np.array_equal(respond(block, x, engine), respond(block, x, "table"))
