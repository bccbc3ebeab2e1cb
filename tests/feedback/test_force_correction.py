from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from rths.assembly.hybrid_test import HybridTest
from rths.compensator.none import NoCompensation
from rths.errors import InputError
from rths.excitation.free_vibration import FreeVibration
from rths.feedback.direct import Direct
from rths.feedback.force_correction import ForceCorrection, weights
from rths.integrator.central_difference import CentralDifference
from rths.loop.solo import respond
from rths.metrics.growth_rate import growth_rate
from rths.run.virtual import simulate
from rths.site import Site
from rths.specimen.spring import Spring
from rths.structure.published import Published
from rths.transfer.dead_time import DeadTime

H = 1e-3
SITE = Site(H, H)
T = np.arange(60) * H


@given(
    order=st.integers(0, 3),
    delay=st.floats(-0.005, 0.01),
    c=st.lists(st.floats(-9, 9), min_size=4, max_size=4),
)
def test_a_polynomial_force_of_its_order_is_corrected_exactly(order, delay, c):
    p = np.polynomial.Polynomial(c[: order + 1])
    block = ForceCorrection(delay=delay, span=0.01, order=order).block(SITE)
    assert_allclose(respond(block, p(T))[11:, 0], p(T + delay)[11:], atol=1e-8)


def test_the_weights_sum_to_one_and_reach_as_far_as_the_delay():
    w = weights(4.5, 12, 2)
    assert_allclose([w.sum(), w @ np.arange(12)], [1, -4.5], rtol=1e-10)


def test_a_longer_fit_lets_less_noise_through():
    short, long = weights(4.0, 5, 2), weights(4.0, 30, 2)
    assert np.sum(long**2) < 0.2 * np.sum(short**2)


def test_a_specimen_that_stands_is_left_alone():
    assert_allclose(respond(ForceCorrection(delay=0.005, span=0.01).block(SITE), [7.0] * 5), 7.0)


def loop(feedback):
    return HybridTest(
        excitation=FreeVibration(displacement=(0.01,)),
        structure=Published(name="wallace2005"),
        integrator=CentralDifference(),
        compensator=NoCompensation(),
        transfer=DeadTime(delay=9.4e-3),
        specimen=Spring(stiffness=2250.0),
        feedback=feedback,
        tick=1e-4,
        duration=3.0,
        record=("integrator.target",),
    )


def test_a_loop_that_its_delay_makes_unstable_decays_as_without_delay():
    """Wallace's rig: root 1.21 +- 44i 1/s with 9.4 ms of delay, -3.41 +- 45i without."""

    def growth(feedback):
        return growth_rate(simulate(loop(feedback))["integrator.target"][:, 0], 1e-4).rate

    assert growth(Direct()) > 1.0
    corrected = growth(ForceCorrection(delay=9.4e-3, span=0.03, order=3))
    assert_allclose(corrected, -3.41, atol=0.5)


def test_a_span_too_short_for_its_order_is_refused():
    with pytest.raises(InputError, match=r"span.*too few"):
        ForceCorrection(delay=0.005, span=H, order=2).block(SITE)
