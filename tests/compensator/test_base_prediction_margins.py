"""Predictors from displacement, velocity and acceleration: alone (U1), with LSRT2 (U4 to U6)."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import brentq

from rths.assembly.hybrid_test import HybridTest
from rths.compensator.explicit_newmark import ExplicitNewmark
from rths.compensator.hermite import Hermite
from rths.compensator.linear_acceleration import LinearAcceleration
from rths.excitation.free_vibration import FreeVibration
from rths.feedback.direct import Direct
from rths.integrator.lsrt2 import Lsrt2
from rths.loop.solo import respond
from rths.site import Site
from rths.specimen.spring import Spring
from rths.structure.linear import Linear
from rths.theory.step.predictor_response import explicit_newmark, hermite_2, hermite_3
from rths.theory.step.predictor_response import linear_acceleration as linear
from rths.transfer.dead_time import DeadTime

DT = 0.01
SITE = Site(tick=DT, interval=DT, stage=DT)
PREDICTORS = {
    "Hermite 2": (Hermite(delay=DT, order=2), hermite_2, np.pi / 2),
    "Hermite 3": (Hermite(delay=DT, order=3), hermite_3, 2.6006),
    "explicit Newmark": (ExplicitNewmark(delay=DT), explicit_newmark, 1.0408),
    "linear acceleration": (LinearAcceleration(delay=DT), linear, 1.5826),
}
each = pytest.mark.parametrize("name", PREDICTORS)


def response(name, W):
    """Run the block on exp(iWk), k the target's number, and give output/target."""
    compensator = PREDICTORS[name][0]
    at = np.arange(4) if "target" in compensator.inputs[0] else np.arange(4) - 1
    rows = [np.exp(1j * W * at) * (1j * W / DT) ** k for k in range(len(compensator.inputs))]
    block = compensator.block(SITE)
    real, imaginary = (respond(block, np.array(r).T)[3, 0] for r in (np.real(rows), np.imag(rows)))
    return complex(real, imaginary) / np.exp(3j * W)


@each
@pytest.mark.parametrize("W", [0.1, 0.8, 1.5, 2.5])
def test_the_running_block_has_the_response_of_theory(name, W):
    assert_allclose(response(name, W), PREDICTORS[name][1](W, 1.0), rtol=1e-9)


@each
def test_damping_is_added_up_to_the_margin_and_taken_away_beyond(name):  # U1
    margin = PREDICTORS[name][2]

    def lead(W):
        return (response(name, W) * np.exp(-1j * W)).imag

    assert all(lead(W) > 0 for W in np.linspace(0.05, 0.99 * margin, 20))
    assert_allclose(brentq(lead, 0.9 * margin, 1.1 * margin), margin, atol=1e-4)


def loop(Omega, compensator):
    k = 200.0
    return HybridTest(
        excitation=FreeVibration(displacement=(0.01,)),
        structure=Linear(mass=2 * k * (DT / Omega) ** 2, damping=0.0, stiffness=k),
        integrator=Lsrt2(interface_stiffness=k),
        compensator=compensator,
        transfer=DeadTime(delay=DT),
        specimen=Spring(stiffness=k),
        feedback=Direct(),
        tick=DT / 2,
        step=DT,
        duration=1.0,
        record=("integrator.target",),
    )


def radius(loop_roots, Omega, compensator):
    return float(np.exp(loop_roots(loop(Omega, compensator))[0].real * DT))


OMEGAS = (0.1, 0.2, 0.4, 0.8)


def test_with_lsrt2_hermite_3_grows_at_any_small_step(loop_roots):  # U4
    rho = [radius(loop_roots, W, PREDICTORS["Hermite 3"][0]) for W in OMEGAS]
    assert_allclose(rho, [1.0000162, 1.0002588, 1.0040808, 1.0503766], atol=1e-6)


def test_with_lsrt2_hermite_2_decays(loop_roots):  # U5
    rho = [radius(loop_roots, W, PREDICTORS["Hermite 2"][0]) for W in OMEGAS]
    assert_allclose(rho, [0.9999954, 0.9999286, 0.9989490, 0.9775433], atol=1e-6)


@pytest.mark.parametrize(
    ("name", "limit", "tolerance"),
    [
        ("Hermite 2", 1.2638, 1e-4),  # U5: the largest range
        ("explicit Newmark", 1.0503, 1e-3),  # U6
        ("linear acceleration", 0.8684, 1e-3),  # U6
    ],
)
def test_with_lsrt2_the_loop_is_lost_at_the_published_step(loop_roots, name, limit, tolerance):
    compensator = PREDICTORS[name][0]
    assert radius(loop_roots, limit - tolerance, compensator) < 1
    assert radius(loop_roots, limit + tolerance, compensator) > 1
