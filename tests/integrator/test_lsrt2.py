import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from rths.assembly.hybrid_test import HybridTest
from rths.errors import InputError
from rths.integrator.lsrt2 import GAMMA, Lsrt2
from rths.registry import find
from rths.report.integrator_accuracy import amplification


def growth(z):
    return (1 + (1 - 2 * GAMMA) * z) / (1 - GAMMA * z) ** 2


def radius(omega, share=0.5, told=1.0):
    integrator = Lsrt2(interface_stiffness=told * share * omega**2)
    return np.abs(np.linalg.eigvals(amplification(integrator, omega, 0.0, share))).max()


@pytest.mark.parametrize(("omega", "value"), [(1, 0.996874), (10, 0.444858), (100, 0.048242)])
@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_growth_of_the_published_cases(omega, value, share):  # U10
    assert radius(omega, share) == pytest.approx(value, abs=1e-6)


@given(omega=st.floats(0.01, 100.0), zeta=st.floats(0.0, 0.95))
def test_poles_are_the_rational_function_of_the_exact_ones(omega, zeta):
    z = omega * complex(-zeta, np.sqrt(1 - zeta**2))
    found = np.poly(amplification(Lsrt2(), omega, zeta))
    r = growth(z)
    assert_allclose(found[1:3], [-2 * r.real, abs(r) ** 2], atol=1e-10)


def test_high_modes_vanish():
    assert radius(1e5) < 1e-4


def test_untold_of_a_stiff_specimen_it_is_unstable():
    assert radius(10.0, 1.0, told=0.0) > 1.0
    assert radius(10.0, 1.0, told=1.0) < 0.5


def free_release(tick=0.005):
    return HybridTest(
        excitation=find("excitation", "free_vibration")(displacement=0.01),
        structure=find("structure", "published")(name="wu2013_simulated"),
        integrator=Lsrt2(interface_stiffness=200.0),
        compensator=find("compensator", "none")(),
        transfer=find("transfer", "dead_time")(delay=0.0),
        specimen=find("specimen", "spring")(stiffness=200.0),
        feedback=find("feedback", "direct")(),
        tick=tick,
        step=0.01,
        duration=20.0,
    )


@pytest.mark.parametrize("tick", [0.005, 0.0025])
def test_amplitude_after_twenty_seconds_without_delay(run, tick):  # U13
    found = run(free_release(tick))
    x, v = found["structure.displacement"][-1, 0], found["structure.velocity"][-1, 0]
    amplitude = np.hypot(x, v / 20.0)
    assert amplitude == pytest.approx(0.009884, rel=5e-3)
    assert amplitude == pytest.approx(0.01 * abs(growth(0.2j)) ** 2000, rel=1e-9)


def test_a_step_of_an_odd_number_of_ticks_is_refused():
    with pytest.raises(InputError, match=r"2 stage\(s\) cannot share evenly"):
        free_release(0.01)
