import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.theory.scalar.friction_cycle import friction_cycle, shared_friction_peak
from rths.theory.scalar.shared_damper import simulate_shared


def late_peak(ratio, strength=2.0, power=0.0, last=0.2, **settings):
    run = simulate_shared(ratio, strength, 0.224, damping_ratio=0.03, power=power, **settings)
    return np.abs(run.velocity[int((1 - last) * run.velocity.size) :]).max()


@pytest.mark.parametrize("ratio", [0.0, 0.25, 0.5])
def test_l18_friction_is_still_up_to_one_half(ratio):
    assert late_peak(ratio) == 0.0


@pytest.mark.parametrize(("ratio", "peak"), [(0.6, 0.090), (0.75, 0.225), (1.0, 0.453)])
def test_l18_friction_oscillates_above_one_half(ratio, peak):
    found = late_peak(ratio)
    assert_allclose(found, peak, rtol=0.03)
    assert_allclose(found, shared_friction_peak(2.0, 0.224, ratio), rtol=0.03)


def test_l18_fully_measured_it_is_the_closed_form_cycle():
    assert_allclose(late_peak(1.0), friction_cycle(0.03, 2.0, 0.224).x2, rtol=2e-3)


@pytest.mark.parametrize("ratio", [0.25, 0.5])
def test_l18_power_law_is_quiet_up_to_one_half(ratio):
    assert late_peak(ratio, 2.0338, 0.15) <= 0.002


@pytest.mark.parametrize(("ratio", "peak"), [(0.75, 0.163), (1.0, 0.346)])
def test_l18_power_law_oscillates_above_one_half(ratio, peak):
    assert_allclose(late_peak(ratio, 2.0338, 0.15), peak, rtol=0.03)


def test_l18_power_law_at_three_fifths_is_still_settling_where_it_was_read():
    # .074 is the peak around t = 50…60 from (1, 0); the cycle itself does not depend on the start
    assert_allclose(late_peak(0.6, 2.0338, 0.15, last=1 / 6, start=(1.0, 0.0)), 0.074, rtol=0.03)
    settled = [
        late_peak(0.6, 2.0338, 0.15, start=start, step=1e-3, steps=200_000)
        for start in ((1.0, 0.0), (0.0, 0.5))
    ]
    assert_allclose(settled[0], settled[1], rtol=5e-3)
    assert 0.05 < settled[0] < 0.07


def test_rest_beside_the_cycle_stays_a_rest():
    run = simulate_shared(0.75, 2.0, 0.224, damping_ratio=0.03, start=(0.4, 0.0), steps=10_000)
    assert (run.displacement == 0.4).all()  # held by (1 - SR) p = 0.5


def test_bad_ratio_and_step_are_refused():
    with pytest.raises(InputError, match="ratio"):
        simulate_shared(1.5, 2.0, 0.2, damping_ratio=0.03)
    with pytest.raises(InputError, match="step"):
        simulate_shared(0.5, 2.0, 1e-5, damping_ratio=0.03)
