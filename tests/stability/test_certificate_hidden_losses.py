"""Plans that were called proved or tested and run away: what hid between two looks is found."""

from __future__ import annotations

from dataclasses import replace
from math import pi

import numpy as np
import pytest

from rths.loop.block import Block, kernel
from rths.quantity import Positive
from rths.specimen.base import Specimen, describe
from rths.stability.bench import Bench
from rths.stability.certificate import certify
from rths.stability.course import frequency_of
from rths.stability.cut_loop import CutLoop
from rths.stability.distribution import Interval
from rths.stability.disturbance import find_factor
from rths.stability.loop_change import ChangedLoop
from rths.stability.loop_chart import chart_of
from rths.stability.rehearsal import Rehearsal
from rths.stability.robustness import judge_robustness
from rths.stability.structural_modes import modes_of


@kernel
def stop_block(x, p, u, y):
    beyond = max(abs(u[0]) - p[1], 0.0)
    y[0] = p[0] * u[0] + (p[2] * beyond if u[0] > 0.0 else -p[2] * beyond)


@describe
class Bumper(Specimen):
    """A spring that meets a stiffer one at some displacement, on both sides."""

    kind = "tests:bumper"

    stiffness: Positive
    beyond: Positive
    more: Positive

    def block(self, site):
        return Block(stop_block, [self.stiffness, self.beyond, self.more])


@pytest.fixture(scope="module")
def swinging(rig, make):
    """A delay of 5.5 ms that swings by as much, at twice the 6 Hz of the loop, for 24 s."""
    return rig(
        excitation=make("excitation", "sine", amplitude=1.0, frequency=1.0),
        structure=make(
            "structure",
            "linear",
            mass=2.2,
            damping=15.0,
            stiffness=2.2 * (2 * pi * 6.1) ** 2 - 2000.0,
        ),
        specimen=make("specimen", "spring", stiffness=2000.0),
        transfer=make(
            "transfer", "varying_dead_time", delay=5.5e-3, swing=5.5e-3, swing_frequency=12.0
        ),
        duration=24.0,
    )


def heavily_damped(rig, make, **given):
    return rig(
        structure=make("structure", "linear", mass=2.2, damping=100.0, stiffness=2250.0),
        specimen=make("specimen", "spring", stiffness=6000.0),
        transfer=make("transfer", "dead_time", delay=2e-3),
        **given,
    )


def test_a_swing_in_step_with_the_windows_is_not_proved(swinging):
    # six swings in each window of 24/48 s: all windows were alike, and the roots of one instant
    # "proved" a loop that parametric resonance makes grow
    rehearsal = Rehearsal(swinging)
    rows = rehearsal.run(rehearsal.start, rehearsal.ticks).rows[:, 0]
    assert np.ptp(rows[-2000:]) > 5 * np.ptp(rows[3000:5000])
    found = certify(swinging, margins=False)
    assert found.rest.growth_rate < 0
    assert found.verdict == "unstable"


@pytest.mark.parametrize("start", [50.0, 51.0, 51.3])
def test_a_fault_after_the_answer_to_a_pulse_has_faded_is_seen(rig, make, start):
    fault = make("feedback", "fault", fault="late", start=start, duration=0.6, size=0.2)
    test = heavily_damped(rig, make, feedback=fault, duration=100.0)
    assert not Bench(test, modes_of(test)).superposes()


def test_a_change_in_the_quiet_after_the_test_is_seen(rig, make):
    fault = make("feedback", "fault", fault="late", start=4.0, size=0.2)
    test = heavily_damped(rig, make, feedback=fault, duration=3.0)
    bench = Bench(test, modes_of(test))
    assert bench.superposes(decays=False)
    assert not bench.superposes()


@pytest.mark.parametrize("step", [1e-3, 3e-3, 20e-3])
@pytest.mark.parametrize("duration", [0.06, 3.0])
def test_a_linear_loop_of_any_step_and_length_superposes(rig, make, step, duration):
    newmark = make("integrator", "explicit_newmark")
    slow = make("structure", "linear", mass=200.0, damping=2000.0, stiffness=2000.0)
    test = rig(
        integrator=newmark,
        structure=slow,
        transfer=make("transfer", "dead_time", delay=3e-3),
        step=step,
        duration=duration,
    )
    assert Bench(test, modes_of(test)).superposes()


@pytest.mark.parametrize(
    "fault",
    [
        {"fault": "nan", "start": 1.0},
        {"fault": "drift", "start": 1.0, "size": 1e4},
    ],
)
def test_a_linear_loop_that_a_sensor_carries_away_is_not_proved(rig, make, fault):
    # not a number ended in a traceback; a drift is an input, and was proved from roots alone
    quick = make("transfer", "dead_time", delay=2e-3)
    found = certify(rig(transfer=quick, feedback=make("feedback", "fault", **fault)), margins=False)
    assert found.verdict == "unstable"
    assert found.trial.lost >= 1.0


def test_a_resonance_of_a_loop_that_decays_is_still_proved(rig, make):
    # nearly critical, and driven where it has next to no damping: far beyond the emulated test
    at_resonance = make("excitation", "sine", amplitude=5.0, frequency=7.0)
    late = make("transfer", "dead_time", delay=6.7e-3)
    test = rig(transfer=late, excitation=at_resonance, duration=40.0)
    assert certify(test, margins=False).verdict == "proved"


@pytest.mark.parametrize("beyond", [0.003, 0.005, 0.007, 0.012])
def test_a_push_that_sets_the_loop_off_is_not_made_smaller(rig, make, beyond):
    # the force was scaled by how far the loop ran: 0.4 mm were pushed, and 15 mm were told
    test = rig(
        specimen=Bumper(stiffness=2000.0, beyond=beyond, more=60000.0),
        transfer=make("transfer", "dead_time", delay=4e-3),
        limits={"compensator.command": 0.03},
    )
    let_go = make("excitation", "free_vibration", displacement=1.15 * beyond)
    free = Rehearsal(replace(test, excitation=let_go))
    assert np.abs(free.run(free.start, free.ticks).rows).max() > 1e3
    assert certify(test, margins=False).verdict == "unstable"


@pytest.mark.parametrize("guess", [1e-4, 0.3, 20.0])
def test_the_force_of_a_push_is_found_for_any_law(guess):
    assert find_factor(lambda a: guess * a) == pytest.approx(1 / guess)
    stiffer = find_factor(lambda a: min(guess * a, 0.3 + 0.1 * guess * a))
    assert 0.3 + 0.1 * guess * stiffer == pytest.approx(1.0, rel=0.15)
    set_off = find_factor(lambda a: guess * a if guess * a < 0.4 else np.inf)
    assert 0.4 <= guess * set_off <= 0.45
    assert find_factor(lambda a: 0.0) == 1.0


def test_margins_of_a_step_of_fifty_ticks_are_those_of_the_loop(rig, make):
    # what was asked of the cut was eliminated as the largest block: 0.5 ms in place of no loss
    test = rig(
        integrator=make("integrator", "explicit_newmark"),
        structure=make("structure", "linear", mass=200.0, damping=2000.0, stiffness=2000.0),
        transfer=make("transfer", "dead_time", delay=3e-3),
        step=50e-3,
    )
    seen, changed = CutLoop(test, 60.0).opening("transfer"), ChangedLoop(test, 0.06)
    for ticks in (0.0, 0.7, 20.0):
        z = changed.roots(delay=ticks * 1e-3).z
        assert seen.count_unstable(ticks) == np.sum(np.abs(z) > 1 + 1e-9)


def test_samples_that_drift_where_the_plan_does_not_are_certified(rig, make):
    still = make("transfer", "varying_dead_time", delay=3e-3, final_delay=3e-3, drift_time=1.0)
    test = rig(transfer=still)
    assert certify(test, margins=False).verdict == "proved"
    uncertain = {"transfer.final_delay": Interval(0.02, 0.03)}  # 6.77 ms are critical
    found = judge_robustness(test, uncertain, samples=4, caveats=())
    assert (found.unstable, found.method) == (4, "certificates")
    assert "transfer.final_delay" in found.caveats[0]
    paths = ("transfer.final_delay", "specimen.stiffness")
    axes = np.linspace(3e-3, 0.03, 3), np.linspace(1000.0, 2000.0, 3)
    assert chart_of(test, *paths, *axes, caveats=()).caveats


@pytest.mark.parametrize(("limit", "verdict"), [(8e-3, "tested"), (2e-3, "undecided")])
def test_a_test_that_its_own_limit_ends_is_not_called_tested(rig, make, limit, verdict):
    specimen = Bumper(stiffness=2250.0, beyond=1e-3, more=100.0)
    swinging = make("excitation", "sine", amplitude=5.0, frequency=1.5)  # 3 mm
    late = make("transfer", "dead_time", delay=3e-3)
    limits = {"specimen.force": 1e6, "compensator.command": limit}
    found = certify(
        rig(specimen=specimen, transfer=late, excitation=swinging, limits=limits), margins=False
    )
    assert found.verdict == verdict
    assert (found.trial.excess == "") == (verdict == "tested")
    assert ("a limit of the plan ends the rehearsed test at" in found.sentence) == (
        verdict == "undecided"
    )


def test_a_proof_says_that_a_limit_ends_the_test_all_the_same(rig, make):
    swinging = make("excitation", "sine", amplitude=5.0, frequency=1.5)
    late = make("transfer", "dead_time", delay=3e-3)
    limits = {"feedback.force": 2.0}  # the spring has 2250 N/m times 3 mm
    found = certify(rig(transfer=late, excitation=swinging, limits=limits), margins=False)
    assert found.verdict == "proved"
    assert [note for note in found.notes if "A limit of the plan ends the rehearsed test" in note]


def test_the_last_digit_of_a_standing_signal_has_no_frequency():
    # a mean that is rounded up makes one sample touch it, and all others lie below
    for n in range(3, 400):
        rows = np.full((n, 1), 0.1)
        rows[n // 2] = np.nextafter(0.1, 1.0)
        with np.errstate(all="raise"):
            assert np.isfinite(frequency_of(rows, 1e-3))
