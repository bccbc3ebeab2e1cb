"""Damper laws from motion and force: exact data, noise, C16, C18, L17."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.identification.bingham_fit import bingham_fit, bingham_force
from rths.identification.bouc_wen_fit import bouc_wen_fit, bouc_wen_force
from rths.identification.power_law_fit import power_law_fit, power_law_force

T = np.arange(0.0, 4.0, 1 / 256)
W = 2 * np.pi * 1.273
X = 0.01016 * np.minimum(T / 2, 1) * np.sin(W * T)
V = np.gradient(X, T)


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


def test_c16_force_at_peak_velocity():
    force = bingham_force(0.0, W * 10.16e-3, 39.8, 801.0, 2140.0, 1.49)
    assert force == pytest.approx(106.4, rel=1e-3)


def test_c18_force_scale_is_the_ratio_of_fitted_stiffnesses():
    full, specimen = (bingham_fit(X, V, k * X)["stiffness"] for k in (3610e3, 41.0e3))
    assert full / specimen == pytest.approx(88.05, rel=1e-3)


def test_slow_samples_can_be_left_out():
    smooth = 39.8 * np.tanh(V / 0.002) + 801 * V  # rounded near rest, as measured dampers are
    assert abs(bingham_fit(X, V, smooth, slowest=0.02)["friction"] - 39.8) < 0.01
    assert abs(bingham_fit(X, V, smooth)["friction"] - 39.8) > 1.0


@settings(deadline=None)
@given(coefficient=st.floats(1, 1e6), exponent=st.floats(0.05, 1.5))
def test_power_law_parameters_come_back_exactly(coefficient, exponent):
    fit = power_law_fit(V, power_law_force(V, coefficient, exponent))
    assert_allclose(fit.values, [coefficient, exponent], rtol=1e-6)


def test_l17_damper_law_at_the_rated_velocity():
    assert power_law_force(0.3, 60e3, 0.15) == pytest.approx(50.09e3, rel=1e-3)


def test_a_force_that_drives_the_motion_is_no_damper():
    with pytest.raises(InputError, match="signs"):
        power_law_fit(V, -power_law_force(V, 60e3, 0.15))


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


@pytest.mark.parametrize("law", ["bingham", "power law", "bouc-wen"])
def test_the_intervals_hold_the_truth_at_their_confidence(law):
    rng = np.random.default_rng(7)
    laws = {
        "bingham": ([39.8, 801.0, 2140.0, 1.49], bingham_force, lambda f: bingham_fit(X, V, f)),
        "power law": (
            [60e3, 0.15],
            lambda x, v, *p: power_law_force(v, *p),
            lambda f: power_law_fit(V, f),
        ),
        "bouc-wen": (TRUTH, bouc_wen_force, lambda f: bouc_wen_fit(X, V, f)),
    }
    truth, force, fitted = laws[law]
    clean, inside, runs = force(X, V, *truth), np.zeros(len(truth)), 24
    for _ in range(runs):
        fit = fitted(clean + 0.02 * np.std(clean) * rng.normal(size=X.size))
        inside += [
            p.low <= v <= p.high for p, v in zip(fit.parameters.values(), truth, strict=True)
        ]
    assert np.all(inside >= 19)  # 22.8 ± 3.6 standard deviations of 1.1


def test_a_parameter_that_does_not_show_is_named():
    with pytest.raises(InputError, match=r"stiffness.*no effect"):
        bingham_fit(0 * X, V, V)


def test_signals_of_unlike_length_are_refused():
    with pytest.raises(InputError, match="do not match"):
        bouc_wen_fit(X, V[:-1], X)
