"""How a signal drives the structure: by the ground, by a force, by its supports."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.assembly.hybrid_test import HybridTest
from rths.compensator.none import NoCompensation
from rths.errors import InputError
from rths.excitation.sine import Sine
from rths.feedback.direct import Direct
from rths.integrator.central_difference import CentralDifference
from rths.specimen.spring import Spring
from rths.structure.linear import Linear
from rths.transfer.dead_time import DeadTime

M, C, K, KS, TICK = 2.2, 15.0, 2250.0, 2250.0, 2.5e-4  # W0
ONE = Linear(mass=M, damping=C, stiffness=K)


def driven(excitation, structure=ONE):
    return HybridTest(
        excitation=excitation,
        structure=structure,
        integrator=CentralDifference(),
        compensator=NoCompensation(),
        transfer=DeadTime(delay=0.0),
        specimen=Spring(stiffness=KS),
        feedback=Direct(),
        tick=TICK,
        duration=12.0,
        record=("structure.displacement",),
    )


def steady(test, frequency):
    """Complex amplitude of the last two seconds: response = Im(Z exp(i w t))."""
    rows = np.empty((test.clock.ticks, test.equation.size))
    assert test.cycle().advance(len(rows), rows) == len(rows)
    last = slice(-round(2.0 / TICK), None)
    angle = 2 * np.pi * frequency * TICK * np.arange(len(rows))[last]
    basis = np.column_stack([np.sin(angle), np.cos(angle)])
    a, b = np.linalg.lstsq(basis, rows[last], rcond=None)[0]
    return a + 1j * b


@pytest.mark.parametrize("frequency", [1.5, 4.0, 7.5])
def test_a_moving_wall_gives_the_exact_amplitude_and_phase(frequency):  # W14, emulated
    w = 2 * np.pi * frequency
    wall = Sine(amplitude=2e-3, frequency=frequency, acting="support_displacement")
    exact = 2e-3 * (K + 1j * w * C) / (K + KS - M * w**2 + 1j * w * C)
    # central differences stretch the period by (w_0 h)²/24 and the load is exact
    assert_allclose(steady(driven(wall), frequency), [exact], rtol=1e-4)


def test_the_wall_without_its_velocity_would_be_wrong():
    w = 2 * np.pi * 1.5
    with_velocity = (K + 1j * w * C) / (K + KS - M * w**2 + 1j * w * C)
    without = K / (K + KS - M * w**2 + 1j * w * C)
    assert abs(with_velocity / without - 1) > 0.05  # the test above would see it


def test_a_force_gives_the_exact_amplitude_and_phase():
    w = 2 * np.pi * 1.5
    push = Sine(amplitude=3.0, frequency=1.5, acting="force")
    exact = 3.0 / (K + KS - M * w**2 + 1j * w * C)
    assert_allclose(steady(driven(push), 1.5), [exact], rtol=1e-4)


def test_the_ground_gives_the_exact_amplitude_and_phase():
    w = 2 * np.pi * 1.5
    exact = -M * 3.0 / (K + KS - M * w**2 + 1j * w * C)
    assert_allclose(steady(driven(Sine(amplitude=3.0, frequency=1.5)), 1.5), [exact], rtol=1e-4)


TWO = Linear(
    mass=((2.0, 0.0), (0.0, 1.0)),
    damping=((20.0, -5.0), (-5.0, 5.0)),
    stiffness=((3000.0, -1000.0), (-1000.0, 1000.0)),
    interface=(1,),
)


def dynamic_stiffness(w):
    m, c, k = TWO.matrices()
    return k + np.diag([0.0, KS]) + 1j * w * c - w**2 * m


def test_supports_of_two_degrees_of_freedom_act_by_the_columns_of_the_matrices():
    w = 2 * np.pi * 1.5
    wall = Sine(amplitude=1e-3, frequency=1.5, acting="support_displacement")
    load = np.array([3000.0 - 1000.0, 0.0]) + 1j * w * np.array([15.0, 0.0])
    exact = 1e-3 * np.linalg.solve(dynamic_stiffness(w), load)
    assert_allclose(steady(driven(wall, TWO), 1.5), exact, rtol=1e-4)


@pytest.mark.parametrize("dof", [0, 1])
def test_a_force_acts_on_its_degree_of_freedom(dof):
    w = 2 * np.pi * 1.5
    push = Sine(amplitude=3.0, frequency=1.5, acting="force", dof=dof)
    exact = np.linalg.solve(dynamic_stiffness(w), 3.0 * np.eye(2)[dof])
    assert_allclose(steady(driven(push, TWO), 1.5), exact, rtol=1e-4)


def test_a_force_on_a_degree_of_freedom_that_does_not_exist_is_refused():
    with pytest.raises(InputError, match=r"excitation.dof = 2.*0 to 1"):
        driven(Sine(amplitude=1.0, frequency=1.0, acting="force", dof=2), TWO)
