from __future__ import annotations

from math import atanh, exp, tanh

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.integrate import solve_ivp

from rths.errors import InputError
from rths.identification.bouc_wen_fit import bouc_wen_force
from rths.loop.solo import respond
from rths.site import Site
from rths.specimen.bilinear import Bilinear
from rths.specimen.bouc_wen import BoucWen, integrate_path

K, D = 2e6, 1e-3


def specimen(**given):
    return BoucWen(stiffness=K, yield_displacement=D, **given)


def force(x, start=0.0, h=1.0, **given):
    return respond(specimen(**given).block(Site(h, h, displacement=start)), x)[:, 0]


def exact(w, s, n, b):
    """Closed form of (2) for n = 1 and n = 2 with b = 1/2 up the path from w < 0 or w >= 0."""
    if n == 1:
        g = 1 - 2 * b  # w' = 1 + g w below zero (|w| = -w), 1 - w above
        if w < 0:
            zero = -w if g == 0 else -np.log(1 + g * w) / g
            if s <= zero:
                return w + s if g == 0 else ((1 + g * w) * exp(g * s) - 1) / g
            w, s = 0.0, s - zero
        return 1 - (1 - w) * exp(-s)
    assert (n, b) == (2, 0.5)
    if w < 0:
        if s <= -w:
            return w + s
        w, s = 0.0, s + w
    return tanh(s + atanh(w))


@pytest.mark.parametrize(("n", "b"), [(1, 0.2), (1, 0.5), (1, 0.9), (2, 0.5)])
@pytest.mark.parametrize("w", [-0.95, -0.3, 0.0, 0.6])
@pytest.mark.parametrize("s", [0.03, 0.7, 4.0])
def test_the_path_follows_the_closed_form(n, b, w, s):
    assert_allclose(integrate_path(w, s, n, b, 0.1), exact(w, s, n, b), atol=2e-6)
    assert_allclose(integrate_path(-w, -s, n, b, 0.1), -exact(w, s, n, b), atol=2e-6)


@pytest.mark.parametrize(("n", "b"), [(1, 0.9), (2, 0.5)])
def test_the_order_is_four_across_the_kink_at_zero_too(n, b):
    steps = 0.4 / 2.0 ** np.arange(5)
    wrong = [abs(integrate_path(-0.63, 1.77, n, b, s) - exact(-0.63, 1.77, n, b)) for s in steps]
    order = np.polyfit(np.log(steps), np.log(wrong), 1)[0]
    assert 3.7 < order < 4.5


@pytest.mark.parametrize("sharpness", [1.0, 1.7, 5.0, 20.0])
@pytest.mark.parametrize("shape", [0.1, 0.5, 1.0])
def test_any_sharpness_and_shape_agree_with_another_integrator(sharpness, shape):
    x = D * np.array([0.0, 1.9, -2.3, 0.4, -0.1, 3.0])
    f = force(x, sharpness=sharpness, shape=shape, hardening=0.1)
    z = 0.0
    for k in range(1, x.size):
        sign = np.sign(x[k] - x[k - 1])

        def slope(s, z, sign=sign):
            return sign * (1 - np.abs(z) ** sharpness * (shape * np.sign(z * sign) + 1 - shape))

        span = abs(x[k] - x[k - 1]) / D
        z = solve_ivp(slope, (0, span), [z], rtol=1e-11, atol=1e-13, max_step=0.01).y[0, -1]
        assert_allclose(f[k], 0.1 * K * x[k] + 0.9 * K * D * z, rtol=0, atol=2e-5 * K * D)


def test_it_is_the_model_that_identification_fits():
    x = 3 * D * np.sin(np.linspace(0, 4 * np.pi, 4001)) * np.linspace(0, 1, 4001)
    v = np.diff(x, prepend=0.0) / 1e-3
    f = force(x, h=1e-3, sharpness=1.5, shape=0.3, hardening=0.05, damping=70.0)
    fitted = bouc_wen_force(x, v, K, 0.05, D, 0.3, 1.5, 70.0)
    assert_allclose(f, fitted, rtol=0, atol=1e-6 * K * D)


@settings(max_examples=25)
@given(
    st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=20),
    st.floats(1, 50),
    st.floats(0.01, 1),
)
def test_z_stays_within_the_yield_displacement_whatever_the_motion(jumps, n, b):
    w = 0.0
    for s in jumps:
        w = integrate_path(w, s, n, b, min(0.1, 0.25 / n))
        assert abs(w) <= 1


def test_after_a_long_way_nothing_is_left_of_the_past():
    assert integrate_path(-1.0, 60.0, 1.0, 0.5, 0.1) == pytest.approx(1.0, abs=1e-15)
    assert integrate_path(0.3, 1e9, 1.0, 0.5, 0.1) == pytest.approx(1.0, abs=1e-15)


@pytest.mark.parametrize("n", [1.0, 2.0, 7.3])
def test_a_path_that_is_left_early_is_that_of_all_its_steps(n):
    w, s = -0.4, 49.7
    parts = int(s / 0.1) + 1
    along = integrate_path(w, s, n, 0.5, 0.1)
    for _ in range(parts):
        w = integrate_path(w, s / parts, n, 0.5, 0.1)
    assert along == w


def test_a_sharp_knee_is_bilinear():
    x = np.cumsum(np.random.default_rng(1).normal(size=300)) * 0.5 * D
    steel = Bilinear(stiffness=K, yield_displacement=D, hardening=0.05).block(Site(1.0, 1.0))
    wrong = force(x, sharpness=50.0, hardening=0.05) - respond(steel, x)[:, 0]
    blunt = force(x, sharpness=2.0, hardening=0.05) - respond(steel, x)[:, 0]
    assert np.abs(wrong).max() < 0.05 * K * D
    assert np.abs(blunt).max() > 0.15 * K * D


def test_a_closed_cycle_dissipates():
    x = 2 * D * np.sin(np.linspace(0, 2 * np.pi, 2001))
    f = force(x, sharpness=1.0)
    assert np.trapezoid(f, x) > K * D**2


def test_it_starts_where_a_slow_pull_has_left_it():
    assert_allclose(force([2 * D], start=2 * D), force(np.linspace(0, 2 * D, 9))[-1:], rtol=1e-5)


@pytest.mark.parametrize("engine", ["interpreted", "fused"])
def test_all_loops_agree_to_the_last_bit(engine):
    x = np.cumsum(np.random.default_rng(3).normal(size=300)) * D / 2
    block = specimen(sharpness=1.7, shape=0.3, damping=10.0).block(Site(1e-3, 1e-3))
    assert np.array_equal(respond(block, x, engine), respond(block, x, "table"))


def test_a_sharpness_below_one_is_refused():
    with pytest.raises(InputError, match=r"specimen.sharpness.*from 1 to 50"):
        specimen(sharpness=0.5)
