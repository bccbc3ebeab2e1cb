"""Trials abreast: their order, what is thrown away, and that cores change no answer."""

from __future__ import annotations

import threading
import time
from concurrent.futures import CancelledError
from functools import partial
from itertools import count, islice

import numpy as np
import pytest

from rths.stability.abreast import MOST, Ahead, UnwantedError, try_abreast
from rths.stability.certificate import certify
from rths.stability.rehearsal import Pulse, Rehearsal


@pytest.fixture(params=[1, 8])
def cores(request, monkeypatch):
    monkeypatch.setattr("rths.stability.abreast.count_cores", lambda: request.param)
    return request.param


def test_results_come_in_their_order(cores):
    # the first trial ends after the second, if they are abreast
    begun = threading.Event()

    def first():
        if cores > 1:
            assert begun.wait(30)
        return "first"

    def second():
        begun.set()
        return "second"

    assert list(try_abreast([first, second, lambda: "third"])) == ["first", "second", "third"]


def test_trials_without_an_end_are_drawn_as_far_as_they_are_asked_for(cores):
    drawn = []

    def draw():
        for k in count():
            drawn.append(k)
            yield partial(int, k)

    assert list(islice(try_abreast(draw()), 5)) == [0, 1, 2, 3, 4]
    assert len(drawn) <= 5 + (MOST if cores > 1 else 0)


def test_what_a_trial_raises_is_raised_in_its_place(cores):
    def fail():
        raise ValueError("the second")

    results = try_abreast([lambda: 1, fail, lambda: 3])
    assert next(results) == 1
    with pytest.raises(ValueError, match="the second"):
        next(results)


def test_what_is_raised_while_a_trial_is_drawn_takes_no_result_away(cores):
    def draw():
        yield lambda: "decided"
        raise ValueError("the second")

    results = try_abreast(draw())
    assert next(results) == "decided"
    with pytest.raises(ValueError, match="the second"):
        next(results)


def test_what_nobody_waits_for_any_more_ends_at_its_next_stretch(rig, monkeypatch):
    monkeypatch.setattr("rths.stability.abreast.count_cores", lambda: 2)
    rehearsal, begun, ended = Rehearsal(rig()), threading.Event(), threading.Event()
    enough = time.monotonic() + 120.0

    def go_on():
        begun.set()
        try:
            while time.monotonic() < enough:  # not a count: a busy machine may come to its end
                rehearsal.run(rehearsal.start, 1)
        except UnwantedError:
            ended.set()

    results = try_abreast([lambda: begun.wait(30), go_on])
    assert next(results)
    results.close()  # waits for what is under way
    assert ended.is_set()
    rehearsal.run(rehearsal.start, 1)  # of no trial: goes on


def test_what_is_begun_ahead_is_there_when_it_is_asked_for(cores):
    begun = threading.Event()
    with Ahead() as ahead:
        found = ahead.begin(lambda: begun.set() or "found")
        assert begun.wait(30) if cores > 1 else not begun.is_set()
        assert found() == "found"


def test_what_is_begun_ahead_and_not_asked_for_ends_with_all_that_it_tries(rig, monkeypatch):
    monkeypatch.setattr("rths.stability.abreast.count_cores", lambda: 2)
    rehearsal, begun, ended = Rehearsal(rig()), threading.Event(), threading.Event()
    enough = time.monotonic() + 120.0

    def go_on():
        begun.set()
        try:
            while time.monotonic() < enough:
                rehearsal.run(rehearsal.start, 1)
        except UnwantedError:
            ended.set()
            raise

    with Ahead() as ahead:
        ahead.begin(lambda: list(try_abreast([go_on])))
        never = ahead.begin(lambda: 1)
        assert begun.wait(30)
    assert ended.is_set()
    with pytest.raises(CancelledError):
        never()


def test_runs_of_one_rehearsal_do_not_see_each_other(rig):
    rehearsal = Rehearsal(rig())
    pulses = [Pulse(0, 20, (force,)) for force in np.linspace(-50.0, 50.0, 40)]
    runs = [
        partial(rehearsal.run, rehearsal.start, rehearsal.ticks, pulse, quiet=k % 2 == 0)
        for k, pulse in enumerate(pulses)
    ]
    alone = [run() for run in runs]
    for one, other in zip(alone, try_abreast(runs), strict=True):
        np.testing.assert_array_equal(one.rows, other.rows)
        np.testing.assert_array_equal(one.state, other.state)


def learning(rig, make):
    return rig(compensator=make("compensator", "adaptive_time_series", delay=9.4e-3))


def drifting(rig, make):
    swing = make("transfer", "varying_dead_time", delay=2e-3, swing=5e-4, swing_frequency=0.3)
    yields = make("specimen", "bilinear", stiffness=1000.0, yield_displacement=2e-3)
    return rig(transfer=swing, specimen=yields)


@pytest.mark.parametrize("plan", [learning, drifting])
def test_how_many_cores_there_are_changes_no_answer(plan, rig, make, monkeypatch):
    test, told = plan(rig, make), []
    for cores in (1, 2):
        monkeypatch.setattr("rths.stability.abreast.count_cores", lambda n=cores: n)
        told.append(certify(test, margins=False).as_dict())
    assert told[0]["trial"]["shadows"]
    assert len(told[0]["trial"]["releases"]) > 20
    assert told[0] == told[1]
