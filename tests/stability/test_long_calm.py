"""A law that learns, after its test: what swings up again, what goes on though nothing moves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rths.compensator.base import Compensator
from rths.loop.block import Block, kernel
from rths.stability import long_calm
from rths.stability.bench import Bench
from rths.stability.certificate import certify
from rths.stability.long_calm import Calm, Watch
from rths.stability.other_ends import Ending, end_otherwise
from rths.stability.rehearsal import Pulse, Rehearsal, Stretch
from rths.stability.structural_modes import modes_of
from rths.stability.timeline import quiet_window_of
from rths.stability.trial import Trial
from rths.stability.verdict import judge_trial
from rths.stability.yardstick import Yardstick


@pytest.fixture(scope="module")
def slow_learner(rig, make):
    """Two storeys whose law stops learning where the loop grows by a hundredth in a period."""
    return rig(
        excitation=make(
            "excitation",
            "multi_sine",
            amplitudes=(0.134, 0.0935, 0.0534),
            frequencies=(1.675, 2.053, 1.2115),
            phases=(0.0, 1.0, 2.0),
        ),
        structure=make(
            "structure",
            "linear",
            mass=[[44560.6, 0.0], [0.0, 38731.9]],
            stiffness=[[36451753.0, -22692353.0], [-22692353.0, 22692353.0]],
            interface=(1,),
            rayleigh=(0.00546, 0.00546),
        ),
        integrator=make("integrator", "newmark_average", interface_stiffness=3.87e6),
        compensator=make("compensator", "adaptive_inverse", alpha=5.58, proportional=6.87e5),
        transfer=make("transfer", "first_order", time_constant=0.004035, gain=1.047),
        specimen=make("specimen", "spring", stiffness=5.531e6),
        tick=1e-3,
        step=2e-3,
        duration=10.248,
    )


def test_a_test_that_is_ended_otherwise_may_swing_up_again(slow_learner):
    rehearsal = Rehearsal(slow_learner)
    end = rehearsal.run(rehearsal.start, rehearsal.ticks).state
    faded = rehearsal.end_smoothly(end, 1000)
    course = []
    for _ in range(20):
        part = rehearsal.run(faded, 50_000, quiet=True)
        faded = part.state
        course.append(np.ptp(part.rows[-5000:, 0]))
    assert max(course[3:]) > 4 * min(course[: int(np.argmax(course[3:])) + 3])  # minutes later
    bench = Bench(slow_learner, modes_of(slow_learner))
    window = quiet_window_of(bench.rehearsal, bench.modes)
    endings = tuple(end() for end in end_otherwise(Watch(bench.line, bench.yardstick, window)))
    matters = bench.yardstick.matters
    assert any(e.calm.bursts(matters) for e in endings)
    trial = Trial(5e-3, matters, 3.1, 0.3, None, endings=endings, learns=True)
    found = judge_trial(trial, -1.0, 1e-3)
    assert found.verdict == "undecided"
    assert "calms down, and swings up again" in found.reason


def test_what_decays_from_every_end_is_calm(shaken, make):
    law = make("compensator", "adaptive_time_series", delay=0.01)
    test = shaken(0.05, 0.3, 1.0, 0.3, 0.01, compensator=law)
    bench = Bench(test, modes_of(test))
    window = quiet_window_of(bench.rehearsal, bench.modes)
    endings = [end() for end in end_otherwise(Watch(bench.line, bench.yardstick, window))]
    assert len({(e.time, e.smooth) for e in endings}) == len(endings) > 3
    assert {e.smooth for e in endings} == {True, False}
    assert not any(e.calm.bursts(0.02) or e.calm.grows(0.02) for e in endings)
    assert not any(e.calm.walks for e in endings)


def test_other_ends_are_tried_of_what_nothing_else_decides(shaken, make, monkeypatch):
    law = make("compensator", "adaptive_time_series", delay=0.01)
    test = shaken(0.05, 0.3, 1.0, 0.3, 0.01, compensator=law)
    assert len(certify(test, margins=False).trial.endings) > 3
    monkeypatch.setattr(Bench, "excess", "it goes too far")
    found = certify(test, margins=False)
    assert found.sentence.startswith("not decided: it goes too far")
    assert not found.trial.endings


def watched(sizes, monkeypatch, bench):
    """What is seen of a loop that moves so, window by window."""
    heard = iter([*sizes, *[1e-12] * 2000])
    monkeypatch.setattr(long_calm, "amplitude", lambda *a: next(heard))
    line, window = bench.line, quiet_window_of(bench.rehearsal, bench.modes)
    return Watch(line, bench.yardstick, window).watch(line.end)


@pytest.fixture(scope="module")
def steady(shaken, make):
    test = shaken(0.05, 0.3, 1.0, 0.3, 0.01, compensator=make("compensator", "lms", delay=0.01))
    return Bench(test, modes_of(test))


@pytest.mark.parametrize(
    ("sizes", "rise", "bursts"),
    [
        ([1.0, 0.1, 1e-3, 0.05, 0.01], (1e-3, 0.05), True),
        ([1.0, 0.5, 0.2], (1.0, 1.0), False),
        ([1.0, 1e-4, 5e-4, 1e-7], (1e-4, 5e-4), False),  # a beat
        ([1.0, 0.5, np.inf], (0.5, np.inf), True),
        ([np.inf], (np.inf, np.inf), True),  # lost at once
    ],
)
def test_a_rise_is_seen_from_the_calm_before_it(steady, monkeypatch, sizes, rise, bursts):
    now = iter(sizes)
    monkeypatch.setattr(Yardstick, "is_lost", lambda *a: next(now, 0.0) == np.inf)
    found = watched(sizes, monkeypatch, steady)
    assert (found.least, found.largest) == rise
    assert found.bursts(0.02) == bursts
    assert not found.grows(0.02) or bursts


@pytest.mark.parametrize(("last", "grows"), [(5e-4, True), (1.5e-4, False), (1e-9, False)])
def test_what_grows_is_what_is_left_larger_than_it_was(last, grows):
    assert Calm(1e-4, 5e-4, last, 100.0).grows(0.02) == grows


@pytest.fixture(scope="module")
def walking(rig, make):
    """One mass whose law integrates what its last motion has left, for ever."""
    k = 1000.0 * (4 * np.pi) ** 2

    def made(alpha, gain, **given):
        return rig(
            structure=make(
                "structure", "linear", mass=1000.0, stiffness=k / 2, damping_ratios=0.03
            ),
            integrator=make("integrator", "newmark_average", interface_stiffness=k / 2),
            compensator=make("compensator", "adaptive_inverse", alpha=alpha, proportional=gain),
            transfer=make("transfer", "dead_time", delay=0.01),
            specimen=make("specimen", "spring", stiffness=k / 2),
            tick=1e-3,
            **given,
        )

    return made


def swings_of(rehearsal, state, seconds, pulse=None):
    """Half the way of the target in every second."""
    rows = rehearsal.run(state, seconds * 1000, pulse, quiet=True).rows[:, 0]
    return 0.5 * np.ptp(rows.reshape(-1, 1000), axis=1)


@pytest.mark.parametrize("noise", [0.0, 1e-6])
def test_a_burst_minutes_after_the_test_is_seen(walking, make, noise):
    given = {"feedback": make("feedback", "noise", displacement=noise, force=2.0)} if noise else {}
    free = make("excitation", "free_vibration", displacement=0.01)
    test = walking(11.8, 3e5, excitation=free, duration=10.0, **given)
    rehearsal = Rehearsal(test)
    end = rehearsal.run(rehearsal.start, rehearsal.ticks).state
    swings = swings_of(rehearsal, end, 300)
    assert swings[100] < 0.002 * 0.01 < 0.05 * 0.01 < swings[150:].max()
    assert certify(test, margins=False).verdict == "undecided"


def test_a_push_that_bursts_after_minutes_is_not_decided(walking, make):
    sine = make("excitation", "sine", amplitude=0.3, frequency=1.5, acting="ground_acceleration")
    test = walking(8.0, 1e5, excitation=sine, duration=20.0)
    rehearsal = Rehearsal(test)
    end = rehearsal.run(rehearsal.start, rehearsal.ticks).state
    rest = rehearsal.run(end, 20_000, quiet=True).state
    swings = swings_of(rehearsal, rest, 120, Pulse(int(rest[0]), 250, (1200.0,)))
    motion = 0.00665
    assert swings[40:70].max() < 0.01 * motion < 0.5 * motion < swings[80:].max()
    assert certify(test, margins=False).verdict == "undecided"


@pytest.mark.parametrize(("rate", "alpha"), [(1000, 10.8), (4000, 40.2)])
def test_a_law_that_walks_though_nothing_moves_is_not_decided(walking, make, rate, alpha):
    # it bursts after eight minutes: no watch is long enough at every rate
    sine = make("excitation", "sine", amplitude=0.3, frequency=1.5, acting="ground_acceleration")
    given = {"excitation": sine, "duration": 44.0, "limits": {"compensator.command": 0.0135}}
    law = make("compensator", "adaptive_inverse", alpha=alpha, proportional=30.0 * rate)
    test = replace(walking(alpha, 1.0, **given), compensator=law, tick=1 / rate)
    found = certify(test, margins=False)
    assert found.verdict == "undecided"
    assert "its law walks on though hardly anything moves" in found.sentence
    fixed = replace(test, compensator=replace(law, integral=0.0))
    watch = Bench(fixed, modes_of(fixed))
    window = quiet_window_of(watch.rehearsal, watch.modes)
    calm = [end().calm for end in end_otherwise(Watch(watch.line, watch.yardstick, window))]
    assert not any(c.walks or c.bursts(0.02) for c in calm)


@pytest.mark.parametrize(
    ("course", "walk"),
    [
        ([1.0, 1.1, 1.2, 1.3, 1.4], True),
        ([1.0, 1.1, 1.15, 1.175, 1.1875], False),  # it comes to an end
        ([1.0, 1.1, 1.0, 1.1, 1.0], False),  # it comes and goes
        ([1.0, 1.0 + 1e-9, 1.0 + 2e-9, 1.0 + 3e-9, 1.0 + 4e-9], False),  # next to nothing
    ],
)
def test_a_walk_goes_on_to_one_side(course, walk, walking, make, monkeypatch):
    free = make("excitation", "free_vibration", displacement=0.01)
    test = walking(10.0, 1e5, excitation=free, duration=10.0)
    bench = Bench(test, modes_of(test))
    watch = Watch(bench.line, bench.yardstick, 1000)
    states = [bench.line.end.copy() for _ in course]
    for k, (state, value) in enumerate(zip(states, course, strict=True)):
        state[0] += k * 10_000  # ticks
        state[bench.rehearsal.learnt] = value, 1.0
    later = iter(states[1:])
    said = lambda *a, **given: Stretch(np.zeros((1, 3)), next(later), True)  # noqa: E731
    monkeypatch.setattr(watch.rehearsal, "run", said)
    share, moved = watch._walk(states[0])
    assert (share > 0.1) == walk
    assert moved == 0.0


@kernel
def integrate(x, p, u, y):
    x[2] += 0.5 * (x[1] * u[1] - x[0] * x[3])
    x[4] += x[2]
    alpha = max(p[0] + p[1] * x[2] + p[2] * x[4], 0.0)
    y[0] = alpha * u[0] - (alpha - 1.0) * x[0]
    x[1], x[0], x[3] = x[0], u[0], u[1]


class Silent(Compensator):
    """The same law, which tells nothing of what it learns."""

    kind = "silent"
    clock = "tick"
    inputs = ("integrator.target", "feedback.displacement")
    adapts = True

    def block(self, site):
        return Block(integrate, [10.8, 3e4, 20.0], 5, outputs=1)


def test_a_law_that_tells_nothing_is_asked_by_its_states(walking, make):
    sine = make("excitation", "sine", amplitude=0.3, frequency=1.5, acting="ground_acceleration")
    test = replace(walking(10.8, 3e4, excitation=sine, duration=44.0), compensator=Silent())
    bench = Bench(test, modes_of(test))
    window = quiet_window_of(bench.rehearsal, bench.modes)
    assert any(
        end().calm.walks for end in end_otherwise(Watch(bench.line, bench.yardstick, window))
    )


def test_the_words_say_what_was_pushed():
    calm = Calm(1e-6, 0.5, 0.5, 100.0)
    trial = Trial(1e-2, 0.02, 3.1, 0.3, None, endings=(Ending(0.0, False, calm, 0.03),))
    assert "pushed by 30 mm after the test" in judge_trial(trial, -1.0, 1e-3).reason
    sooner = replace(trial, endings=(Ending(5.0, True, calm),))
    assert "smoothly ended at 5 s" in judge_trial(sooner, -1.0, 1e-3).reason
    walking = replace(calm, largest=1e-6, last=0.0, walk=4.5)
    walks = replace(trial, endings=(Ending(5.0, False, walking),))
    assert "by 4.5e+02 % in ten minutes: stop it with" in judge_trial(walks, -1.0, 1e-3).reason
    walks = replace(trial, endings=(Ending(5.0, False, replace(walking, walk=1e9)),))
    assert "without end: stop it with the test" in judge_trial(walks, -1.0, 1e-3).reason
