"""Plans placed where a certificate did not look: between two pulses, two copies, two samples."""

from __future__ import annotations

from math import exp, pi

import numpy as np
import pytest

from rths.feedback.base import Feedback
from rths.feedback.base import describe as describe_feedback
from rths.loop.block import Block, kernel
from rths.specimen.base import Specimen, describe
from rths.stability import bench as bench_module
from rths.stability import quiet_pushes, superposition
from rths.stability.bench import Bench
from rths.stability.certificate import certify
from rths.stability.course import fate_of, lingers
from rths.stability.distribution import Interval
from rths.stability.quiet_end import Release
from rths.stability.quiet_noise import quiet_length
from rths.stability.rehearsal import Rehearsal
from rths.stability.robustness import judge_robustness
from rths.stability.structural_modes import modes_of
from rths.stability.timeline import Timeline
from rths.stability.trial import Trial
from rths.stability.verdict import judge_trial

MASS = 1000.0


@kernel
def multiply_block(x, p, u, y):
    y[0] = p[2] * u[0] if p[0] <= x[0] < p[1] else u[0]
    x[0] += 1.0


@describe_feedback
class Multiplied(Feedback):
    """A force that is multiplied for some time."""

    kind = "tests:multiplied"

    start: float
    duration: float
    gain: float

    def block(self, site):
        first, ticks = round(self.start / site.interval), round(self.duration / site.interval)
        return Block(multiply_block, [first, first + ticks, self.gain], [0.0], counters=[0])


@kernel
def creep_block(x, p, u, y):
    sliding = 1.0 if u[0] > x[1] else (-1.0 if u[0] < x[1] else 0.0)
    y[0] = p[0] * u[0] + p[1] * (u[0] - x[0]) + p[3] * sliding
    x[0] += (1.0 - p[2]) * (u[0] - x[0])
    x[1] = u[0]


@describe
class Creeping(Specimen):
    """A spring beside a Maxwell element, with a trace of dry friction."""

    kind = "tests:creeping"

    lasting: float
    passing: float
    time: float
    friction: float

    def block(self, site):
        kept = exp(-site.interval / self.time)
        return Block(creep_block, [self.lasting, self.passing, kept, self.friction], [0.0, 0.0])


@kernel
def stop_block(x, p, u, y):
    y[0] = p[0] * (u[0] - p[1]) if u[0] > p[1] else 0.0


@describe
class Stop(Specimen):
    """A stop that only pushes, beyond a gap."""

    kind = "tests:stop"

    stiffness: float
    gap: float

    def block(self, site):
        return Block(stop_block, [self.stiffness, self.gap])


@pytest.fixture(scope="module")
def building(rig, make):
    """A mass of 1000 kg whose stiffness is shared with the specimen, and any other part."""

    def made(frequency, share, damping, **given):
        rate = 2 * pi * frequency
        own = MASS * rate**2
        parts = {
            "structure": make(
                "structure",
                "linear",
                mass=MASS,
                stiffness=(1 - share) * own,
                damping=2 * damping * rate * MASS,
            ),
            "specimen": make("specimen", "spring", stiffness=share * own),
            "transfer": make("transfer", "dead_time", delay=1e-3),
        }
        return rig(**parts | given)

    return made


@pytest.mark.parametrize("start", [4.601, 6.701])
def test_the_first_steps_of_a_stretch_are_seen(building, make, start):
    # a step of 100 ms; a force that is taken six times, backwards, moves the test 12 motions far
    def plan(gain):
        return building(
            1.0,
            0.7,
            0.05,
            excitation=make("excitation", "sine", amplitude=0.3, frequency=0.6),
            feedback=Multiplied(start=start, duration=0.398, gain=gain),
            step=0.1,
            duration=60.0,
        )

    def superposes(test):
        return Bench(test, modes_of(test)).superposes(decays=False)

    assert superposes(plan(1.0))
    assert not superposes(plan(-6.0))
    assert certify(plan(1.0), margins=False).verdict == "tested"  # a clock of one's own
    assert certify(plan(-6.0), margins=False).verdict in ("undecided", "unstable")


@pytest.mark.parametrize(("most", "verdict"), [(40_000, "proved"), (40, "tested")])
def test_no_part_of_a_long_test_is_too_long_for_an_answer(
    building, make, monkeypatch, most, verdict
):
    # with 60 % of damping an answer has faded in a third of a second: 40 pulses see 13 s of 60
    monkeypatch.setattr(superposition, "MOST", most)
    swinging = make("excitation", "sine", amplitude=1.0, frequency=2.0)
    plan = building(10.0, 0.95, 0.6, excitation=swinging, duration=60.0)
    assert certify(plan, margins=False).verdict == verdict


def test_an_actuator_that_moves_little_is_measured_by_its_own_motion(rig, make):
    # 120 mm and 12 um; alone the second is unstable at rest and swings by 97 um for ever
    rates, masses = 2 * pi * np.array([1.0, 20.0]), np.array([1000.0, 10.0])
    stiffness = masses * rates**2
    found = certify(
        rig(
            structure=make(
                "structure",
                "linear",
                mass=np.diag(masses).tolist(),
                stiffness=np.diag(stiffness / 2).tolist(),
                damping=np.diag(2 * np.array([0.05, 0.02]) * rates * masses).tolist(),
                interface=(0, 1),
                influence=[1.0, 0.15],
            ),
            excitation=make("excitation", "sine", amplitude=1.3, frequency=0.8),
            specimen=(
                make("specimen", "spring", stiffness=stiffness[0] / 2),
                make(
                    "specimen",
                    "saturating_spring",
                    stiffness=stiffness[1] / 2,
                    saturation_displacement=5e-5,
                ),
            ),
            transfer=tuple(make("transfer", "dead_time", delay=d) for d in (5e-4, 1e-3)),
            tick=1 / 2048,
            duration=20.0,
        ),
        margins=False,
    )
    assert found.verdict == "unstable"


@pytest.mark.parametrize(("share", "verdict"), [(1.6, "unstable"), (0.9, "tested")])
def test_what_creeps_away_is_not_at_rest(building, make, share, verdict):
    # the lasting spring of 0.2 holds up a structure that leans by 0.6 no more than it falls
    own = MASS * (2 * pi) ** 2
    found = certify(
        building(
            1.0,
            share,
            0.05,
            excitation=make("excitation", "sine", amplitude=0.3, frequency=0.8),
            specimen=Creeping(lasting=0.2 * own, passing=1.1 * own, time=30.0, friction=1e-5 * own),
            transfer=make("transfer", "dead_time", delay=2e-3),
            tick=1 / 2048,
            duration=20.0,
        ),
        margins=False,
    )
    assert found.verdict == verdict


def test_a_sensor_that_is_late_in_a_pause_of_the_test_is_met_by_a_push(building, make):
    late = {"kind": "fault", "fault": "late", "start": 45.9, "duration": 4.05, "size": 0.03}
    steps = {"kind": "quantisation", "bits": 16, "force_range": 1e5}
    found = certify(
        building(
            5.0,
            0.7,
            0.05,
            excitation=make("excitation", "ground_motion", length=12.0, scale=0.5),
            feedback=make("feedback", "chain", links=[late, steps]),
            tick=1 / 1024,
            duration=100.0,
            limits={"compensator.command": 0.05},
        ),
        margins=False,
    )
    assert found.verdict == "unstable"
    (lost,) = [s for s in found.trial.shadows if s.outcome == "lost"]
    assert 45.9 < lost.until < 52.0


def test_the_last_row_of_a_test_is_no_window(rig):
    test = rig(duration=3.0)
    ticks = test.clock.ticks  # both ends of the test are among them
    assert ticks == 3001
    line = Timeline(Rehearsal(test), 300)
    assert [len(rows) for rows in line.rows] == [300] * 9 + [301]
    line = Timeline(Rehearsal(test), 1700)
    assert [len(rows) for rows in line.rows] == [1700, 1301]


def test_samples_at_the_ends_of_a_number_are_certified_too(building, make):
    # a sensor that fails at a time which is uncertain, after the test in most samples
    plan = building(
        5.0,
        0.7,
        0.05,
        excitation=make("excitation", "ground_motion", scale=0.5),
        feedback=make("feedback", "fault", fault="late", start=120.0, size=0.03),
        tick=1 / 512,
        duration=10.0,
    )
    found = judge_robustness(plan, {"feedback.start": Interval(0.0, 120.0)}, samples=30, seed=0)
    assert found.method == "certificates"
    assert found.unstable > 0


@pytest.mark.parametrize(
    ("left", "goes_on"),
    [
        (0.012, True),  # chatter of 1.2 %, where 2 % matter
        (0.008, False),  # too little
    ],
)
def test_chatter_next_to_what_matters_is_not_called_tested(left, goes_on):
    erratic = 1 + 0.1 * np.sin(np.arange(40.0) ** 2)
    sizes = [1.0, 0.3, 0.1, *(left * erratic).tolist()]
    assert lingers(sizes, 0.02) == goes_on
    assert not lingers(np.geomspace(1.0, left, 40).tolist(), 0.02)  # it still gets smaller
    assert fate_of(sizes, 0.02) == "decays"
    release = Release(1e-3, 1, 1, "decays", 0.5, left, 4.0, 9.0, 2e-5, False, goes_on)
    found = judge_trial(Trial(1e-3, 0.02, 5.0, 0.3, None, (), (release, release)), -1.0, 1e-3)
    assert found.verdict == ("undecided" if goes_on else "tested")


@pytest.fixture(scope="module")
def failing(rig, make):
    """A stop, and an actuator that loses its oil in the test: a push may go on beyond its end."""
    limit, late = 0.0205, 9.42e-3
    return rig(
        structure=make(
            "structure", "linear", mass=6055.4, stiffness=15.623e6, damping_ratios=0.01711
        ),
        excitation=make(
            "excitation",
            "synthetic_ground_motion",
            peak=1.8264,
            length=2.0461,
            rise=0.22734,
            strong=1.13672,
            decay=0.22734,
            ground_frequency=4.9368,
            high_pass_frequency=1.9487,
            highest_frequency=77.949,
        ),
        integrator=make("integrator", "cr", interface_stiffness=9.1943e6),
        compensator=make("compensator", "polynomial", delay=late, order=1),
        transfer=make(
            "transfer",
            "fault",
            fault="oil_pressure_loss",
            start=0.4783,
            size=0.1987,
            actuator={"kind": "dead_time", "delay": late},
        ),
        specimen=Stop(
            stiffness=5.2043e6, gap=1.18721e-4, length_scale=3.12136, force_scale=2.12092, count=2
        ),
        feedback=make("feedback", "noise", displacement=7.26e-8, force=0.0),
        tick=1 / 4096,
        duration=2.2734375,
        limits={"compensator.command": limit},
        seed=335392,
    )


def test_a_copy_that_goes_on_beyond_the_end_of_the_test_is_watched(failing, monkeypatch):
    # pushed by five motions it is 24 away when the test ends, and swings by 60 for ever
    found = certify(failing, margins=False)
    assert found.verdict in ("unstable", "undecided")
    assert any(r.in_test and r.fate != "decays" for r in found.trial.releases)
    monkeypatch.setattr(bench_module, "FURTHEST", 0)
    blind = certify(failing, margins=False)
    assert not any(r.in_test for r in blind.trial.releases)
    assert "a little further than is tried, it goes on moving" in blind.sentence  # all that is seen


@pytest.mark.parametrize(("left", "verdict"), [(0.4, "undecided"), (0.2, "tested")])
def test_what_has_hardly_decayed_is_next_to_a_border(left, verdict):
    # pushed a little further it grows: MR dampers that hold a late spring up to three motions
    release = Release(1e-3, 1, 1, "decays", 1.0, left, 4.0, 140.0, 2e-4, False, False)
    found = judge_trial(Trial(1e-3, 0.02, 3.1, 0.3, None, (), (release,)), -1.0, 1e-3)
    assert found.verdict == verdict
    assert ("hardly decayed in 140 s" in found.reason) == (verdict == "undecided")


def test_pushes_at_rest_come_at_other_times_each(failing, monkeypatch):
    # a delay that swings is long at some of them, and short at others
    monkeypatch.setattr(quiet_pushes, "MORE", 12)
    rest = [r.pulse.first for r in certify(failing, margins=False).trial.releases if r.size]
    late = [first for first in rest if first > max(rest[:6])]
    assert len(set(late)) > 3
    assert late == sorted(late)


def test_a_law_that_learns_is_listened_to_for_a_quarter_of_an_hour(rig, make):
    # one walked for 850 s, in nothing but noise, before it swung up
    law = make("compensator", "adaptive_time_series", delay=0.01)
    rehearsal = Rehearsal(rig(compensator=law, feedback=make("feedback", "noise", force=1.0)))
    for window in (200, 5000):
        assert quiet_length(rehearsal, window) * window * rehearsal.test.tick > 900
