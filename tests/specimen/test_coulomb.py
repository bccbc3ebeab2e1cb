from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from rths.assembly.hybrid_test import HybridTest
from rths.compensator.none import NoCompensation
from rths.excitation.free_vibration import FreeVibration
from rths.feedback.direct import Direct
from rths.integrator.central_difference import CentralDifference
from rths.loop.solo import respond
from rths.site import Site
from rths.specimen.coulomb import Coulomb
from rths.structure.linear import Linear
from rths.transfer.dead_time import DeadTime

F, D = 50.0, 1e-5


def force(x, slip=D):
    return respond(Coulomb(friction=F, slip_displacement=slip).block(Site(1.0, 1.0)), x)[:, 0]


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=30))
def test_the_force_never_exceeds_friction(x):
    assert np.all(np.abs(force(x)) <= F)


def test_it_sticks_with_the_force_it_has():
    f = force([0.0, 1e-3, 1e-3 - 0.5 * D, 1e-3 - 0.5 * D])
    assert_allclose(f, [0, F, F / 2, F / 2], rtol=1e-9)


def test_a_cycle_dissipates_four_times_friction_times_slip():
    A = 1e-3
    x = np.concatenate([np.linspace(0, A, 51), np.linspace(A, -A, 101), np.linspace(-A, A, 101)])
    assert_allclose(np.trapezoid(force(x)[50:], x[50:]), 4 * F * (A - D), rtol=1e-9)


@pytest.mark.parametrize("slip", [1e-4, 1e-5, 1e-6])
def test_sliding_back_and_forth_differs_from_the_sign_of_velocity_only_within_the_stick(slip):
    x = 1e-2 * np.sin(np.linspace(0, 4 * np.pi, 100001))
    v = np.diff(x, prepend=x[0])
    wrong = force(x, slip) != F * np.sign(v)
    # after each of the four reversals it sticks over 2 slip, at the start over 1
    assert np.abs(np.diff(x, prepend=0.0))[wrong].sum() < 9.5 * slip + 1e-6


def test_a_free_mass_loses_the_same_velocity_each_second_and_then_stays():
    """Under friction alone a mass stops after m v_0/f_c, having moved m v_0²/2 f_c."""
    m, v_0 = 10.0, 0.05
    test = HybridTest(
        excitation=FreeVibration(velocity=v_0),
        structure=Linear(mass=m, damping=0.0, stiffness=0.0),
        integrator=CentralDifference(),
        compensator=NoCompensation(),
        transfer=DeadTime(delay=0.0),
        specimen=Coulomb(friction=F, slip_displacement=D),
        feedback=Direct(),
        tick=1e-5,
        duration=0.05,
        record=("integrator.target", "feedback.force"),
    )
    rows = np.empty((test.clock.ticks, 2))
    test.cycle().advance(len(rows), rows)
    x, f = rows.T
    stop = m * v_0 / F
    assert_allclose(x[-1], m * v_0**2 / 2 / F, atol=2 * D)
    k = int(0.9 * stop / 1e-5)
    assert f[k] == F
    # then it rocks on the stick spring, which gives back at most what it stores
    late = x[int(1.2 * stop / 1e-5) :]
    assert np.ptp(late) <= 2 * D * (1 + 1e-6)


@pytest.mark.parametrize("engine", ["interpreted", "fused"])
def test_all_loops_agree_to_the_last_bit(engine):
    x = np.cumsum(np.random.default_rng(3).normal(size=300)) * D
    block = Coulomb(friction=F, slip_displacement=D).block(Site(1.0, 1.0))
    assert np.array_equal(respond(block, x, engine), respond(block, x, "table"))
