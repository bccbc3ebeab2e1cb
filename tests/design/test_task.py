"""A design crosses a wire: a worker makes the same of it as we do."""

from __future__ import annotations

import pickle
from dataclasses import replace

import pytest

from rths.design.candidate import Candidate
from rths.design.crew import gather_crew, results
from rths.design.search import Round, Tuned
from rths.design.task import make_task, work_on
from rths.errors import InputError
from rths.registry import find

ROUND = Round(None, 1.0, None)


def start():
    return Tuned(Candidate("polynomial", find("compensator", "polynomial")(delay=0.008)))


def test_a_task_tunes_as_the_bench_does(plan, bench):
    task = pickle.loads(pickle.dumps(make_task(plan, bench.commission)))
    sent = pickle.dumps((start(), ROUND, 10, 60.0))
    found = pickle.loads(pickle.dumps(work_on(task, "tune", sent)))
    here = bench.tune(start(), ROUND, 10, 60.0)
    assert found.score == here.score
    assert found.candidate.compensator == here.candidate.compensator


def test_another_version_is_turned_away(plan, bench):
    other = replace(make_task(plan, bench.commission), versions={"rths": "0.0.0"}, plan=PLAN)
    with pytest.raises(InputError, match=r"0\.0\.0"):
        work_on(other, "tune", b"")


PLAN = "name = 'other'\n"


def test_threads_give_results_in_their_order(bench):
    with gather_crew(bench, 2, None) as crew:
        futures = [crew.submit("tune", start(), ROUND, n, 60.0) for n in (1, 3, 2)]
        found = results(crew, futures, [])
    assert [t.evaluations for t in found] == [1, 3, 2]


def test_after_a_wish_to_stop_nothing_is_begun(bench):
    with gather_crew(bench, 1, None) as crew:
        futures = [crew.submit("tune", start(), ROUND, 200, 60.0) for _ in range(4)]
        bench.stop.set()
        found = results(crew, futures, ["SIGINT"])
    assert len(found) <= 1
