"""Who is judged, in which order and until when; and what has its place in the ranking then."""

from __future__ import annotations

import time
from concurrent.futures import Future
from dataclasses import replace
from math import inf

import pytest

from rths.cli.design import _tell
from rths.design.answer import as_dict
from rths.design.design import _compare_margins, _judge_best
from rths.design.judgement import Judged, PlantCount
from rths.design.page import design_page, draw_trade
from rths.design.time_left import TimeLeft
from rths.design.words import reasons


class Examiner:
    """A crew that knows the outcome of every judgement, and notes which were asked for."""

    def __init__(self, unsafe, variants=(), delay=0.0):
        self.unsafe, self.variants, self.asked = unsafe, list(variants), []
        self.delay = delay

    def submit(self, part, given, *_):
        found = Future()
        if part == "count_plants":
            found.set_result(PlantCount(0, 100, "rehearsals"))
            return found
        name = given.candidate.name
        self.asked.append((name, part))
        if part == "vary":
            time.sleep(self.delay)
            found.set_result(self.variants)
            return found
        failures = ["no"] if name in self.unsafe.get(part, ()) else []
        found.set_result(Judged(given, failures, verdict="tested", stressed=part))
        return found

    def tend(self):
        """Nothing is lost."""


@pytest.mark.parametrize(
    ("unsafe", "known", "chosen"),
    [
        ({}, "ab", "a"),  # b is as good within a fiftieth, c is not
        ({"judge_stress": "a"}, "ab", "b"),
        ({"judge_plan": "ab"}, "abc", "c"),
        ({"judge_plan": "abc"}, "abcd", "d"),
        ({"judge_plan": "a", "judge_stress": "bcd"}, "abcd", None),
    ],
)
@pytest.mark.parametrize("workers", [1, 2])
def test_only_what_may_still_be_chosen_is_judged(answer, unsafe, known, chosen, workers):
    found, crew = replace(answer, judged=[], chosen=None), Examiner(unsafe)
    _judge_best(crew, workers, found, four(answer), TimeLeft(inf), [], lambda words: None)
    assert "".join(dict.fromkeys(name for name, _ in crew.asked)) == known
    assert (found.chosen and found.chosen.tuned.candidate.kind) == chosen
    assert {part for _, part in crew.asked} - {"vary"} == {"judge_plan", "judge_stress"}


def four(answer, kinds="abcd", starts=("delay",) * 4):
    """Give four finalists with the errors of `test_only_what_may_still_be_chosen_is_judged`."""
    scored, errors = answer.chosen.tuned, (0.0100, 0.0101, 0.0110, 0.0120)
    return [
        replace(
            scored,
            candidate=replace(scored.candidate, kind=kind, start=start),
            score=replace(scored.score, error=error),
        )
        for kind, start, error in zip(kinds, starts, errors, strict=True)
    ]


@pytest.mark.parametrize(("whole", "known"), [(inf, "abcd"), (100.0, "abcd"), (30.0, "a")])
def test_time_is_kept_for_remedies_as_long_as_nothing_is_safe(answer, whole, known):
    """Four seconds are left: a seventh of 30 is more, and then only the best is judged."""
    effort = replace(answer.commission.effort, whole=whole)
    found = replace(
        answer, commission=replace(answer.commission, effort=effort), judged=[], cut=False
    )
    left = TimeLeft(4.0 if whole == 30.0 else inf)
    crew = Examiner({"judge_plan": "abcd"})
    _judge_best(crew, 2, found, four(answer), left, [], lambda words: None)
    assert "".join(dict.fromkeys(name for name, _ in crew.asked)) == known
    assert found.cut == (known == "a")


def test_starts_of_a_kind_that_came_to_the_same_place_are_judged_once(answer):
    first, second = four(answer, "aabb", ("plan", "delay") * 2)[:2]
    second.score = replace(second.score, error=first.cost * (1 + 1e-5))
    crew = Examiner({"judge_plan": ["a (plan)", "a"]})
    found = replace(answer, judged=[], chosen=None)
    _judge_best(crew, 2, found, [first, second], TimeLeft(inf), [], lambda words: None)
    assert [j.tuned for j in found.judged] == [first]


@pytest.mark.parametrize(("error", "chosen"), [(0.0130, "b"), (0.02, "a")])
def test_what_is_not_safe_is_varied_before_one_with_clearly_more_error(answer, error, chosen):
    """The best has 1 %; its variant has less than 1.9 %, and is asked for if the next has 2 %."""
    best, second = four(answer)[:2]
    beside = replace(best, candidate=replace(best.candidate, start="beside"))
    beside.score = replace(best.score, error=0.019)
    second.score = replace(second.score, error=error)
    crew = Examiner({"judge_plan": ["a"]}, [beside])
    found = replace(answer, judged=[], chosen=None)
    _judge_best(crew, 2, found, [best, second], TimeLeft(inf), [], lambda words: None)
    assert found.chosen.tuned.candidate.kind == chosen


def beside(tuned, error):
    """Give a variant with some error."""
    start = f"beside {tuned.candidate.start}"
    own = replace(tuned, candidate=replace(tuned.candidate, start=start))
    own.score = replace(tuned.score, error=error)
    return own


def test_what_is_chosen_has_the_place_of_its_kind_in_ranking_table_and_picture(answer):
    """The best values of a kind are not safe, its variant is: the kind has the variant's error."""
    best, second = four(answer)[:2]
    second.score = replace(second.score, error=0.02)
    found = replace(answer, judged=[], chosen=None, ranking=[best, second])
    crew = Examiner({"judge_plan": ["a"]}, [beside(best, 0.019)])
    _judge_best(crew, 2, found, [best, second], TimeLeft(inf), [], lambda words: None)
    assert found.chosen.tuned.candidate.name == "a (beside delay)"
    assert [t.candidate.name for t in found.ranking] == ["a (beside delay)", "b"]
    assert found.ranking[0] is found.chosen.tuned
    page = design_page(found)
    row = page.partition("a (beside delay)")[2].partition("</tr>")[0]
    assert "1.9 %" in row
    assert ">nothing<" in row  # is what it lacks
    assert as_dict(found)["ranking"][0]["start"] == "beside delay"
    found.chosen.margins_by = "rehearsals"
    assert draw_trade(found).count('class="dot"') == 1
    far = replace(found, ranking=[second] * 9 + found.ranking[:1])
    assert any("a (beside delay)" in line for line in _tell(far))


def test_of_a_kind_without_a_safe_one_the_best_judged_has_its_place(answer):
    every = four(answer, "aabb", ("plan", "delay", "plan", "delay"))
    found = replace(answer, judged=[], chosen=None, ranking=[every[0], every[2]])
    crew = Examiner({"judge_plan": ["a", "a (plan)", "b (plan)"]})
    _judge_best(crew, 2, found, every, TimeLeft(inf), [], lambda words: None)
    assert found.ranking == [every[0], every[3]]
    assert all(found.judgement_of(t) for t in found.ranking)


def test_one_that_is_chosen_is_told_apart_from_another_of_its_kind(answer):
    c = answer.chosen
    near = beside(replace(c.tuned, looked=True), 0.99 * c.error)
    rival = replace(c, tuned=near, delay_margin=0.0)
    told = reasons(replace(answer, judged=[rival, c]))[0]
    assert f"hardly more error than {near.candidate.words}, and" in told


def test_costs_of_fewer_rehearsals_keep_no_one_from_being_varied(answer):
    """Who dropped out in the first round was scored by three scenarios, and waits for the rest."""
    best, dropped = four(answer)[:2]
    dropped.score, dropped.rounds = replace(dropped.score, error=0.005), 1
    assert best.rounds == 2
    crew = Examiner({"judge_plan": ["a", "b"]}, [beside(best, 0.019)])
    found = replace(answer, judged=[], chosen=None)
    _judge_best(crew, 2, found, [best, dropped], TimeLeft(inf), [], lambda words: None)
    asked = [name for name, part in crew.asked if part == "judge_plan"]
    assert asked[:2] == ["a", "a (beside delay)"]


@pytest.mark.parametrize("seconds", [4.0, inf])
def test_nothing_is_varied_once_the_time_is_over(answer, seconds):
    """A seventh of 30 s is kept for remedies; what is not varied is told of."""
    effort = replace(answer.commission.effort, whole=30.0)
    best = four(answer)[0]
    found = replace(
        answer, commission=replace(answer.commission, effort=effort), judged=[], cut=False
    )
    crew, left = Examiner({"judge_plan": ["a"]}, delay=0.05), TimeLeft(seconds)
    _judge_best(crew, 2, found, [best], left, [], lambda words: None)
    assert (("a", "vary") in crew.asked) == (seconds == inf)
    assert found.cut == (seconds != inf)
    assert (left.longest >= 0.05) == (seconds == inf)  # it is measured as every part


def test_time_for_a_whole_part_is_kept_for_remedies(answer):
    """Judgements take 10 s: with 15 left a second one would leave none for a remedy."""
    found = replace(answer, judged=[], cut=False)
    effort = replace(found.commission.effort, whole=20.0)
    found.commission = replace(found.commission, effort=effort)
    crew = Examiner({"judge_plan": "abcd"})
    left = TimeLeft(15.0, longest=10.0)
    _judge_best(crew, 2, found, four(answer), left, [], lambda words: None)
    assert {name for name, _ in crew.asked} == {"a"}
    assert left.allows()


def test_the_other_start_of_a_kind_is_judged_before_one_with_more_error(answer):
    """A kind whose best values are not safe may be so with those of its other start."""
    every = four(answer, "aabb", ("plan", "delay", "plan", "delay"))
    found, crew = replace(answer, judged=[], chosen=None), Examiner({"judge_stress": ["a (plan)"]})
    _judge_best(crew, 2, found, every, TimeLeft(inf), [], lambda words: None)
    assert found.chosen.tuned is every[1]
    assert [name for name, part in crew.asked if part == "judge_plan"] == ["a (plan)", "a"]
    told = reasons(replace(found, chosen=None, judged=[j for j in found.judged if j.failures] * 2))
    assert sum(line.startswith("a: ") for line in told) == 1  # each kind is told of once


@pytest.mark.parametrize("unsafe", [{"judge_plan": "a"}, {"judge_stress": "ab"}, {}])
def test_more_workers_change_no_answer(answer, unsafe):
    """Four judge two finalists at a time: what is decided is decided in their order."""
    told = []
    for workers in (1, 2, 4, 8):
        every = four(answer)
        every[1].score = replace(every[1].score, error=0.02)
        crew = Examiner(unsafe, [beside(every[0], 0.019)])
        found = replace(answer, judged=[], chosen=None)
        _judge_best(crew, workers, found, every, TimeLeft(inf), [], lambda words: None)
        told.append([j.tuned.candidate.name for j in found.judged])
    assert told[1:] == told[:1] * 3


@pytest.mark.parametrize("seconds", [0.0, inf])
def test_margins_are_compared_as_long_as_there_is_time(answer, seconds):
    class Measurer:
        asked = 0

        def submit(self, part, given):
            self.asked += 1
            done = Future()
            done.set_result(given)
            return done

        def tend(self):
            """Nothing is lost."""

    crew, found = Measurer(), replace(answer, judged=[], ranking=four(answer))
    _compare_margins(crew, 2, found, TimeLeft(seconds), [], lambda words: None)
    assert crew.asked == (4 if seconds else 0)
    assert len(found.ranking) == 4
