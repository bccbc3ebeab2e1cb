"""Tuning finds what is known, counts what it does, and is the same twice."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rths.design.candidate import Candidate
from rths.design.search import QUICK, Round, Tuned, deadline, share_out
from rths.registry import find

ONE = Round(None, 1.0, None)


def tuned(bench, evaluations, kind="polynomial", **fields):
    start = Candidate(kind, find("compensator", kind)(**fields))
    return bench.tune(Tuned(start), ONE, evaluations, 60.0)


def test_the_delay_of_a_dead_time_is_found_from_a_wrong_one(bench):
    found = tuned(bench, 60, delay=0.0065, order=3)
    assert found.score.feasible
    # plants lie from 8.5 to 10.3 ms about 9.4
    assert found.candidate.compensator.delay == pytest.approx(0.0094, rel=0.05)
    start = bench.sets.score(
        Candidate("polynomial", find("compensator", "polynomial")(delay=0.0065))
    )
    assert found.score.cost < start.cost


def test_a_search_is_the_same_twice_and_does_what_it_was_given(bench):
    one, two = (tuned(bench, 25, delay=0.008) for _ in range(2))
    assert one.candidate.compensator == two.candidate.compensator
    assert one.score == two.score
    assert one.evaluations <= 25
    assert one.runs <= 25 * len(bench.sets.prepared)


def test_a_deadline_ends_it_and_is_told(bench):
    start = Candidate("polynomial", find("compensator", "polynomial")(delay=0.0094))
    assert deadline(-1.0)()
    found = bench.tune(Tuned(start), ONE, 1000, -1.0)
    assert found.cut
    assert found.evaluations == 1  # so that no candidate goes on without a score
    assert found.score is not None


def test_a_size_that_nothing_tells_is_found(bench):
    found = tuned(bench, 60, kind="inverse", alpha=1.0)
    assert found.score.feasible
    # u + (α - 1) h u' makes up for a delay of (α - 1) h
    assert (found.candidate.compensator.alpha - 1) * 0.001 == pytest.approx(0.0094, rel=0.3)


def test_a_longer_run_has_fewer_values_and_every_candidate_some():
    short, long = (share_out(QUICK, QUICK.rounds[0], 25, n, 4) for n in (10_000, 100_000))
    assert short > long >= 5
    assert share_out(replace(QUICK, ticks=1.0), QUICK.rounds[0], 25, 10_000, 4) == 5


def test_actuators_that_differ_are_compensated_better_one_by_one(three):
    (own,) = (c for c in three.field.candidates if c.name == "derivative_feedforward")
    cls = find("compensator", own.kind)
    starts = [replace(own, compensator=cls(delay=r.delay)) for r in three.rigs]
    one_for_all = min((three.tune(Tuned(c), ONE, 20, 60.0) for c in starts), key=lambda t: t.cost)
    each = three.tune(Tuned(own), ONE, 20, 60.0)
    assert each.score.feasible
    # delays of 8 to 24 ms: whoever shares one is 8 ms late or early at an actuator
    assert each.score.error < 0.5 * one_for_all.score.error
    assert each.score.error <= three.sets.score(own).error
    assert len(each.candidate.tables) == 3
