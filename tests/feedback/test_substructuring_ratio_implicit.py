"""A computed share that can stick: exact properties, then L18 to L20 in the loop."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from rths.assembly.hybrid_test import HybridTest
from rths.compensator.none import NoCompensation
from rths.errors import InputError
from rths.excitation.free_vibration import FreeVibration
from rths.excitation.ground_motion import GroundMotion
from rths.excitation.sine import Sine
from rths.feedback.substructuring_ratio import SubstructuringRatio
from rths.feedback.substructuring_ratio_implicit import SubstructuringRatioImplicit
from rths.integrator.central_difference import CentralDifference
from rths.integrator.explicit_newmark import ExplicitNewmark
from rths.run.virtual import simulate
from rths.specimen.power_law_damper import PowerLawDamper
from rths.structure.bilinear_building import BilinearBuilding
from rths.structure.linear import Linear
from rths.structure.published import Published
from rths.transfer.dead_time import DeadTime


def friction(strength, exponent=0.0, count=1):
    return {"coefficient": strength, "exponent": exponent, "count": count}


def loop(law, sr, **given):
    """One mass with m = k = 1 (non-dimensional as in [londono2011]), pushed at z = 0."""
    implicit = given.pop("implicit", True)
    kind = SubstructuringRatioImplicit if implicit else SubstructuringRatio
    values = {
        "excitation": FreeVibration(velocity=(0.5,)),
        "structure": Linear(mass=1.0, damping=0.06, stiffness=1.0),
        "integrator": CentralDifference(),
        "compensator": NoCompensation(),
        "transfer": DeadTime(delay=0.224),
        "specimen": PowerLawDamper(**law),
        "feedback": kind(estimate={"kind": "power_law_damper", **law}, **sr),
        "tick": 1e-3,
        "duration": 60.0,
        "record": ("structure.velocity", "structure.displacement", "feedback.computed_share"),
    }
    return HybridTest(**values | given)


@pytest.mark.parametrize("integrator", [CentralDifference(), ExplicitNewmark()])
@pytest.mark.parametrize("ticks", [1, 4])
def test_the_share_is_the_law_at_the_velocity_that_it_brings_about(integrator, ticks):
    law = friction(0.3, exponent=0.5)
    given = {"integrator": integrator, "tick": 1e-2 / ticks, "step": 1e-2, "duration": 10.0}
    record = simulate(loop(law, {"ratio": 0.0}, **given))
    x = record["structure.displacement"][:, 0]
    v = np.diff(x) / 1e-2  # over the step that follows
    share = record["feedback.computed_share"][::ticks, 0][: len(v)]
    expected = 0.3 * np.sign(v) * np.abs(v) ** 0.5
    assert_allclose(share[1:], expected[1:], atol=1e-7)  # the first step starts by another formula


def test_friction_holds_a_mass_where_it_can_and_no_further():
    """Released at z = 0.5 with friction 0.8 it stays; with 0.2 it comes to rest within 0.2."""
    start = {"excitation": FreeVibration(displacement=(0.5,))}
    held = simulate(loop(friction(0.8), {"ratio": 0.0}, **start))
    assert_allclose(held["structure.displacement"], 0.5, atol=1e-6)
    assert_allclose(held["feedback.computed_share"][5:], -0.5, atol=1e-5)
    slid = simulate(loop(friction(0.2), {"ratio": 0.0}, **start))
    assert np.abs(slid["structure.velocity"][-1000:]).max() < 1e-9
    assert np.abs(slid["structure.displacement"][-1]).item() <= 0.2


def test_an_explicit_share_chatters_where_this_one_rests():
    late = slice(-1000, None)
    for implicit, bound in ((True, (0.0, 1e-9)), (False, (1e-4, 1e-2))):
        v = simulate(loop(friction(1.0), {"ratio": 0.0}, implicit=implicit))["structure.velocity"]
        assert bound[0] <= np.abs(v[late]).max() <= bound[1]


@pytest.mark.parametrize(("sr", "peak"), [(0.6, 0.090), (0.75, 0.225), (1.0, 0.453)])
def test_late_friction_oscillates_above_one_half(sr, peak):  # L18
    v = simulate(loop(friction(2.0), {"ratio": sr}))["structure.velocity"]
    assert_allclose(np.abs(v[-10_000:]).max(), peak, rtol=0.03)


@pytest.mark.parametrize("sr", [0.25, 0.5])
def test_and_rests_below(sr):  # L18; 1 % of p_s tau, for friction reverses at any round-off
    v = simulate(loop(friction(2.0), {"ratio": sr}))["structure.velocity"]
    assert np.abs(v[-10_000:]).max() < 0.01 * 2.0 * 0.224


@pytest.mark.parametrize(("sr", "peak"), [(0.6, 0.074), (0.75, 0.163), (1.0, 0.346)])
def test_so_does_a_fluid_damper(sr, peak):  # L18, alpha = 0.15
    start = {"excitation": FreeVibration(displacement=(1.0,))}
    v = simulate(loop(friction(2.0338, 0.15), {"ratio": sr}, **start))["structure.velocity"]
    assert_allclose(np.abs(v[-10_000:]).max(), peak, rtol=0.03)


@pytest.mark.parametrize("sr", [0.25, 0.5])
def test_and_a_fluid_damper_creeps_to_rest(sr):  # L18, alpha = 0.15
    start = {"excitation": FreeVibration(displacement=(1.0,))}
    v = simulate(loop(friction(2.0338, 0.15), {"ratio": sr}, **start))["structure.velocity"]
    assert np.abs(v[-10_000:]).max() <= 0.00205


DAMPERS = friction(60e3, 0.15, count=2)


def frame(excitation, delay, duration, **sr):
    return loop(
        DAMPERS,
        sr,
        excitation=excitation,
        structure=Published(name="londono2011_frame"),
        transfer=DeadTime(delay=delay),
        tick=1e-4,
        duration=duration,
        record=("structure.velocity", "structure.acceleration", "feedback.force"),
    )


@pytest.mark.parametrize(
    ("delay", "speed", "force"), [(1e-3, 10.9, 61.0), (3e-3, 36.6, 73.0), (15e-3, 297.0, 100.0)]
)
def test_three_storeys_ring_after_the_earthquake_only_above_one_half(delay, speed, force):  # L19
    quake = GroundMotion(length=20.0)
    after = slice(220_000, None)
    whole = simulate(frame(quake, delay, 24.0, ratio=1.0))
    assert_allclose(1e3 * np.abs(whole["structure.velocity"][after, 0]).max(), speed, rtol=0.1)
    assert_allclose(1e-3 * np.abs(whole["feedback.force"][after]).max(), force, rtol=0.1)
    half = simulate(frame(quake, delay, 24.0, ratio=0.5))
    assert 1e3 * np.abs(half["structure.velocity"][after, 0]).max() <= 0.002


@pytest.mark.parametrize(
    ("amplitude", "published"),
    [
        (2.0, [0.0, 0.0, 1.27, 2.82, 5.40, 10.06]),
        (8.0, [0.31, 0.32, 0.58, 1.16, 2.13, 4.09]),
    ],
)
def test_on_a_ramp_the_high_frequencies_begin_at_one_half(amplitude, published):  # L20
    sine = Sine(amplitude=amplitude, frequency=1.5)
    ramp = {"change": "ramp", "ratio": 1.0, "ramp_duration": 17.0}
    a = simulate(frame(sine, 2e-3, 20.0, **ramp))["structure.acceleration"][:, 0]

    def above_40_hz(second):
        part = a[second * 10_000 : (second + 1) * 10_000]
        spectrum = np.fft.rfft(part)
        spectrum[:40] = 0.0  # one second: line k is k Hz
        return np.fft.irfft(spectrum, part.size).std()

    found = [above_40_hz(s) for s in (4, 8, 9, 10, 12, 18)]
    assert_allclose(found, published, rtol=0.1, atol=0.02)


def test_the_loops_agree_bit_for_bit():
    test = loop(friction(2.0, 0.15), {"change": "ramp", "ramp_duration": 0.2}, duration=0.3)
    assert_array_equal(simulate(test, "interpreted").rows, simulate(test, "table").rows)


def test_a_yielding_structure_is_refused():
    building = BilinearBuilding(masses=1.0, stiffnesses=1.0, yield_deformations=1.0)
    with pytest.raises(InputError, match="linear structure"):
        loop(friction(2.0), {"ratio": 0.5}, structure=building)
