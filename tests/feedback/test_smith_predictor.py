from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from rths.assembly.hybrid_test import HybridTest
from rths.compensator.forward_prediction import ForwardPrediction
from rths.compensator.none import NoCompensation
from rths.errors import InputError
from rths.excitation.free_vibration import FreeVibration
from rths.excitation.sine import Sine
from rths.feedback.direct import Direct
from rths.feedback.smith_predictor import SmithPredictor
from rths.integrator.central_difference import CentralDifference
from rths.specimen.bilinear import Bilinear
from rths.specimen.spring import Spring
from rths.specimen.spring_dashpot import SpringDashpot
from rths.structure.linear import Linear
from rths.transfer.dead_time import DeadTime
from rths.transfer.second_order import SecondOrder

H, TAU, K = 1e-3, 9.4e-3, 2250.0
LATE = {"kind": "dead_time", "delay": TAU}
SLOW = {"kind": "second_order", "frequency": 31.24, "damping": 0.765, "delay": 4.262e-3}


def rig(feedback, transfer=None, specimen=None, *, compensator=None, step=None, **changed):
    """The rig of wallace2005, pushed at 2 Hz."""
    fields = {
        "excitation": Sine(amplitude=30.0, frequency=2.0, acting="force"),
        "structure": Linear(mass=2.2, damping=15.0, stiffness=2250.0),
        "integrator": CentralDifference(),
        "compensator": compensator or NoCompensation(),
        "transfer": transfer or DeadTime(delay=TAU),
        "specimen": specimen or Spring(stiffness=K),
        "feedback": feedback,
        "tick": H,
        "step": step,
        "duration": 5.0,
        "record": ("integrator.target",),
    }
    return HybridTest(**(fields | changed))


def motion(test, engine="table"):
    record = np.full((test.clock.ticks, 1), np.nan)
    test.cycle(engine).advance(len(record), record)
    return record[:, 0]


def smith(transfer=LATE, **specimen):
    return SmithPredictor(
        transfer=transfer, specimen=specimen or {"kind": "spring", "stiffness": K}
    )


BILINEAR = {"kind": "bilinear", "stiffness": K, "yield_displacement": 3e-3, "hardening": 0.1}


@pytest.mark.parametrize(
    ("transfer", "specimen"),
    [
        (LATE, {"kind": "spring", "stiffness": K}),
        (SLOW, {"kind": "spring_dashpot", "stiffness": K, "damping": 20.0}),
        (LATE, BILINEAR),
        (LATE, {"kind": "spring", "stiffness": K / 12, "count": 6, "force_scale": 2.0}),
        (LATE, {"kind": "spring", "stiffness": 4 * K, "length_scale": 4.0}),
    ],
)
@pytest.mark.parametrize("step", [None, 5e-3])
def test_with_the_right_models_the_response_is_that_of_the_emulated_structure(
    transfer, specimen, step
):
    kinds = {"spring": Spring, "spring_dashpot": SpringDashpot, "bilinear": Bilinear}
    fields = {k: v for k, v in specimen.items() if k != "kind"}
    real = {"dead_time": DeadTime, "second_order": SecondOrder}[transfer["kind"]](
        **{k: v for k, v in transfer.items() if k != "kind"}
    )
    test = rig(smith(transfer, **specimen), real, kinds[specimen["kind"]](**fields), step=step)
    exact = motion(test.reference_test())
    assert_allclose(motion(test), exact, atol=1e-11 * np.abs(exact).max())
    uncompensated = rig(Direct(), real, kinds[specimen["kind"]](**fields), step=step)
    assert not np.abs(motion(uncompensated) - exact).max() < 0.05 * np.abs(exact).max()


def test_it_may_correct_what_a_compensator_has_left():
    half = ForwardPrediction(ahead=5e-3, order=2)
    test = rig(smith(), compensator=half)
    exact = motion(rig(Direct(), DeadTime(delay=0.0)))
    assert_allclose(motion(test), exact, atol=1e-11 * np.abs(exact).max())


def test_a_wrong_stiffness_costs_its_share_only():
    exact = motion(rig(Direct(), DeadTime(delay=0.0)))
    errors = []
    for share in (0.9, 0.95, 1.0):
        z = motion(rig(smith(LATE, kind="spring", stiffness=share * K)))
        errors.append(np.abs(z - exact).max() / np.abs(exact).max())
    assert_allclose(errors[0] / errors[1], 2.0, rtol=0.15)
    assert errors[0] < 0.1


def test_a_slow_motion_is_felt_as_measured_whatever_the_model():
    slow = Sine(amplitude=30.0, frequency=0.02, acting="force")
    wrong = smith(LATE, kind="spring", stiffness=0.3 * K)
    z = motion(rig(wrong, excitation=slow, duration=12.5))
    assert_allclose(z[-1], 30.0 / (2250.0 + K), rtol=2e-3)


@pytest.mark.parametrize(("share", "root"), [(1.0, -3.409), (0.5, None), (0.0, 1.2077)])
def test_growth_is_that_of_what_the_model_does_not_explain(share, root):
    # m s² + c s + k + k_hat + (k_s - k_hat) exp(-s tau) = 0
    k_hat = share * K

    def f(s):
        return 2.2 * s**2 + 15 * s + 2250 + k_hat + (K - k_hat) * np.exp(-s * TAU)

    s = -1 + 45j
    for _ in range(30):
        s -= f(s) * 1e-6 / (f(s + 1e-6) - f(s))
    if root is not None:
        assert_allclose(s.real, root, atol=1e-3)
    test = rig(
        smith(LATE, kind="spring", stiffness=k_hat),
        excitation=FreeVibration(displacement=0.01),
        tick=1e-4,
        duration=1.5,
    )
    z = motion(test)
    t = np.arange(z.size) * 1e-4
    late = t > 0.5
    basis = np.exp(s.real * t)[:, None] * np.column_stack([np.cos(s.imag * t), np.sin(s.imag * t)])
    left = np.linalg.lstsq(basis[late], z[late], rcond=None)[1][0]
    assert np.sqrt(left / np.sum(z[late] ** 2)) < 2e-3


def test_an_actuator_that_feels_its_specimen_and_a_table_without_a_kind_are_refused():
    limited = {"kind": "limited", "actuator": LATE, "velocity": 0.1}
    with pytest.raises(InputError, match=r"feedback\.transfer = 'limited'.*force of the specimen"):
        smith(limited)
    with pytest.raises(InputError, match=r"feedback\.specimen.*no kind"):
        SmithPredictor(transfer=LATE, specimen={"stiffness": 1.0})


@pytest.mark.parametrize("engine", ["table", "fused"])
def test_all_loops_agree_bit_for_bit(engine):
    test = rig(smith(SLOW, **BILINEAR), duration=0.5)
    assert_array_equal(motion(test, engine), motion(test, "interpreted"))
