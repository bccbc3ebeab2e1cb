from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.assembly.hybrid_test import HybridTest
from rths.compensator.derivative_feedforward import DerivativeFeedforward
from rths.compensator.none import NoCompensation
from rths.excitation.free_vibration import FreeVibration
from rths.excitation.sine import Sine
from rths.feedback.direct import Direct
from rths.integrator.central_difference import CentralDifference
from rths.integrator.explicit_newmark import ExplicitNewmark
from rths.loop.solo import respond
from rths.site import Site
from rths.specimen.spring import Spring
from rths.structure.linear import Linear
from rths.transfer.dead_time import DeadTime
from rths.transfer.first_order import FirstOrder

TAU = 9.4e-3
SIGNALS = ("integrator.target", "compensator.command", "transfer.displacement")


def rig(compensator, transfer, h, excitation=None, integrator=None, step=None):
    """The rig of wallace2005."""
    return HybridTest(
        excitation=excitation or Sine(amplitude=0.01, frequency=1.5, acting="support_displacement"),
        structure=Linear(mass=2.2, damping=15.0, stiffness=2250.0),
        integrator=integrator or ExplicitNewmark(),
        compensator=compensator,
        transfer=transfer,
        specimen=Spring(stiffness=2250.0),
        feedback=Direct(),
        tick=h,
        step=step,
        duration=4.0,
        record=SIGNALS,
    )


def run(test):
    record = np.full((test.clock.ticks, 3), np.nan)
    test.cycle("table").advance(len(record), record)
    return record.T


def test_the_command_is_target_plus_delay_times_velocity():
    block = DerivativeFeedforward(delay=0.02).block(Site(tick=1e-3, interval=1e-3))
    assert_allclose(respond(block, [[0.1, 3.0], [0.1, -1.0]])[:, 0], [0.16, 0.08])


def test_the_velocity_is_that_of_the_targets_time():
    h = 1e-3
    d, u, _ = run(rig(DerivativeFeedforward(delay=TAU), DeadTime(delay=TAU), h))
    centred = (d[2:] - d[:-2]) / (2 * h)
    wanted = (u - d)[1:-1] / TAU
    # a velocity of another tick would be off by h times the acceleration, 0.6 m/s² here
    assert np.abs(wanted - centred)[500:].max() < 0.1 * h * 0.6


def test_a_first_order_actuator_is_undone_to_second_order_in_the_tick():
    sizes, errors = np.array([2e-3, 1e-3, 0.5e-3]), []
    for h in sizes:
        transfer = FirstOrder(time_constant=TAU)
        d, _, x = run(rig(DerivativeFeedforward(delay=TAU), transfer, h))
        errors.append(np.abs(x - d)[len(d) // 2 :].max() / np.abs(d).max())
    assert errors[1] < 2e-4
    assert 1.8 < np.polyfit(np.log(sizes), np.log(errors), 1)[0] < 2.2


def test_behind_a_dead_time_gain_and_lag_are_those_of_the_docstring():
    h, w = 1e-4, 2 * np.pi * 1.5
    d, _, x = run(rig(DerivativeFeedforward(delay=TAU), DeadTime(delay=TAU), h))
    angle = w * np.arange(d.size) * h
    basis = np.column_stack([np.sin(angle), np.cos(angle)])[-20_000:]
    D, X = (complex(*np.linalg.lstsq(basis, s[-20_000:], rcond=None)[0]) for s in (d, x))
    assert_allclose(X / D, (1 + 1j * w * TAU) * np.exp(-1j * w * TAU), atol=1e-5)
    assert_allclose(abs(X / D), 1 + (w * TAU) ** 2 / 2, atol=1e-4)
    assert_allclose(-np.angle(X / D) / w, w**2 * TAU**3 / 3, rtol=0.01)


@pytest.mark.parametrize(("delay", "stable"), [(0.0, False), (2.5e-3, False), (TAU, True)])
def test_it_stabilises_the_rig_as_the_characteristic_equation_says(delay, stable, loop_roots):
    still = FreeVibration()
    test = rig(DerivativeFeedforward(delay=delay), DeadTime(delay=TAU), 1e-4, still)
    found = loop_roots(test)[0]

    def f(s):  # m s² + c s + k + k_s (1 + s tau_c) exp(-s tau) = 0
        return 2.2 * s**2 + 15 * s + 2250 + 2250 * (1 + s * delay) * np.exp(-s * TAU)

    s = complex(found.real, abs(found.imag))
    for _ in range(20):
        s -= f(s) * 1e-6 / (f(s + 1e-6) - f(s))
    assert_allclose([found.real, abs(found.imag)], [s.real, s.imag], atol=2e-2)
    assert (found.real < 0) == stable


def test_with_a_ramp_and_another_integrator_it_still_beats_no_compensation():
    for integrator in (ExplicitNewmark(), CentralDifference()):
        transfer = FirstOrder(time_constant=5e-3)
        with_it, without = (
            run(rig(c, transfer, 1e-3, integrator=integrator, step=5e-3))
            for c in (DerivativeFeedforward(delay=5e-3), NoCompensation())
        )
        lag = [np.abs(x - d)[2000:].max() for d, _, x in (with_it, without)]
        assert lag[0] < 0.2 * lag[1]
