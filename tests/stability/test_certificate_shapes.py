"""Losses that one mode alone sets off, or only a push from rest: pushes in shapes find them."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.certificates.plans import draw_plan
from rths.loop.block import Block, kernel
from rths.quantity import Positive, Real
from rths.specimen.base import Specimen, describe
from rths.stability import quiet_pushes
from rths.stability.bench import Bench
from rths.stability.certificate import certify
from rths.stability.course import Course
from rths.stability.disturbance import Pusher, Shapes, Start
from rths.stability.quiet_end import QuietLoop, Release
from rths.stability.quiet_pushes import release_all
from rths.stability.rehearsal import Pulse, Rehearsal
from rths.stability.structural_modes import modes_of
from rths.stability.timeline import quiet_window_of


@kernel
def touch(x, p, u, y):
    y[0] = p[0] * (u[0] - p[1]) if u[0] > p[1] else 0.0


@describe
class Contact(Specimen):
    """A spring that is met from one side."""

    kind = "tests:contact"

    stiffness: Positive
    gap: Real

    def block(self, site):
        return Block(touch, [self.stiffness, self.gap])


@pytest.fixture(scope="module")
def yielding(rig, make):
    """Two storeys that yield between preloaded contacts; a cycle is met from the second mode."""
    slow = make("transfer", "second_order", frequency=213.8, damping=0.849, delay=1.09e-3)
    return rig(
        excitation=make("excitation", "sine", amplitude=91.15, frequency=30.49),
        structure=make(
            "structure",
            "bilinear_building",
            masses=[4.2575, 3.4289],
            stiffnesses=[21462.5, 26175.6],
            interface=(0, 1),
            damping_ratios=0.015744,
            yield_deformations=0.0072752,
            hardening=0.0,
        ),
        integrator=make("integrator", "alpha_os", interface_stiffness=19641.6, alpha=-0.1),
        transfer=slow,
        specimen=Contact(stiffness=19641.6, gap=-0.0029495),
        tick=2.0**-11,
        duration=1.48828125,
    )


@pytest.fixture
def floors(rig, make):
    """Three storeys whose actuator is on the lowest, with a spring next to none."""
    return rig(
        structure=make(
            "structure",
            "shear_building",
            masses=[1000.0] * 3,
            stiffnesses=[4e5] * 3,
            damping_ratios=0.03,
            interface=(0,),
        ),
        specimen=make("specimen", "spring", stiffness=1e-3),
        transfer=make("transfer", "dead_time", delay=1e-3),
    )


@pytest.mark.parametrize("mode", [0, 1, 2])
def test_a_push_in_the_shape_of_a_mode_moves_that_mode_alone(floors, mode):
    modes = modes_of(floors)
    rehearsal = Rehearsal(floors, Shapes(floors, modes).forces)
    sizes = np.zeros(6)
    sizes[mode] = 2.0
    pulse = Pulse(10, 5, (0.0,), tuple(sizes))
    rows = rehearsal.run(rehearsal.start, 400, pulse, quiet=True).rows[:, 0]
    assert not rows[:10].any()
    # q'' + 2 ζ ω q' + ω² q = 2 over 5 ms, then free: L φ_i times it, and nothing of other modes
    t = np.arange(400) * floors.tick - 12.5e-3
    w = 2 * np.pi * modes.frequencies[mode]
    damped = w * np.sqrt(1 - 0.03**2)
    free = 2.0 * 5e-3 * np.exp(-0.03 * w * t) * np.sin(damped * t) / damped
    expected = modes.shapes[0, mode] * free
    assert np.abs(rows - expected)[40:].max() < 0.05 * np.abs(expected[40:]).max()


def test_a_cycle_that_the_second_mode_alone_sets_off_is_found(yielding):
    # pushes at the interface, all of them to one side and while the test still moved, gave
    # "tested, 0 of 108 disturbances"
    assert certify(yielding, margins=False).verdict == "unstable"


def test_pushes_go_through_all_shapes_and_signs_from_rest_and_while_it_moves(yielding):
    bench = Bench(yielding, modes_of(yielding))
    window = quiet_window_of(bench.rehearsal, bench.modes)
    loop = QuietLoop(bench.rehearsal, bench.line.end, window, bench.yardstick)
    alone = loop.settle()
    assert alone.size == 0.0
    assert alone.first > 10 * alone.left
    assert loop.rest[0] > bench.line.end[0]
    pusher = Pusher(bench.rehearsal, loop.rest, bench.modes, bench.yardstick, bench.shapes)
    found = release_all(loop, pusher, alone)
    kept = [r for r in found if r.fate == "keeps"]
    assert kept
    assert all(r.shape in (1, 3) for r in kept)  # the second mode, with specimens or without
    assert {r.shape for r in found} == {-1, 0, 1, 2, 3}


def test_a_push_has_its_size_in_every_shape(yielding):
    bench = Bench(yielding, modes_of(yielding))
    y, start = bench.yardstick, bench.rehearsal.start
    pusher = Pusher(bench.rehearsal, start, bench.modes, y, bench.shapes)
    ticks = 3 * int(pusher.lengths.max())  # the first swings
    still = bench.rehearsal.run(start, ticks, quiet=True).rows[:, :2]
    for shape in range(4):
        pulse = pusher.pulse(Start(0, 0.5, -1, shape % 2, shape), 0)
        rows = bench.rehearsal.run(start, ticks, pulse, quiet=True).rows[:, :2]
        assert np.max(np.abs(rows - still) / y.motion) == pytest.approx(0.5, rel=0.15)


def test_a_mode_that_no_interface_feels_is_not_pushed_in_its_shape(rig, make):
    # the middle one of three equal masses stands still in the second mode
    between = make(
        "structure",
        "linear",
        mass=np.eye(3).tolist(),
        stiffness=[[200.0, -100.0, 0.0], [-100.0, 200.0, -100.0], [0.0, -100.0, 200.0]],
        damping_ratios=0.02,
        interface=(1,),
    )
    test = rig(structure=between, specimen=make("specimen", "spring", stiffness=1.0))
    shapes = Shapes(test, modes_of(test))
    assert [shapes.of_mode(m, 0) for m in range(3)] == [0, -1, 2]
    assert [shapes.of_mode(m, 1) for m in range(3)] == [-1, -1, -1]
    assert [shapes.of_mode(m, 2) for m in range(3)] == [3, -1, 5]


def test_a_motion_larger_than_all_pushes_that_the_test_leaves_behind_is_a_cycle(rig, make):
    # every push would have been smaller than what moves by itself: none was made, and what was to
    # be pushed a little less and a little more had no push
    gives_way = make(
        "specimen", "saturating_spring", stiffness=2250.0, saturation_displacement=2e-4
    )
    small = make("excitation", "sine", amplitude=0.05, frequency=1.5)
    found = certify(rig(specimen=gives_way, excitation=small, duration=20.0), margins=False)
    assert found.trial.releases[0].left > found.trial.limit
    assert found.verdict == "unstable"
    assert "keeps oscillating" in found.sentence


def test_what_wanders_about_the_line_is_watched_on(yielding):
    # a quantiser kept 2 % of the motion moving: a window below the line ended the watch, and the
    # three before it made "more and more" of it
    loop = QuietLoop(
        Rehearsal(yielding), np.zeros(1), 100, Bench(yielding, modes_of(yielding)).yardstick
    )
    line = loop.yardstick.matters
    about = [2.0, *[0.9 * line] * 22, *[1.4 * line] * 6, 0.9 * line]
    fallen = [2.0, *[0.9 * line] * 29]
    assert len(about) == len(fallen) == 30
    assert not loop._is_over(Course(about, [1.0] * 30))
    assert loop._is_over(Course(fallen, [1.0] * 30))


def test_a_cycle_beside_the_slowest_decay_is_climbed_to():
    # a building that yields comes to rest elsewhere after each push, and a specimen that stiffens
    # is past its border there: plan 1028910 of the generator, whose truth swings on by 0.38 motions
    found = certify(draw_plan(1_028_910).test, margins=False)
    assert found.verdict == "unstable"
    kept = [r.left for r in found.trial.releases if r.fate == "keeps"]
    assert np.allclose(kept, 0.38, atol=0.02)
    assert max(r.left for r in found.trial.releases if r.fate == "decays") > found.trial.matters


def test_what_an_actuator_without_oil_holds_in_one_mode_is_lost_in_another():
    # plan 1055070 of the generator: the slowest mode comes back, the second one goes on
    found = certify(draw_plan(1_055_070).test, margins=False)
    assert found.verdict in ("unstable", "undecided")


def test_what_is_lost_a_little_further_than_is_tried_is_not_decided():
    # plan 1057545 of the generator, tested without it: a specimen that stiffens is lost from 1.1
    # times the largest push on
    found = certify(draw_plan(1_057_545).test, margins=False)
    assert found.verdict == "undecided"
    assert found.trial.beyond.fate in ("lost", "keeps")
    assert "a little further than is tried" in found.sentence
    assert all(r.fate == "decays" for r in found.trial.releases)


def test_furthest_pushes_are_of_every_mode_to_both_sides(yielding, monkeypatch):
    bench = Bench(yielding, modes_of(yielding))
    pushed = []

    def follow(loop, push):
        pushed.append(push.start)
        return Release(1e-3, 1, 1, "decays", 1.0, 0.0, 4.0, 1.0, 0.0, False, False)

    monkeypatch.setattr(QuietLoop, "follow_timers", follow)
    pusher = Pusher(bench.rehearsal, bench.line.end, bench.modes, bench.yardstick, bench.shapes)
    loop = QuietLoop(bench.rehearsal, bench.line.end, 100, bench.yardstick)
    quiet_pushes._push_furthest(loop, pusher)
    modes = range(min(pusher.modes, quiet_pushes.LOWEST))
    assert [(s.mode, s.sign) for s in pushed] == [(m, s) for m in modes for s in (1, -1)]
    assert {s.size for s in pushed} == {quiet_pushes.BEYOND * bench.yardstick.limit}
    assert quiet_pushes.BEYOND > 1.1  # by which a truth may go beyond its size
