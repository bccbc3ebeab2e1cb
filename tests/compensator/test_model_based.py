"""Model-based prediction: exact where theory says so, then C8, C9 (its column) and what fails."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.assembly.hybrid_test import HybridTest
from rths.compensator.model_based import ModelBased, prediction_rows
from rths.compensator.none import NoCompensation
from rths.compensator.polynomial import Polynomial
from rths.equation import EquationOfMotion
from rths.errors import InputError
from rths.excitation.free_vibration import FreeVibration
from rths.excitation.ground_motion import GroundMotion
from rths.feedback.direct import Direct
from rths.integrator.central_difference import CentralDifference
from rths.run.virtual import simulate
from rths.specimen.spring import Spring
from rths.structure.linear import Linear
from rths.structure.published import Published
from rths.transfer.dead_time import DeadTime
from rths.transfer.second_order import SecondOrder

DT, PHYSICAL = 0.0062, 3.61e6
MODEL = ModelBased(delay=2 * DT, interface_stiffness=PHYSICAL)
ACTUATOR = SecondOrder(frequency=31.240, damping=0.76499, delay=4.2621e-3)  # C7


def frame(f0, compensator, **given):
    values = {
        "excitation": GroundMotion(start=6 * DT),
        "structure": Published(name="carrion2006", frequency=f0),
        "integrator": CentralDifference(),
        "compensator": compensator,
        "transfer": DeadTime(delay=2 * DT),
        "specimen": Spring(stiffness=PHYSICAL),
        "feedback": Direct(),
        "tick": DT,
        "step": DT,
        "duration": 2000 * DT,
        "record": ("structure.displacement",),
    }
    return HybridTest(**values | given)


def displacement(test):
    return simulate(test)["structure.displacement"]


@pytest.mark.parametrize("ticks", [1, 2, 62])
def test_a_linear_test_is_reproduced_exactly(ticks):  # C8
    test = frame(10.0, MODEL, tick=DT / ticks)
    exact = displacement(test.reference_test())
    assert np.abs(displacement(test) - exact).max() <= 1e-12 * np.abs(exact).max()


def test_so_is_a_test_with_three_masses_and_two_actuators():
    k = ((4e6, -2e6, 0.0), (-2e6, 4e6, -2e6), (0.0, -2e6, 2e6))
    structure = Linear(
        mass=np.eye(3) * 3e3, damping=np.array(k) * 1e-3, stiffness=k, interface=(0, 2)
    )
    model = ModelBased(delay=3 * DT, interface_stiffness=((1e6, 0.0), (0.0, 5e5)))
    springs = (Spring(stiffness=1e6), Spring(stiffness=5e5))
    test = frame(1.0, model, structure=structure, specimen=springs, transfer=DeadTime(delay=3 * DT))
    exact = displacement(test.reference_test())
    assert np.abs(displacement(test) - exact).max() <= 1e-12 * np.abs(exact).max()


def test_without_quiet_first_steps_the_start_leaves_an_error():  # C8, note
    test = frame(10.0, MODEL, excitation=GroundMotion(start=0.0))
    exact = displacement(test.reference_test())
    error = np.abs(displacement(test) - exact).max() / np.abs(exact).max()
    assert 1e-6 < error < 1e-2


def test_between_whole_steps_the_error_falls_with_the_cube_of_the_step():
    def miss(dt):  # of x(t + 1.5 dt) for a free oscillation at 2 rad/s
        e = EquationOfMotion(
            *(np.array([[v]]) for v in (1.0, 0.0, 4.0)),
            L=np.eye(1),
            B=np.zeros((1, 0)),
            displacement=np.zeros(1),
            velocity=np.zeros(1),
        )
        W = prediction_rows(e, e.K, dt, 1.5 * dt)
        known = np.array([np.cos(2 * dt + 0.7), np.cos(0.7), 0.0])  # x_i+1, x_i, f_i = 0
        return abs((W @ known).item() - np.cos(5 * dt + 0.7))

    slopes = np.diff(np.log([miss(0.02), miss(0.01), miss(0.005)])) / np.log(0.5)
    assert_allclose(slopes, 3, atol=0.1)  # the parabola's remainder; central differences add dt^4


def stable(f0, compensator, **given):
    """Tell whether the free decay from 1 mm is smaller in the last quarter than in the third."""
    test = frame(f0, compensator, excitation=FreeVibration(displacement=(1e-3,)), **given)
    x = np.abs(displacement(test)[:, 0])
    if not np.isfinite(x).all() or len(x) < 2000:
        return False
    return x[1500:].max() < max(x[1000:1500].max(), 1e-12)


HIGH = (3.0, 6.5, 10.0, 13.0, 15.0, 20.0, 25.0, 30.0)


@pytest.mark.parametrize("transfer", [DeadTime(delay=2 * DT), ACTUATOR], ids=["dead time", "C7"])
def test_it_is_stable_at_any_frequency(transfer):  # C9, model-based column
    tick = DT if isinstance(transfer, DeadTime) else DT / 62
    assert all(stable(f, MODEL, transfer=transfer, tick=tick) for f in HIGH)


def test_a_held_command_costs_it_its_stability_from_6_5_hz():  # C9
    held = {"transfer": ACTUATOR, "tick": DT / 62, "ramp": "hold"}
    assert stable(6.0, MODEL, **held)
    assert not stable(6.5, MODEL, **held)


@pytest.mark.parametrize(
    ("compensator", "limits"),
    [
        (NoCompensation(), (1.5, 1.6, 0.1)),
        (Polynomial(delay=2 * DT, order=3), (13.0, 14.0, 0.5)),
        (Polynomial(delay=2 * DT, order=3, spacing=DT), (12.5, 19.0, 0.5)),
    ],
    ids=["none", "cubic", "cubic, one step"],
)
def test_the_others_are_lost_at_the_published_frequency(compensator, limits):  # C9
    *firsts, grid = limits
    for first, transfer, tick in zip(
        firsts, (DeadTime(delay=2 * DT), ACTUATOR), (DT, DT / 62), strict=True
    ):
        assert stable(first - grid, compensator, transfer=transfer, tick=tick)
        assert not stable(first, compensator, transfer=transfer, tick=tick)


def test_a_start_away_from_zero_does_not_make_the_command_jump():
    for ticks in (1, 4):
        test = frame(
            2.0, MODEL, excitation=FreeVibration(displacement=(1e-3,)), tick=DT / ticks, duration=DT
        )
        command = simulate(test.with_values({"record": ("compensator.command",)}))
        assert_allclose(command["compensator.command"][0], 1e-3, rtol=1e-12)


def test_a_stiffness_matrix_of_the_wrong_size_is_named():
    with pytest.raises(InputError, match=r"interface_stiffness.*1 actuator"):
        frame(2.0, ModelBased(delay=DT, interface_stiffness=((1.0, 0.0), (0.0, 1.0))))
