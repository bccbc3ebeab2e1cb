import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.errors import InputError
from rths.theory.scalar.delayed_simulation import settled_cycle, simulate
from rths.theory.scalar.describing_function import (
    critical_stiffness,
    saturation_cycle,
    saturation_gain,
)
from rths.theory.scalar.equation import ScalarEquation, non_dimensional
from rths.theory.scalar.hopf import critical_delay, unstable_pairs

W0, RATE = non_dimensional(2.2, 15.0, 2250.0, 2250.0)
W17 = [(8e-3, 1.3456, 0.14643), (9.4e-3, 1.6339, 0.15189), (15e-3, 2.6479, 0.16630)]
W16 = [(8e-3, 1.3535, 0.14663), (9.4e-3, 1.6519, 0.15229), (15e-3, 2.6883, 0.16675)]


@pytest.mark.parametrize(("delay", "amplitude", "period"), W17)
def test_w17_cycle_of_the_saturating_spring(delay, amplitude, period):
    cycle = saturation_cycle(W0, RATE * delay)
    assert_allclose([cycle.amplitude, cycle.period / RATE], [amplitude, period], rtol=1e-3)


@pytest.mark.parametrize(("delay", "amplitude", "period"), W16)
def test_w16_simulation_settles_on_that_cycle_within_two_per_cent(delay, amplitude, period):
    run = simulate(
        "saturating", 2250 / 2.2, delay, damping=15 / 2.2, stiffness=2250 / 2.2,
        start=(0.5, 0.0), step=1e-4, steps=60_000,
    )  # fmt: skip
    found, predicted = settled_cycle(run), saturation_cycle(W0, RATE * delay)
    assert_allclose([found.amplitude, found.period], [amplitude, period], rtol=5e-3)
    assert_allclose(predicted.amplitude, found.amplitude, rtol=0.02)
    assert_allclose(predicted.period / RATE, found.period, rtol=0.02)


@pytest.mark.parametrize("amplitude", [0.3, 1.0, 1.2, 2.0, 50.0])
def test_gain_is_the_first_harmonic_of_a_clipped_sine(amplitude):
    phase = np.arange(20_000) * 2 * np.pi / 20_000
    force = np.clip(amplitude * np.sin(phase), -1, 1)
    assert_allclose(
        saturation_gain(amplitude), 2 * np.mean(force * np.sin(phase)) / amplitude, rtol=1e-6
    )


def test_there_is_no_cycle_where_the_linear_loop_is_stable():
    critical = critical_delay(W0)
    assert saturation_cycle(W0, critical * 0.999) is None
    assert_allclose(saturation_cycle(W0, critical * (1 + 1e-9)).amplitude, 1.0, atol=1e-4)


@pytest.mark.parametrize("p", [0.5, 1.0, 2.0])
def test_critical_stiffness_inverts_the_critical_delay(p):
    tau = critical_delay(ScalarEquation(0.1066, p))
    assert_allclose(critical_stiffness(0.1066, tau)[0], p, rtol=1e-10)


@pytest.mark.parametrize("zeta", [1e-9, 0.03, 0.5, 0.8, 2.0])
@pytest.mark.parametrize("delay", [1e-9, 1e-6, 0.01, 1.0, 3.2, 8.0, 20.0, 1000.0])
def test_the_critical_stiffness_is_the_least_that_puts_a_root_on_the_axis(zeta, delay):
    critical, _ = critical_stiffness(zeta, delay)
    for share in (0.01, 0.5, 0.9, 0.99):
        assert unstable_pairs(ScalarEquation(zeta, share * critical), delay) == 0
    assert unstable_pairs(ScalarEquation(zeta, 1.01 * critical), delay) > 0


def test_a_cycle_of_a_later_lobe_is_found_where_the_first_is_stable():
    # at τ = 8 the first lobe begins at p = 0.85, the second far below
    equation = ScalarEquation(0.03, 0.5)
    cycle = saturation_cycle(equation, 8.0)
    run = simulate(
        "saturating", 0.5, 8.0, damping=0.06, stiffness=1.0, start=(2.0, 0.0),
        step=5e-3, steps=200_000,
    )  # fmt: skip
    found = settled_cycle(run)
    assert_allclose([cycle.amplitude, cycle.period], [found.amplitude, found.period], rtol=0.02)


@pytest.mark.parametrize("delay", [1e-13, 1e-6, 1.0, 1000.0])
def test_without_damping_any_stiffness_is_critical(delay):
    critical, frequency = critical_stiffness(0.0, delay)
    assert critical < (1e-12 if delay < np.pi else 0.01)
    assert abs(frequency - 1) < 0.01


def test_a_damper_specimen_is_refused():
    with pytest.raises(InputError, match="specimen_damping"):
        saturation_cycle(ScalarEquation(0.1, 1.0, 0.2), 1.0)
