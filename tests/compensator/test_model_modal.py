from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.linalg import eigh

from rths.compensator.model_based import ModelBased
from rths.compensator.model_modal import ModelModal
from rths.equation import EquationOfMotion
from rths.errors import InputError
from rths.loop.solo import respond
from rths.site import Site

DT, N = 0.01, 6
M = np.diag(np.linspace(1.0, 2.0, N))
K = 4e3 * (2 * np.eye(N) - np.eye(N, k=1) - np.eye(N, k=-1))
K_E = 500.0
L = np.eye(N)[[2]]
TOTAL = K + K_E * L.T @ L
EQUATION = EquationOfMotion(M, 2e-3 * TOTAL, K, L, -M @ np.ones((N, 1)), np.zeros(N), np.zeros(N))
SITE = Site(tick=DT / 2, interval=DT, stage=DT, equation=EQUATION)
GIVEN = {"delay": 2.5 * DT, "interface_stiffness": K_E}


def commands(compensator, x):
    rng = np.random.default_rng(3)
    f = K_E * np.vstack([[0.0], x[:-1] @ L.T])
    return respond(compensator.block(SITE), np.hstack([x, f, 0.1 * rng.normal(size=(len(x), 3))]))


def test_with_all_modes_and_classical_damping_it_is_the_full_model():
    x = 1e-3 * np.cumsum(np.random.default_rng(2).normal(size=(30, N)), axis=0)
    full = commands(ModelBased(**GIVEN), x)
    assert_allclose(commands(ModelModal(modes=N, **GIVEN), x), full, atol=1e-12)


def test_a_motion_in_its_modes_is_predicted_as_by_the_full_model_and_others_stay():
    w2, phi = eigh(TOTAL, M)
    t = DT * np.arange(30)[:, None]
    low = np.cos(np.sqrt(w2[0]) * t) * phi[:, 0] + np.sin(np.sqrt(w2[1]) * t) * phi[:, 1]
    high = 0.1 * np.cos(np.sqrt(w2[5]) * t) * phi[:, 5]
    two = ModelModal(modes=2, **GIVEN)
    none = np.zeros_like(low)
    assert_allclose(commands(two, low + high) - commands(two, low), high @ L.T, atol=1e-12)
    assert_allclose(
        commands(two, low) - commands(two, none),
        commands(ModelBased(**GIVEN), low) - commands(ModelBased(**GIVEN), none),
        atol=1e-12,
    )


def test_modes_that_central_differences_cannot_follow_do_no_harm_when_left_out():
    stiff = EquationOfMotion(M, 0 * K, 1e3 * K, L, np.zeros((N, 0)), np.zeros(N), np.zeros(N))
    w2 = eigh(1e3 * K + K_E * L.T @ L, M, eigvals_only=True)
    assert np.sqrt(w2[-1]) * DT > 2  # omega dt beyond the limit
    given = {"delay": 8 * DT, "interface_stiffness": K_E}
    gain = [
        np.abs(c.prediction(stiff, DT)).max()
        for c in (ModelBased(**given), ModelModal(modes=1, **given))
    ]
    assert gain[0] > 1e3 * gain[1]


def test_more_modes_than_there_are_is_refused():
    with pytest.raises(InputError, match="modes"):
        ModelModal(modes=N + 1, **GIVEN).block(SITE)
