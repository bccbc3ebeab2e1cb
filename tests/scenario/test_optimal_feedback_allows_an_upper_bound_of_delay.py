"""Upper-bound delay with optimal feedback in the loop, with LSRT2: U11 to U15, U19, U20."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.assembly.hybrid_test import HybridTest
from rths.compensator.hermite import Hermite
from rths.compensator.none import NoCompensation
from rths.compensator.upper_bound_delay import UpperBoundDelay
from rths.excitation.free_vibration import FreeVibration
from rths.excitation.ground_motion import GroundMotion
from rths.excitation.sine import Sine
from rths.feedback.chain import Chain
from rths.feedback.direct import Direct
from rths.feedback.optimal import Optimal
from rths.integrator.central_difference import CentralDifference
from rths.integrator.lsrt2 import Lsrt2
from rths.metrics.nrmse import nrmse
from rths.run.virtual import simulate
from rths.specimen.bilinear import Bilinear
from rths.specimen.mr_bingham import MrBingham
from rths.specimen.spring import Spring
from rths.structure.linear import Linear
from rths.structure.published import Published
from rths.transfer.dead_time import DeadTime
from rths.transfer.first_order import FirstOrder

DT, K = 0.01, 200.0
DIRECT = Direct()


def upper_bound(delay, order):
    return UpperBoundDelay(delay=delay, predictor={"kind": "hermite", "order": order})


def optimal(estimate):
    """Optimal feedback; while its window reaches back before the first prediction, exact force."""
    start = {"kind": "substructuring_ratio", "change": "ramp", "ramp_start": 3.25 * DT}
    links = ({"kind": "optimal", "window": DT}, {**start, "estimate": estimate})
    return Chain(links=links)


def loop(compensator, feedback, **given):
    values = {
        "excitation": FreeVibration(displacement=(0.01,)),
        "structure": Linear(mass=1.0, damping=0.0, stiffness=K),
        "integrator": Lsrt2(interface_stiffness=K),
        "compensator": compensator,
        "transfer": DeadTime(delay=DT),
        "specimen": Spring(stiffness=K),
        "feedback": feedback,
        "tick": DT / 2,
        "step": DT,
        "duration": 20.0,
    }
    return HybridTest(**values | given)


def counts(record, points):
    J = record["feedback.solutions"][:points, 0].copy()
    J[:7] = 0  # t = 0, dt/2, ... 3 dt: start-up
    return [int(np.sum(J == 0)), int(np.sum(J == 1)), int(np.sum(J >= 2))]


def amplitude(record):
    return np.abs(record["integrator.target"][-70:, 0]).max()  # one period and more


LINEAR = {
    2: ([35, 3922, 43], 0.009882, 0.00869),  # U11, U13
    3: ([32, 3875, 93], 0.009879, 0.01666),  # U12, U13
}


@pytest.mark.parametrize("order", LINEAR)
def test_linear_free_vibration(order):
    solutions, over, conventional = LINEAR[order]
    spring = {"kind": "spring", "stiffness": K}
    record = simulate(loop(upper_bound(1.5 * DT, order), optimal(spring)))
    assert counts(record, 4000) == solutions
    assert_allclose(amplitude(record), over, rtol=0.005)
    plain = simulate(loop(Hermite(delay=DT, order=order), DIRECT))
    assert_allclose(amplitude(plain), conventional, rtol=0.005)


def test_what_the_overcompensated_loop_reproduces_is_lsrt2_without_delay():  # U13
    ideal = simulate(loop(NoCompensation(), DIRECT, transfer=DeadTime(delay=0.0)))
    assert_allclose(amplitude(ideal), 0.009884, rtol=0.005)


YIELDING = {"kind": "bilinear", "stiffness": 44.41, "yield_displacement": 0.025, "hardening": 0.115}
HYSTERETIC = {
    "excitation": GroundMotion(scale=0.13 / 0.31882),
    "structure": Linear(mass=1.0, damping=0.0, stiffness=44.41),
    "integrator": Lsrt2(interface_stiffness=44.41),
    "specimen": Bilinear(**{k: v for k, v in YIELDING.items() if k != "kind"}),
    "duration": 10.0,
}


@pytest.mark.parametrize(("order", "expected"), [(3, [44, 1947, 9]), (2, [28, 1959, 13])])
def test_hysteretic_counts(order, expected):  # U14
    record = simulate(loop(upper_bound(1.5 * DT, order), optimal(YIELDING), **HYSTERETIC))
    assert_allclose(counts(record, 2000), expected, atol=3)


def test_hysteretic_response():  # U15
    fine = HYSTERETIC | {"integrator": CentralDifference(), "tick": 1e-3, "step": 1e-3}
    ideal = simulate(loop(NoCompensation(), DIRECT, **fine | {"transfer": DeadTime(delay=0.0)}))
    exact = ideal["integrator.target"][::10, 0]

    def against(compensator, feedback):
        x = simulate(loop(compensator, feedback, **HYSTERETIC))["integrator.target"][::2, 0]
        return np.abs(x).max(), nrmse(exact, x, DT)

    assert_allclose(np.abs(exact).max(), 36.95e-3, rtol=0.05)
    assert_allclose(
        against(upper_bound(1.5 * DT, 3), optimal(YIELDING)), [36.96e-3, 0.0123], rtol=0.05
    )
    assert_allclose(against(Hermite(delay=DT, order=3), DIRECT), [36.82e-3, 0.0227], rtol=0.05)


H = 1 / 1024
RIG = {"transfer": FirstOrder(time_constant=0.0166), "tick": H, "step": 10 * H}
NEAREST = Optimal(window=12 * H, search="sampled")


def spread(compensator, feedback, **given):
    """Standard deviation of what the fed back force belongs to, less the target, mm."""
    record = simulate(loop(compensator, feedback, **RIG | given))
    reached = "feedback.matched_displacement" if feedback is NEAREST else "transfer.displacement"
    return 1e3 * (record[reached][:, 0] - record["integrator.target"][:, 0]).std()


def clamped(friction):
    return MrBingham(friction=friction, damping=0.0, stiffness=40e3)


@pytest.mark.parametrize(
    ("friction", "published"),
    [(50.0, [0.0476, 0.0767, 0.0216]), (0.0, [0.0601, 0.1175, 0.0259])],
)
def test_one_mass_conventional_under_and_over(friction, published):  # U19
    given = {
        "excitation": Sine(acting="force", amplitude=300.0, frequency=1.3),
        "structure": Published(name="wu2013_sdof"),
        "integrator": Lsrt2(interface_stiffness=40e3),
        "specimen": clamped(friction),
    }
    conventional = spread(upper_bound(0.0166, 3), DIRECT, **given)
    under = spread(upper_bound(0.015, 3), DIRECT, **given)
    over = spread(upper_bound(0.020, 3), NEAREST, **given)
    assert under > 1.5 * conventional > 3 * over
    assert_allclose([conventional, under, over], published, rtol=0.1)


@pytest.mark.parametrize(
    ("friction", "published"), [(0.0, [0.0701, 0.0286]), (50.0, [0.0542, 0.0219])]
)
def test_five_masses_conventional_and_over(friction, published):  # U20
    given = {
        "excitation": Sine(acting="force", dof=4, amplitude=1000.0, frequency=1.5),
        "structure": Published(name="wu2013_five_dof"),
        "integrator": Lsrt2(interface_stiffness=40e3),
        "specimen": clamped(friction),
    }
    conventional = spread(upper_bound(0.0166, 2), DIRECT, **given)
    over = spread(upper_bound(0.020, 2), NEAREST, **given)
    assert_allclose([conventional, over], published, rtol=0.1)
    assert_allclose(over / conventional, 0.41, rtol=0.1)
