"""A judgement is the same with any number of workers, and none is begun for nobody."""

from __future__ import annotations

from concurrent.futures import Future

import pytest

from rths.design import judgement
from rths.design.candidate import Candidate
from rths.design.panel import judge_together
from rths.design.search import Tuned
from rths.errors import InputError
from rths.registry import find


class Soloist:
    """A crew that does each part at once, and notes which; it may be told when to stop."""

    def __init__(self, bench, wishes=(), last=""):
        self.bench, self.wishes, self.last, self.asked = bench, wishes, last, []

    def submit(self, part, *given):
        self.asked.append(part)
        if part == self.last:
            self.wishes.append("SIGINT")
        found = Future()
        found.set_result(getattr(self.bench, part)(*given))
        return found

    def tend(self):
        """Nothing is lost."""


@pytest.fixture(scope="module")
def cubic(bench):
    made = Candidate("polynomial", find("compensator", "polynomial")(delay=0.0094))
    return Tuned(made, bench.sets.score(made))


@pytest.mark.parametrize("workers", [1, 3])
def test_one_plant_without_roots_sends_all_to_rehearsals(bench, cubic, monkeypatch, workers):
    """It is the second: with three workers the plants of the first part have roots."""
    growth_of, asked = judgement.growth_of, []
    plants = bench.plants(60, judgement.OTHER_SEED, check=False)
    odd = next(iter(plants[1].values()))

    def rate_of(plan, paths):
        rate = growth_of(plan, paths)

        def rate_or_refuse(row):
            asked.append(row)
            if row[0] == odd:
                raise InputError("plan", None, "has no roots", "Run it.")
            return rate(row)

        return rate_or_refuse

    monkeypatch.setattr(judgement, "growth_of", rate_of)
    need = bench.commission.requirements
    (found,) = judge_together(Soloist(bench), [cubic], need, workers, [])
    assert asked
    assert (found.sampled_by, found.samples, found.lost) == ("rehearsals", 60, 0)
    assert found.safe


@pytest.mark.parametrize("last", ["", "judge_stress"])
def test_whoever_wants_to_stop_begins_nothing_more(bench, cubic, last):
    wishes = [] if last else ["SIGINT"]
    crew = Soloist(bench, wishes, last)
    assert judge_together(crew, [cubic], bench.commission.requirements, 2, wishes) == []
    assert crew.asked == (["judge_plan", "judge_stress"] if last else [])
