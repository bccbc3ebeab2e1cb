from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from rths.assembly.hybrid_test import HybridTest
from rths.compensator.explicit_newmark import ExplicitNewmark
from rths.excitation.free_vibration import FreeVibration
from rths.feedback.direct import Direct
from rths.integrator.central_difference import CentralDifference
from rths.loop.solo import respond
from rths.run.virtual import simulate
from rths.site import Site
from rths.specimen.spring import Spring
from rths.structure.linear import Linear
from rths.transfer.dead_time import DeadTime

DT = 0.01
SITE = Site(tick=DT, interval=DT, stage=DT)
T = np.arange(20) * DT


def predicted(p, delay, site=SITE):
    rows = np.column_stack([p(T), p.deriv()(T), p.deriv(2)(T)])
    return respond(ExplicitNewmark(delay=delay).block(site), rows)[:, 0]


@given(delay=st.floats(0, 0.05), c=st.lists(st.floats(-9, 9), min_size=3, max_size=3))
def test_a_constant_acceleration_is_predicted_from_the_boundary_before_the_target(delay, c):
    p = np.polynomial.Polynomial(c)
    assert_allclose(predicted(p, delay), p(T + DT + delay), atol=1e-10)


def test_a_changing_acceleration_is_not():
    p = np.polynomial.Polynomial([0, 0, 0, 1.0])
    assert_allclose(predicted(p, DT) - p(T + 2 * DT), -((2 * DT) ** 3), rtol=1e-6)


def test_the_boundary_lies_a_stage_before_the_target_however_seldom_it_is_called():
    p = np.polynomial.Polynomial([1.0, 2.0, 3.0])
    rare = Site(tick=DT, interval=2 * DT, stage=DT)
    assert_allclose(predicted(p, DT, rare), predicted(p, DT))


def test_a_start_away_from_zero_does_not_make_the_command_jump():
    test = HybridTest(
        excitation=FreeVibration(displacement=(0.02,)),
        structure=Linear(mass=1.0, damping=1.0, stiffness=100.0),
        integrator=CentralDifference(),
        compensator=ExplicitNewmark(delay=DT),
        transfer=DeadTime(delay=DT),
        specimen=Spring(stiffness=10.0),
        feedback=Direct(),
        tick=DT,
        duration=0.1,
    )
    assert_allclose(simulate(test)["compensator.command"][0], 0.02, rtol=1e-12)
