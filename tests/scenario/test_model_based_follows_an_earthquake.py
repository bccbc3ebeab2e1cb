"""Virtual stand-ins for the laboratory of [carrion2006]: C10 to C15 and C17.

El Centro for 15 s and 5 s of quiet, the actuator C7 at 0.1 ms, central differences at 6.2 ms.
"""

from __future__ import annotations

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest
from numpy.testing import assert_allclose
from scipy.optimize import brentq

from rths.assembly.hybrid_test import HybridTest
from rths.compensator.model_based import ModelBased
from rths.compensator.model_broyden import ModelBroyden
from rths.compensator.none import NoCompensation
from rths.compensator.polynomial import Polynomial
from rths.excitation.ground_motion import GroundMotion
from rths.feedback.direct import Direct
from rths.integrator.central_difference import CentralDifference
from rths.metrics.nrmse import nrmse
from rths.run.virtual import simulate
from rths.specimen.mr_bingham import MrBingham
from rths.specimen.spring import Spring
from rths.structure.bilinear_building import BilinearBuilding
from rths.structure.linear import Linear
from rths.structure.published import Published
from rths.transfer.second_order import SecondOrder

DT, TICK = 0.0062, 0.0001
PHYSICAL, NUMERICAL, ZETA = 3.61e6, 6.65e6, 0.02
WHOLE = PHYSICAL + NUMERICAL
NONE = NoCompensation()
CUBIC = Polynomial(delay=2 * DT, order=3)
MODEL = ModelBased(delay=2 * DT, interface_stiffness=PHYSICAL)


def actuator(late=0.0):
    return SecondOrder(frequency=31.240, damping=0.76499, delay=4.2621e-3 + late)


def earthquake(structure, compensator, **given):
    values = {
        "excitation": GroundMotion(length=15.0),
        "structure": structure,
        "integrator": CentralDifference(),
        "compensator": compensator,
        "transfer": actuator(),
        "specimen": Spring(stiffness=PHYSICAL),
        "feedback": Direct(),
        "tick": TICK,
        "step": DT,
        "duration": 20.0,
        "record": ("structure.displacement",),
    }
    return HybridTest(**values | given)


def displacement(test):
    return simulate(test)["structure.displacement"][:, 0]


def scaled(test, scale):
    return replace(test, excitation=replace(test.excitation, scale=scale))


def error(test):
    reference, x = displacement(test.reference_test()), displacement(test)
    return nrmse(reference, x, DT) if len(x) == len(reference) else np.inf


def linear(f0, compensator, **given):
    return earthquake(Published(name="carrion2006", frequency=f0), compensator, **given)


def test_linear_with_the_cubic():  # C10
    found = [error(linear(f, CUBIC)) for f in (1, 5, 8, 10, 13)]
    assert_allclose(found, [0.0107, 0.173, 0.427, 0.543, 0.641], rtol=0.05)
    assert error(linear(13.5, CUBIC)) < 1
    assert error(linear(14.0, CUBIC)) > 1e3


def test_linear_with_the_model():  # C11
    found = [error(linear(f, MODEL)) for f in (1, 5, 8, 10, 13, 15)]
    assert_allclose(found, [0.0106, 0.067, 0.118, 0.187, 0.334, 0.469], rtol=0.05)


def test_linear_without_compensation():  # C12
    half, one, two, five = (error(linear(f, NONE)) for f in (0.5, 1, 2, 5))
    assert_allclose([half, one, two], [0.142, 0.585, 5.3], rtol=0.05)
    assert five > 1e6


@pytest.mark.parametrize(
    ("late", "limit"), [(1.0e-3, 16.0), (1.25e-3, 13.5), (1.5e-3, 12.5), (2.0e-3, 10.0)]
)
def test_an_underestimated_delay_costs_the_model_its_stability(late, limit):  # C15
    slower = {"transfer": actuator(late)}  # lost: the response is ten times off
    assert error(linear(limit - 0.5, MODEL, **slower)) < 10
    assert error(linear(limit, MODEL, **slower)) > 10


@pytest.mark.parametrize("late", [1.0e-3, 2.0e-3])
def test_but_not_the_cubic(late):  # C15
    slower = {"transfer": actuator(late)}
    assert error(linear(13.0, CUBIC, **slower)) < 10 < error(linear(13.5, CUBIC, **slower))


def inelastic(f0, compensator):
    """Yielding numerical column, record scaled to a ductility of 4."""
    mass = WHOLE / (2 * np.pi * f0) ** 2
    building = BilinearBuilding(
        masses=mass,
        stiffnesses=NUMERICAL,
        damping_ratios=ZETA * sqrt(WHOLE / NUMERICAL),
        yield_deformations=1e-3,
        hardening=0.02,
    )
    test = earthquake(building, compensator)
    quick = replace(test, compensator=NONE, tick=DT, duration=3225 * DT).reference_test()

    def short(scale):
        return np.abs(displacement(scaled(quick, scale))).max() - 4e-3

    return scaled(test, brentq(short, 0.1, 20.0, xtol=1e-4))


def test_inelastic_with_the_cubic():  # C13
    found = [error(inelastic(f, CUBIC)) for f in (5, 10, 13)]
    assert_allclose(found, [0.048, 0.362, 0.442], rtol=0.1)
    assert error(inelastic(18, CUBIC)) > 1e3


def test_inelastic_with_the_model():  # C14
    found = [error(inelastic(f, MODEL)) for f in (5, 10, 13, 18)]
    assert_allclose(found, [0.022, 0.166, 0.292, 0.523], rtol=0.1)


def test_a_learning_stiffness_helps_a_yielding_frame():
    learning = ModelBroyden(delay=2 * DT, interface_stiffness=PHYSICAL)
    assert error(inelastic(13, learning)) < 0.7 * error(inelastic(13, MODEL))


@pytest.mark.parametrize(
    ("f0", "ratio", "with_model", "without"), [(0.5, 0.65, 0.024, 0.026), (1.0, 0.51, 0.047, 0.065)]
)
def test_mr_damper(f0, ratio, with_model, without):  # C17
    omega = 2 * np.pi * f0
    frame = Linear(mass=WHOLE / omega**2, damping=2 * ZETA * WHOLE / omega, stiffness=WHOLE)
    damper = MrBingham(friction=39.8, damping=801.0, stiffness=2140.0, offset=1.49, force_scale=100)
    model = ModelBased(delay=2 * DT, interface_stiffness=damper.stiffness * damper.force_scale)
    test = earthquake(frame, model, specimen=damper)

    def short(scale):
        return np.abs(displacement(scaled(test.reference_test(), scale))).max() - 5.08e-3

    scale = brentq(short, 0.02, 0.2, xtol=1e-6)
    bare = replace(test, specimen=Spring(stiffness=0.0)).reference_test()
    peak = np.abs(displacement(scaled(bare, scale))).max()
    assert_allclose(5.08e-3 / peak, ratio, rtol=0.1)
    # the damper feels the velocity of the moment: the reference must be as fine as that
    exact = displacement(replace(scaled(test, scale).reference_test(), step=TICK))[
        :: round(DT / TICK)
    ]
    for compensator, published in ((model, with_model), (NONE, without)):
        x = displacement(replace(scaled(test, scale), compensator=compensator))
        assert_allclose(nrmse(exact, x, DT), published, rtol=0.1)
