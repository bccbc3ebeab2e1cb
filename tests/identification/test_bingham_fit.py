"""Bingham damper from motion and force: exact data, C18."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.identification.bingham_fit import bingham_fit
from rths.identification.bouc_wen_fit import bouc_wen_fit

T = np.arange(0.0, 4.0, 1 / 256)
W = 2 * np.pi * 1.273
X = 0.01016 * np.minimum(T / 2, 1) * np.sin(W * T)
V = np.gradient(X, T)


def bingham_force(x, v, friction, damping, stiffness, offset):
    return friction * np.sign(v) + damping * v + stiffness * x + offset


@settings(deadline=None)
@given(
    friction=st.floats(1, 1e3), damping=st.floats(1, 1e4), k=st.floats(0, 1e5), f0=st.floats(-9, 9)
)
def test_bingham_parameters_come_back_exactly(friction, damping, k, f0):
    fit = bingham_fit(X, V, bingham_force(X, V, friction, damping, k, f0))
    size = friction + damping * np.abs(V).max() + k * np.abs(X).max() + abs(f0)
    again = bingham_force(X, V, *fit.values)
    assert_allclose(again, bingham_force(X, V, friction, damping, k, f0), atol=1e-10 * size)
    assert fit["friction"] == pytest.approx(friction, abs=1e-9 * size)


def test_c18_force_scale_is_the_ratio_of_fitted_stiffnesses():
    full, specimen = (bingham_fit(X, V, k * X)["stiffness"] for k in (3610e3, 41.0e3))
    assert full / specimen == pytest.approx(88.05, rel=1e-3)


def test_slow_samples_can_be_left_out():
    smooth = 39.8 * np.tanh(V / 0.002) + 801 * V  # rounded near rest, as measured dampers are
    assert abs(bingham_fit(X, V, smooth, slowest=0.02)["friction"] - 39.8) < 0.01
    assert abs(bingham_fit(X, V, smooth)["friction"] - 39.8) > 1.0


def test_signals_of_unlike_length_are_refused():
    with pytest.raises(InputError, match="do not match"):
        bouc_wen_fit(X, V[:-1], X)
