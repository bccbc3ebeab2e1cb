from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.assembly.hybrid_test import HybridTest
from rths.compensator.none import NoCompensation
from rths.compensator.virtual_coupling import VirtualCoupling
from rths.errors import InputError
from rths.excitation.free_vibration import FreeVibration
from rths.excitation.sine import Sine
from rths.feedback.direct import Direct
from rths.integrator.central_difference import CentralDifference
from rths.loop.solo import respond
from rths.site import Site
from rths.specimen.spring import Spring
from rths.structure.linear import Linear
from rths.transfer.dead_time import DeadTime

H, TAU, KS = 1e-4, 9.4e-3, 2250.0


def rig(compensator, excitation=None, delay=TAU):
    """The rig of wallace2005."""
    return HybridTest(
        excitation=excitation or FreeVibration(),
        structure=Linear(mass=2.2, damping=15.0, stiffness=2250.0),
        integrator=CentralDifference(),
        compensator=compensator,
        transfer=DeadTime(delay=delay),
        specimen=Spring(stiffness=KS),
        feedback=Direct(),
        tick=H,
        duration=3.0,
        record=("integrator.target", "compensator.command", "feedback.force"),
    )


def test_a_constant_force_deforms_the_coupling_as_a_spring_and_a_dashpot_would():
    k, b, h = 5e3, 50.0, 1e-3
    block = VirtualCoupling(stiffness=k, damping=b).block(Site(tick=h, interval=h))
    rows = np.column_stack([np.full(60, 0.02), np.full(60, 30.0)])
    t = (np.arange(60) + 1) * h
    assert_allclose(
        0.02 - respond(block, rows)[:, 0], 30 / k * (1 - np.exp(-t * k / b)), rtol=1e-12
    )


def test_without_a_dashpot_the_command_yields_at_once():
    block = VirtualCoupling(stiffness=5e3, damping=0.0).block(Site(tick=H, interval=H))
    assert_allclose(respond(block, [[0.02, 30.0], [0.02, -10.0]])[:, 0], [0.014, 0.022])


def test_slow_motion_is_felt_through_specimen_and_coupling_in_series():
    k = 9 * KS
    push = Sine(amplitude=10.0, frequency=0.05, acting="force")
    test = rig(VirtualCoupling(stiffness=k, damping=200.0), push, delay=0.0)
    record = np.empty((test.clock.ticks, 3))
    test.cycle("table").advance(len(record), record)
    d, u, f = record[-1]
    assert_allclose(f / d, k * KS / (k + KS), rtol=2e-3)
    assert_allclose(u / d, k / (k + KS), rtol=2e-3)


@pytest.mark.parametrize(("k", "b"), [(2 * KS, 30.0), (4 * KS, 60.0), (20 * KS, 100.0)])
def test_roots_of_the_loop_are_those_of_the_series_stiffness(k, b, loop_roots):
    found = loop_roots(rig(VirtualCoupling(stiffness=k, damping=b)))[0]

    def f(s):  # the force is held for a tick, half a tick late on average
        specimen = KS * np.exp(-s * TAU)
        felt = specimen / (1 + specimen * np.exp(-s * H / 2) / (k + b * s))
        return 2.2 * s**2 + 15 * s + 2250 + felt

    s = complex(found.real, abs(found.imag))
    for _ in range(20):
        s -= f(s) * 1e-6 / (f(s + 1e-6) - f(s))
    assert_allclose([found.real, abs(found.imag)], [s.real, s.imag], atol=5e-3)


def test_it_stabilises_the_rig_that_is_lost_without_it_and_a_hard_coupling_does_not(loop_roots):
    assert loop_roots(rig(NoCompensation()))[0].real > 1.2
    assert loop_roots(rig(VirtualCoupling(stiffness=2 * KS, damping=30.0)))[0].real < 0
    assert loop_roots(rig(VirtualCoupling(stiffness=50 * KS, damping=30.0)))[0].real > 0


@pytest.mark.parametrize(
    ("k", "b"), [(0.5 * KS, 0.0), (2 * KS, 0.0), (0.2 * KS, 0.11), (0.2 * KS, 0.04)]
)
def test_the_tick_of_its_own_is_stable_to_the_stated_limit(k, b, loop_roots):
    E = np.exp(-k * H / b) if b else 0.0
    inside = KS / k < (1 + E) / (1 - E)
    radius = np.abs(np.exp(loop_roots(rig(VirtualCoupling(stiffness=k, damping=b), delay=0.0)) * H))
    assert (radius.max() < 1) == inside


def test_a_coupling_without_stiffness_is_refused():
    with pytest.raises(InputError, match=r"compensator\.stiffness"):
        VirtualCoupling(stiffness=0.0, damping=10.0)
