"""The Wallace rig: the loop itself loses stability where the delay equation says so.

Numbers W1, W2, W4 and W12: m = 2.2 kg, k = ks = 2250 N/m, c = 15 N s/m.
"""

from __future__ import annotations

import pytest
from scipy.optimize import brentq

from rths.theory.scalar.equation import non_dimensional
from rths.theory.scalar.hopf import critical_delay, hopf_points
from rths.theory.scalar.lobes import perturbation_delay

EQUATION, OMEGA = non_dimensional(2.2, 15.0, 2250.0, 2250.0)
CRITICAL = 6.7695498e-3


@pytest.fixture(scope="module")
def rig(released, make):
    structure = make("structure", "linear", mass=2.2, damping=15.0, stiffness=2250.0)

    def with_delay(delay, tick=1e-4, integrator="central_difference"):
        return released(
            structure,
            2250.0,
            0.01,
            integrator=make("integrator", integrator),
            transfer=make("transfer", "dead_time", delay=delay),
            tick=tick,
            duration=3.0,
        )

    return with_delay


def test_w1_critical_delay_of_the_perturbation():
    assert perturbation_delay(15.0, 2250.0) == pytest.approx(15.0 / 2250.0, rel=1e-9)
    assert perturbation_delay(15.0, 2250.0) * OMEGA == pytest.approx(0.21320, abs=5e-6)


def test_w2_first_hopf_point():
    first = hopf_points(EQUATION, 1.0)[0]
    assert first.delay == pytest.approx(0.21649093, rel=1e-7)
    assert first.frequency == pytest.approx(1.3980506, rel=1e-7)
    assert critical_delay(EQUATION) / OMEGA == pytest.approx(CRITICAL, rel=1e-7)


@pytest.mark.parametrize("integrator", ["central_difference", "explicit_newmark"])
def test_w2_loop_decays_below_the_critical_delay_and_grows_above(rig, rate, integrator):
    below, above = (rig(d, integrator=integrator) for d in (6.76e-3, 6.78e-3))
    assert rate(below, 0.3) < 0 < rate(above, 0.3)


def test_w2_loop_has_the_critical_delay_to_second_order_in_the_tick(rig, rate):
    """Whole ticks cannot meet it; linear interpolation costs as much as the integrator, h²."""
    errors = []
    for tick in (4e-4, 2e-4, 1e-4):
        found = brentq(lambda d, h=tick: rate(rig(d, h), 0.3), 6.5e-3, 7e-3, xtol=1e-12)
        errors.append(abs(found - CRITICAL))
    assert errors[-1] < 1e-8
    assert errors[0] > 3 * errors[1] > 9 * errors[2]


@pytest.mark.parametrize(
    ("delay", "root"),
    [(0.0, -3.4091), (0.5e-3, -3.1530), (5e-3, -0.8628), (9.4e-3, 1.2077), (20e-3, 4.8511)],
)
def test_w4_w12_loop_grows_at_the_rate_of_the_rightmost_root(rig, rate, delay, root):
    assert rate(rig(delay), 0.3) == pytest.approx(root, abs=1e-3)


def test_w12_free_response_from_a_constant_history_grows(rig, rate):
    assert rate(rig(9.4e-3)) == pytest.approx(1.2077, abs=1e-3)
