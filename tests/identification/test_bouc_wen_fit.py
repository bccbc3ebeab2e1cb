"""Bouc-Wen damper from motion and force: closed forms, exact data."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.identification.bingham_fit import bingham_fit
from rths.identification.bouc_wen_fit import bouc_wen_fit, bouc_wen_force

T = np.arange(0.0, 4.0, 1 / 256)
W = 2 * np.pi * 1.273
X = 0.01016 * np.minimum(T / 2, 1) * np.sin(W * T)
V = np.gradient(X, T)


def test_bouc_wen_starts_with_its_stiffness_and_ends_at_its_strength():
    x = np.linspace(0, 0.1, 4001)
    f = bouc_wen_force(x, 0 * x, 2e6, 0.05, 4e-3, 0.6, 2.0)
    assert f[1] / x[1] == pytest.approx(2e6, rel=1e-3)
    assert f[-1] == pytest.approx(0.05 * 2e6 * 0.1 + 0.95 * 2e6 * 4e-3, rel=1e-6)


def test_bouc_wen_loading_is_its_closed_form():
    # n = 1, loading from rest: z = d (1 - exp(-x/d)); n = 2: z = d tanh(x/d)
    x = np.linspace(0, 0.02, 300)
    for sharpness, form in ((1.0, lambda u: 1 - np.exp(-u)), (2.0, np.tanh)):
        f = bouc_wen_force(x, 0 * x, 1e6, 0.0, 4e-3, 0.7, sharpness)
        assert_allclose(f, 1e6 * 4e-3 * form(x / 4e-3), rtol=1e-6)


def test_bouc_wen_unloads_straight_at_half_shape():
    x = np.concatenate([np.linspace(0, 0.02, 500), np.linspace(0.02, 0.0195, 50)[1:]])
    f = bouc_wen_force(x, 0 * x, 1e6, 0.0, 4e-3, 0.5, 1.5)
    assert_allclose(np.diff(f[500:]) / np.diff(x[500:]), 1e6, rtol=1e-6)


def test_bouc_wen_does_not_feel_the_speed_or_the_sampling():
    fine = bouc_wen_force(X, 0 * X, 2e6, 0.1, 4e-3, 0.6, 1.7)
    coarse = bouc_wen_force(X[::4], 0 * X[::4], 2e6, 0.1, 4e-3, 0.6, 1.7)
    # reversals fall between samples: the path differs by at most the travel in one step
    assert np.abs(fine[::4] - coarse).max() < 2e6 * 2e-5


TRUTH = [2e6, 0.1, 2e-3, 0.6, 1.7, 5e3]


def test_bouc_wen_parameters_come_back_exactly():
    fit = bouc_wen_fit(X, V, bouc_wen_force(X, V, *TRUTH))
    assert_allclose(fit.values, TRUTH, rtol=1e-6)


def test_a_parameter_that_does_not_show_is_named():
    with pytest.raises(InputError, match=r"stiffness.*no effect"):
        bingham_fit(0 * X, V, V)
