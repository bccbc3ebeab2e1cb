"""Random plans follow from their seeds, leave no kind out, and are judged as they say."""

from __future__ import annotations

from collections import Counter

import pytest

from benchmarks.certificates.compare import certificate_of, judge_entry, measure, read_store
from benchmarks.certificates.draw import compensator, excitation, feedback, specimen, transfer
from benchmarks.certificates.draw.rig import FRAMES, PUBLISHED
from benchmarks.certificates.draw.structure import WEIGHTS
from benchmarks.certificates.draw.trap import TRAPS
from benchmarks.certificates.plans import JUDGING, draw_plan
from benchmarks.certificates.replay import confirms
from rths.config.plan import dumps, load
from rths.registry import kinds
from rths.stability.certificate import certify

QUICK = (26, 54)
"""Plans of the default suite: a linear one that runs away, and one of two actuators that stays."""
PORTION = range(200, 240)
"""Plans of a longer portion, for development."""


NO_LOOP = {"none": "a plan without a structure or a specimen closes no loop"}
LIKE_OTHERS = {
    "steps": "levels as force_history draws them",
    "displacement_history": "as force_history, for commands and supports",
}


@pytest.fixture(scope="module")
def plans():
    return [draw_plan(seed) for seed in QUICK]


@pytest.mark.parametrize(
    ("role", "drawn"),
    [
        ("excitation", {**excitation.DRAWN, **LIKE_OTHERS}),
        ("compensator", compensator.DRAWN),
        ("transfer", transfer.DRAWN),
        ("specimen", {**specimen.DRAWN, **NO_LOOP}),
        ("feedback", feedback.DRAWN),
        ("structure", {**WEIGHTS, **NO_LOOP, **FRAMES, "published": PUBLISHED}),
    ],
)
def test_every_kind_of_every_role_is_drawn(role, drawn):
    assert {kind for kind in drawn if ":" not in kind} == set(kinds(role))


@pytest.mark.slow
def test_all_sorts_of_loops_and_one_to_three_actuators_occur():
    drawn = [draw_plan(seed) for seed in range(120)]
    sorts = Counter(plan.sort for plan in drawn)
    assert {*TRAPS, "free", "linear"} == set(sorts)
    assert {plan.test.channels for plan in drawn} == {1, 2, 3}


def test_a_plan_follows_from_its_seed(plans):
    again = draw_plan(QUICK[0])
    assert again.table == plans[0].table != plans[1].table


def test_seeds_for_judging_begin_beyond_those_for_development():
    assert max(*QUICK, *PORTION) < JUDGING


def test_a_plan_in_its_file_is_the_plan_that_was_drawn(plans, tmp_path):
    for plan in plans:
        assert dumps(load(plan.write(tmp_path), trust=True)) == dumps(plan.test)


@pytest.mark.parametrize(
    ("verdict", "truth", "word"),
    [
        ("tested", "runs away", "wrong"),
        ("proved", "stays", "right"),
        ("unstable", "stays", "alarm"),
        ("unstable", "runs away", "right"),
        ("undecided", "stays", "open"),
        ("tested", "unclear", "unclear"),
    ],
)
def test_an_answer_is_judged_by_the_truth(verdict, truth, word):
    assert judge_entry({"verdict": verdict, "truth": truth, "shown": False}) == word


def test_a_counterexample_that_shows_the_loss_is_no_alarm(plans):
    lost, stays = plans
    shown = certify(lost.test, margins=False).counterexample
    assert shown is not None
    assert confirms(shown.test, lost.peak)
    assert not confirms(stays.test, stays.peak)
    assert judge_entry({"verdict": "unstable", "truth": "stays", "shown": True}) == "shown"


def test_a_certificate_that_takes_too_long_decides_nothing(plans, monkeypatch):
    def ponder(*_, **__):
        while True:
            pass

    monkeypatch.setattr("benchmarks.certificates.compare.certify", ponder)
    assert certificate_of(plans[0], patience=0.01)["verdict"] == "slow"


def test_two_linear_plans_are_judged_rightly_and_kept(tmp_path):
    found = measure(QUICK, tmp_path)
    assert found["plans"] == len(read_store(tmp_path / "truths.jsonl")) == len(QUICK)
    assert all(row["ok"] for row in found["rows"].values())


@pytest.mark.slow
def test_no_plan_of_a_portion_is_called_safe_and_runs_away(tmp_path):
    rows = measure(PORTION, tmp_path)["rows"]
    assert rows["called proved or tested, and runs away"]["value"] == 0
