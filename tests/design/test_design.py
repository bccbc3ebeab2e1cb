"""A whole design: what is chosen is safe, tuned, explained and written; and where nothing is."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import replace
from math import inf

import pytest

import rths
from rths.config.plan import load
from rths.design import design as design_module
from rths.design.answer import DATA, PAGE, PLAN, answer_folder, as_dict, write_answer
from rths.design.candidate import Candidate, say_kind
from rths.design.design import choose, run_design
from rths.design.judgement import Judged
from rths.design.page import design_page
from rths.design.remedy import Attempt, Remedy, find_remedies
from rths.design.search import Tuned
from rths.design.words import cost_words, headline, reasons
from rths.design.workbench import Workbench
from rths.errors import InputError
from rths.registry import find
from rths.stability.certificate import certify


def test_what_is_chosen_is_certified_and_follows_the_emulated_structure(answer):
    assert answer.chosen is not None
    assert answer.chosen.safe
    assert certify(answer.plan, margins=False).may_run
    assert answer.chosen.error < 0.05


def test_no_safe_finalist_has_clearly_less_error(answer):
    safe = [j.error for j in answer.judged if j.safe]
    assert answer.chosen.error <= 1.02 * min(safe)


def test_every_candidate_has_its_place_once(answer, bench):
    names = [t.candidate.kind for t in answer.ranking]
    assert len(names) == len(set(names))
    assert set(names) == {c.kind for c in bench.field.candidates}
    assert answer.runs >= sum(t.runs for t in answer.ranking)


def test_the_reason_names_error_certificate_and_cost(answer):
    told = " ".join(reasons(answer))
    assert say_kind(answer.chosen.tuned.candidate.kind) in headline(answer)
    assert answer.chosen.sentence in told
    assert "perturbed plants" in told
    assert "rehearsals in" in cost_words(answer)


def test_the_files_are_a_plan_that_runs_numbers_and_a_page(answer, tmp_path):
    paths = write_answer(answer, tmp_path / "answer")
    assert [p.name for p in paths] == ["chosen.toml", "design.json", "design.html"]
    plan = load(paths[0])
    assert plan.compensator == answer.plan.compensator
    assert rths.simulate(replace(plan, duration=1.0)).stop.completed
    told = json.loads(paths[1].read_text(encoding="utf-8"))
    assert told["chosen"]["kind"] == answer.chosen.tuned.candidate.kind
    page = paths[2].read_text(encoding="utf-8")
    assert "Error against margin" in page
    assert "http" not in page.replace("http://www.w3.org", "")  # needs nothing else


def test_an_earlier_answer_is_not_replaced_unless_that_is_said(answer, tmp_path):
    write_answer(answer, tmp_path)
    with pytest.raises(InputError, match="--overwrite"):
        answer_folder(tmp_path, overwrite=False)
    assert answer_folder(tmp_path, overwrite=True) == tmp_path


def test_names_on_the_page_are_text_and_not_markup(answer):
    named = replace(answer, test=replace(answer.test, name="<script>x</script>"))
    assert "<script>" not in design_page(named)


def judged(error, verdict="tested", margin=0.01, failures=()):
    found = Judged(Tuned(candidate=None), list(failures), verdict=verdict, delay_margin=margin)
    found.tuned.score = type("Score", (), {"error": error})()
    return found


def test_the_least_error_is_chosen_and_of_alike_ones_the_proved():
    best, proved = judged(0.0100), judged(0.0101, "proved")
    assert choose([best, proved]) is proved
    assert choose([best, judged(0.02, "proved")]) is best
    wide = judged(0.0101, margin=0.02)
    assert choose([best, wide]) is wide
    assert choose([judged(0.001, failures=["unstable"]), best]) is best
    assert choose([judged(0.001, failures=["unstable"])]) is None
    assert choose([judged(0.01, margin=None), judged(0.01, margin=1.0)]).delay_margin is None


def test_remedies_know_how_long_a_judgement_has_taken(plan, bench, monkeypatch):
    late = replace(plan, transfer=find("transfer", "dead_time")(delay=0.09))
    times, longest = [], 123.0

    def judge_for_long(crew, workers, answer, every, left, *_):
        left.longest = longest

    def note(bench, ranking, wishes, *, left, workers):
        times.append(left.longest)
        return Attempt(tried=["a quicker actuator"])

    monkeypatch.setattr(design_module, "_judge_best", judge_for_long)
    monkeypatch.setattr(design_module, "find_remedies", note)
    found = run_design(Workbench(late, bench.commission), 2)
    assert times == [longest]
    assert "A quicker actuator did not help" in " ".join(reasons(found))
    assert as_dict(found)["changes_tried"] == found.tried


def test_what_was_taken_for_its_margin_is_not_said_to_have_the_least_error(answer):
    c = answer.chosen
    better = replace(c.tuned, score=replace(c.tuned.score, error=0.99 * c.error))
    better.candidate = replace(better.candidate, kind="another_kind")
    for rival, why in (
        (replace(c, tuned=better, delay_margin=0.0), "has more delay to spare"),
        (replace(c, tuned=better, verdict="tested"), "is proved, not tested"),
    ):
        told = reasons(replace(answer, judged=[rival, c]))[0]
        assert c.verdict == "proved"
        assert "least error" not in told
        assert f"hardly more error than another kind, and {why}" in told
    assert "the least error of those" in reasons(replace(answer, judged=[c]))[0]


@pytest.fixture(scope="module")
def hopeless(plan, bench):
    late = replace(plan, transfer=find("transfer", "dead_time")(delay=0.09))
    return run_design(Workbench(late, bench.commission), 2, remedies=False)


def test_where_nothing_is_safe_nothing_is_chosen_and_that_is_said(hopeless, tmp_path):
    assert hopeless.chosen is None
    assert "no compensator keeps all requirements" in headline(hopeless)
    assert reasons(hopeless)
    paths = write_answer(hopeless, tmp_path)
    assert [p.name for p in paths] == ["design.json", "design.html"]
    assert "no compensator" in paths[1].read_text(encoding="utf-8")
    assert json.loads(json.dumps(as_dict(hopeless)))["chosen"] is None


@pytest.mark.parametrize(
    ("tried", "said"),
    [
        ([], "What would have to change was not looked at."),
        (["a quicker actuator"], "A quicker actuator did not help as far as was looked."),
        (["b", "a", "c"], "Neither b, a nor c helped as far as was looked."),
    ],
)
def test_only_changes_that_were_looked_at_are_said_not_to_help(hopeless, tried, said):
    assert said in reasons(replace(hopeless, tried=tried))


def test_a_remedy_is_told_with_what_it_rests_on(hopeless):
    few = Remedy("a specimen", 0.4, "hermite", 0.01, "certified with a third of the disturbances")
    told = " ".join(reasons(replace(hopeless, remedies=[few])))
    assert "keep all requirements (certified with a third of the disturbances), with an" in told


@pytest.mark.parametrize("cut", [False, True])
def test_that_nothing_is_safe_is_not_said_of_what_was_not_looked_at(hopeless, cut):
    told = reasons(replace(hopeless, cut=cut))
    assert ("a thorough one may find" in told[-1]) == cut


def test_the_page_asks_for_no_delay_that_was_not_tried(answer, hopeless):
    """Where nobody was certified it is said what the rehearsals had, not what was asked for."""
    assert "with 10 % more delay and 1.2 times" in design_page(answer)
    unjudged = replace(hopeless, judged=[], stress="1.2 times the specimen's force")
    page = design_page(unjudged)
    assert "more delay" not in page
    assert "with 1.2 times the specimen" in page


def test_a_limit_below_the_emulated_motion_is_named(hopeless):
    assert "beyond the limit" not in " ".join(reasons(hopeless))
    (low, high), narrow = hopeless.reach[0], 0.5 * hopeless.rig.motion
    assert max(-low, high) == pytest.approx(hopeless.rig.motion)
    for given, share in ((narrow, 0.5), ((-narrow, 0.1 * narrow), 0.1 * narrow / high)):
        cut = replace(hopeless.test, limits={"compensator.command": given})
        told = " ".join(reasons(replace(hopeless, test=cut)))
        assert "beyond the limit of compensator.command" in told
        assert f"a motion {share:.2g} times as large" in told


def test_each_channel_has_its_own_motion_beside_its_limit(hopeless):
    cut = replace(hopeless.test, limits={"compensator.command": 5e-3})
    told = reasons(replace(hopeless, test=cut, reach=[(-4e-3, 4.9e-3), (-8e-3, 2e-3)]))
    beyond = [line for line in told if "beyond the limit" in line]
    assert len(beyond) == 1
    assert "moves 8 mm, beyond the limit of compensator.command[1], 5 mm" in beyond[0]


def test_an_actuator_alone_is_no_hybrid_test():
    plan = {
        "clock": {"tick": 0.001, "duration": 1.0},
        "excitation": {"kind": "sine", "acting": "command", "amplitude": 0.01, "frequency": 1.0},
        "transfer": {"kind": "dead_time", "delay": 0.005},
    }
    with pytest.raises(InputError, match="nothing to compensate"):
        rths.design(plan)


def test_an_effort_that_is_not_known_is_refused(plan):
    with pytest.raises(InputError, match="quick or thorough"):
        rths.design(plan, effort="lazy")


def test_an_interrupted_design_says_so(answer):
    cut = replace(answer, chosen=None, interrupted=True)
    assert "interrupted" in headline(cut)
    assert "was not looked at" in " ".join(reasons(cut))
    early = replace(cut, judged=[])
    assert "none was certified" in " ".join(reasons(early))
    assert answer.chosen.error < inf


def test_a_wish_to_stop_after_the_choice_is_told_with_it(answer):
    told = replace(answer, interrupted=True)
    assert headline(told) == headline(answer)
    assert "Interrupted" in reasons(told)[-1]


def test_an_interrupted_search_leaves_an_answer_without_a_choice(hopeless, tmp_path):
    before = [p.read_text(encoding="utf-8") for p in write_answer(hopeless, tmp_path)]
    assert write_answer(replace(hopeless, interrupted=True), tmp_path) == []
    assert [(tmp_path / n).read_text(encoding="utf-8") for n in (DATA, PAGE)] == before


def test_an_error_of_fewer_rehearsals_is_not_compared(answer):
    judged = {id(j.tuned) for j in answer.judged}
    rest = [t for t in answer.ranking if id(t) not in judged and t.score.feasible]
    early = replace(rest[0], rounds=1)
    late = replace(rest[0], rounds=2)
    for t, words in ((early, "was left behind: "), (late, "times the error")):
        told = reasons(replace(answer, ranking=[answer.chosen.tuned, t]))[-1]
        assert words in told
        assert ("in fewer rehearsals" in told) == (t is early)
    assert "in fewer rehearsals" in design_page(replace(answer, ranking=[early]))


def test_an_interrupted_search_takes_nothing_from_an_earlier_answer(answer, tmp_path):
    before = [p.read_text(encoding="utf-8") for p in write_answer(answer, tmp_path)]
    cut = replace(answer, chosen=None, interrupted=True)
    assert write_answer(cut, tmp_path) == []
    assert [(tmp_path / n).read_text(encoding="utf-8") for n in (PLAN, DATA, PAGE)] == before
    assert [p.name for p in write_answer(cut, tmp_path / "new")] == [DATA, PAGE]


def test_a_wish_to_stop_ends_the_search_for_remedies(plan, bench):
    late = replace(plan, transfer=find("transfer", "dead_time")(delay=0.09))
    found = find_remedies(Workbench(late, bench.commission), [], ["SIGINT"])
    assert (found.remedies, found.tried) == ([], [])


def test_kinds_are_words_on_the_page_and_the_tables_are_toml(answer):
    page = design_page(answer)
    text = page.partition("<pre")[2].partition(">")[2].partition("</pre>")[0]
    table = tomllib.loads(text.replace("&#34;", '"'))["compensator"]
    assert table["kind"] == answer.chosen.tuned.candidate.kind
    assert not re.search("[a-z]_[a-z]", page.replace(text, "").partition("<main>")[2])


def test_each_channel_has_its_own_table_on_the_page(answer):
    made = (
        find("compensator", "polynomial")(delay=0.004),
        find("compensator", "polynomial")(delay=0.006),
    )
    own = replace(answer.chosen.tuned, candidate=Candidate("polynomial", made, "plan"))
    page = design_page(replace(answer, chosen=replace(answer.chosen, tuned=own)))
    assert page.count("[[compensator]]") == 2


def test_each_channel_has_its_own_kind_on_the_page(answer):
    made = (find("compensator", "polynomial")(delay=0.004), find("compensator", "none")())
    own = replace(answer.chosen.tuned, candidate=Candidate("polynomial and none", made, "plan"))
    page = design_page(replace(answer, chosen=replace(answer.chosen, tuned=own)))
    text = page.partition("<pre")[2].partition(">")[2].partition("</pre>")[0]
    tables = tomllib.loads(text.replace("&#34;", '"'))["compensator"]
    assert [t["kind"] for t in tables] == ["polynomial", "none"]
