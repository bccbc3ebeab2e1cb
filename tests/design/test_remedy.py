"""What would have to change: times of an actuator, whatever it is made of."""

from __future__ import annotations

import threading
from dataclasses import replace
from math import inf

import numpy as np
import pytest

from rths.design import remedy
from rths.design.design import run_design
from rths.design.judgement import Judged, PlantCount
from rths.design.limit_remedy import narrow_limits
from rths.design.quicker_actuator import quicken_actuator, scale_times
from rths.design.rehearsal_set import RehearsalSet
from rths.design.remedy import Remedy, find_remedies, shrink_motion
from rths.design.scenario import stress_plan
from rths.design.search import Tuned
from rths.design.time_left import TimeLeft
from rths.design.workbench import Workbench
from rths.errors import InputError
from rths.registry import find
from tests.design.conftest import saturated

LIMITS = {0: 1e-4, 1: 9.0, 2: 8.0}
"""Of three channels, m: one that is narrower than its motion, and two far beyond it."""


def test_times_shrink_and_frequencies_grow_inside_a_series_too():
    table = {
        "kind": "series",
        "links": [
            {"kind": "dead_time", "delay": 0.004},
            {"kind": "second_order", "frequency": 20.0, "damping": 0.7, "delay": 0.002},
        ],
    }
    first, second = scale_times(table, "transfer", 0.5)["links"]
    assert first["delay"] == 0.002
    assert second == {"kind": "second_order", "frequency": 40.0, "damping": 0.7, "delay": 0.001}


def test_a_whole_number_inside_a_table_is_scaled_too():
    inner = {"kind": "second_order", "frequency": 10, "damping": 1}
    table = {"kind": "limited", "velocity": 0.05, "actuator": inner}
    quicker = scale_times(table, "transfer", 0.5)
    assert quicker == {**table, "velocity": 0.1, "actuator": {**inner, "frequency": 20.0}}


def test_a_quicker_valve_has_more_flow():
    table = {**find("transfer", "servo_hydraulic").example, "kind": "servo_hydraulic"}
    quicker = scale_times({**table, "valve_lag": 0.002}, "transfer", 0.5)
    assert (quicker["flow"], quicker["valve_lag"]) == (2 * table["flow"], 0.001)
    assert quicker["area"] == table["area"]


def test_limits_only_become_narrower(plan):
    motion, wide = (
        0.001,
        replace(plan, limits={"compensator.command": 0.025, "feedback.force": 9.0}),
    )
    narrow = narrow_limits(wide, 5.0, motion)
    assert narrow.limits == {"compensator.command": 0.005, "feedback.force": 9.0}
    with pytest.raises(InputError):
        narrow_limits(narrow, 7.0, motion)


@pytest.mark.parametrize(
    ("given", "stopped"),
    [
        ({"": 0.1}, {"": 0.05}),
        ({"": (0.0, 0.1)}, {"": (0.0, 0.05)}),
        ({"": 0.1, "[1]": (0.0, 0.03)}, {"[0]": 0.05, "[1]": (0.0, 0.03), "[2]": 0.05}),
        ({"[0]": 0.005}, {"[0]": 0.005, "[1]": 0.05, "[2]": 0.05}),
        ({}, {"": 0.05}),
    ],
)
def test_no_limit_of_a_channel_is_dropped_or_made_wider(three, given, stopped):
    force = {"feedback.force": 9.0}
    before = {f"compensator.command{name}": v for name, v in given.items()}
    after = {f"compensator.command{name}": v for name, v in stopped.items()}
    narrow = narrow_limits(replace(three.test, limits=before | force), 5.0, 0.01)
    assert narrow.limits == after | force


def test_limits_that_all_channels_keep_already_are_refused(three):
    tight = replace(three.test, limits={"compensator.command": 0.005, "integrator.target": 0.1})
    with pytest.raises(InputError, match="no narrower"):
        narrow_limits(tight, 5.0, 0.01)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"compensator.command": 0.5, "integrator.target": 0.25}, "{r} mm instead of 500 mm,"),
        ({"compensator.command": (0.0, 0.5)}, "{r} mm instead of 500 mm,"),
        ({"integrator.target": 0.25}, "the command at 5 peaks of the emulated motion, {r} mm,"),
    ],
)
def test_a_limit_of_the_command_is_told_beside_its_own(plan, bench, given, said):
    wide = Workbench(replace(plan, limits=given), bench.commission)
    lever = remedy._levers(wide, [])[0]
    narrow = Workbench(lever.change(wide.test, 5.0), bench.commission)
    assert said.format(r=f"{5e3 * bench.rig.motion:.3g}") in lever.say(5.0, wide, narrow)


def test_channels_that_keep_their_limit_are_not_told_of(three):
    mixed = replace(three.test, limits={f"compensator.command[{c}]": v for c, v in LIMITS.items()})
    wide = Workbench(mixed, three.commission)
    lever = remedy._levers(wide, [])[0]
    told = lever.say(5.0, wide, Workbench(lever.change(mixed, 5.0), three.commission))
    assert "of compensator.command[1] and compensator.command[2] at 5 peaks" in told
    assert "instead of 9e+03 mm and 8e+03 mm," in told


@pytest.mark.slow
def test_an_actuator_that_large_pushes_saturate_is_told_where_to_stop(plan, bench):
    """The certificate answers for pushes up to half the limit: a narrower one takes them away."""
    wide = Workbench(saturated(plan, bench), bench.commission)
    kept = [c for c in wide.field.candidates if c.kind == "polynomial"][:1]
    ranking = [Tuned(c, wide.sets.score(c)) for c in kept]
    assert not wide.judge(ranking[0]).safe
    told = find_remedies(wide, ranking).remedies[0]
    assert "a limit of the command" in told.words
    assert "a third of the disturbances" in told.certified
    narrow = narrow_limits(wide.test, told.factor, wide.rig.motion)
    assert Workbench(narrow, bench.commission).judge(ranking[0]).safe


def test_no_change_is_tried_once_the_time_is_over(plan, bench, monkeypatch):
    late = replace(plan, transfer=find("transfer", "dead_time")(delay=0.09))
    hopeless = Workbench(late, bench.commission)
    ranking = [Tuned(c) for c in hopeless.field.candidates if c.kind in ("polynomial", "hermite")]
    begun = []
    monkeypatch.setattr(RehearsalSet, "score", lambda *_: begun.append("score"))
    for left in (TimeLeft(0.0), TimeLeft(20.0, longest=21.0)):  # a judgement has taken 21 s
        found = find_remedies(hopeless, ranking, left=left)
        assert (found.remedies, found.tried) == ([], [])
    assert begun == []


@pytest.fixture
def ready(plan, bench):
    """A bench with limits far beyond its motion, and a ranking that comes to its end in it."""
    far = replace(plan, limits={"compensator.command": 100 * bench.rig.motion})
    wide = Workbench(far, bench.commission)
    kept = [c for c in bench.field.candidates if c.kind == "polynomial"][:1]
    return wide, [Tuned(c, bench.sets.score(c)) for c in kept]


def pull_levers(monkeypatch, ready, outcomes, left=None):
    """Look for remedies where it is known what comes of a change; give those that were tried."""
    asked = []

    def know(puller, r):
        asked.append((puller.lever.change, r))
        outcome = outcomes(puller.lever, r)
        if outcome is InputError:
            raise InputError("plan", r, "cannot be had", "Change it less.")
        return Remedy("words", r, "polynomial", 0.01, "proved") if outcome else None

    monkeypatch.setattr(remedy._Puller, "_try", know)
    found = find_remedies(*ready, left=left)
    by_lever = {}
    for change, r in asked:
        by_lever.setdefault(change, []).append(r)
    return list(by_lever.values()), found


def test_wider_limits_are_tried_where_the_narrowest_do_not_help(monkeypatch, ready):
    """The narrowest is in the way of rehearsals too; the weakest specimen is not."""
    tried, found = pull_levers(
        monkeypatch, ready, lambda lever, r: len(lever.factors) == 3 and r == 5.0
    )
    assert tried == [[2.5, 5.0, 10.0], [0.05], [0.05]]
    assert [r.factor for r in found.remedies] == [5.0]
    assert found.tried == ["narrower limits", "a quicker actuator", "a weaker specimen"]


def test_without_a_deadline_changes_are_tried_however_long_a_judgement_takes(monkeypatch, ready):
    left = TimeLeft(inf, longest=300.0)
    _, found = pull_levers(monkeypatch, ready, lambda lever, r: False, left)
    assert found.tried[-1] == "a smaller motion"


def test_where_the_largest_change_cannot_be_had_the_next_is_tried(monkeypatch, ready):
    def outcome(lever, r):
        if lever.same_actuator:
            return InputError
        return InputError if r < 0.2 else r < 0.5

    tried, found = pull_levers(monkeypatch, ready, outcome)
    assert tried[1] == [0.05, 0.1, 0.25, 0.6, 0.4]
    assert [r.factor for r in found.remedies] == [0.4]
    assert found.tried == ["a quicker actuator"]  # the others could not be had at all


def test_more_of_the_motion_is_tried_where_the_smallest_is_lost_in_noise(monkeypatch, ready):
    tried, found = pull_levers(
        monkeypatch,
        ready,
        lambda lever, r: lever.name == "a smaller motion" and 0.02 <= r <= 0.4,
    )
    assert tried[-1] == [0.01, 0.02, 0.25, 0.6, 0.4]
    assert [r.factor for r in found.remedies] == [0.4]


@pytest.fixture
def two(monkeypatch, ready):
    """A bench of which only the specimen may change, and two candidates that come to their end."""
    levers = remedy._levers
    monkeypatch.setattr(
        remedy, "_levers", lambda *given: [x for x in levers(*given) if "specimen" in x.name]
    )
    wide, (one,) = ready
    starts = [replace(one.candidate, start=start) for start in ("delay", "plan")]
    return wide, [replace(one, candidate=c) for c in starts]


TROUBLE = [
    InputError("plan", None, "is refused", "Give another."),
    np.linalg.LinAlgError("Singular matrix"),
    ZeroDivisionError(),
    MemoryError(),
    ValueError("array must not contain infs or NaNs"),
]


@pytest.mark.parametrize("trouble", TROUBLE, ids=repr)
@pytest.mark.parametrize("part", ["score", "judge_plan", "judge_stress"])
def test_a_candidate_that_cannot_be_calculated_is_left_out(monkeypatch, two, part, trouble):
    bench, ranking = two

    def fail_for_the_first(kept):
        def work(self, given):
            candidate = given if part == "score" else given.candidate
            if candidate.start == "delay":
                raise trouble
            return kept(given)

        return work

    for name in ("judge_plan", "judge_stress"):
        monkeypatch.setattr(Workbench, name, lambda self, t: Judged(t, [], "proved"))
    monkeypatch.setattr(Workbench, "count_plants", lambda *_: PlantCount(0, 0, "roots"))
    if part == "score":
        work = fail_for_the_first(lambda candidate: ranking[1].score)
        monkeypatch.setattr(RehearsalSet, part, work)
    else:
        work = fail_for_the_first(lambda t: Judged(t, [], "proved"))
        monkeypatch.setattr(Workbench, part, work)
    assert [r.factor for r in find_remedies(bench, ranking).remedies] == [0.8]


def judge_by_start(monkeypatch, outcomes):
    """Judge by the start of a candidate: raise what is an error; note what was judged."""
    judged = []

    def know(crew, finalists, *_):
        (tuned,) = finalists
        judged.append(tuned.candidate.start)
        outcome = outcomes[tuned.candidate.start]
        if isinstance(outcome, Exception):
            raise outcome
        return [Judged(tuned, outcome)]

    monkeypatch.setattr(remedy, "judge_together", know)
    return judged


@pytest.mark.parametrize("trouble", TROUBLE, ids=repr)
def test_a_judgement_that_is_refused_does_not_say_that_there_is_no_such_plan(
    monkeypatch, two, trouble
):
    """The other one is judged, and where it is not safe the sort of change was looked at."""
    judged = judge_by_start(monkeypatch, {"delay": trouble, "plan": ["is lost"]})
    found = find_remedies(*two)
    assert judged == ["delay", "plan"]  # of the weakest specimen alone
    assert (found.remedies, found.tried) == ([], ["a weaker specimen"])


def test_where_nobody_can_be_judged_less_is_tried_and_nothing_is_said(monkeypatch, two):
    judged = judge_by_start(monkeypatch, {"delay": TROUBLE[1], "plan": TROUBLE[0]})
    found = find_remedies(*two)
    assert judged == ["delay", "plan"] * len(remedy.FACTORS)
    assert (found.remedies, found.tried) == ([], [])


def test_a_plan_that_cannot_be_calculated_is_as_one_that_cannot_be_had(monkeypatch, two):
    def change(test, delay, r):
        if r < 0.3:
            raise np.linalg.LinAlgError("Singular matrix")
        return stress_plan(test, delay, r)

    monkeypatch.setattr(remedy, "stress_plan", change)
    judge_by_start(monkeypatch, {"delay": [], "plan": []})
    assert [r.factor for r in find_remedies(*two).remedies] == [0.8]


def test_no_certificate_is_begun_once_somebody_wants_to_stop(monkeypatch, ready):
    wishes, begun = [], []

    def tune_until_interrupted(puller, changed):
        wishes.append("SIGINT")
        return puller.ranking

    monkeypatch.setattr(remedy._Puller, "_tune", tune_until_interrupted)
    monkeypatch.setattr(Workbench, "judge_plan", lambda *_: begun.append("plan"))
    monkeypatch.setattr(Workbench, "judge_stress", lambda *_: begun.append("stress"))
    found = find_remedies(*ready, wishes)
    assert (begun, found.remedies, found.tried) == ([], [], [])


@pytest.mark.parametrize("part", ["score", "judge_plan"])
def test_nobody_who_wants_to_stop_waits_for_what_is_under_way(monkeypatch, ready, part):
    wishes, end, begun, ended = [], threading.Event(), [], []

    def last(*_):
        begun.append(part)
        wishes.append("SIGINT")
        end.wait(60.0)
        ended.append(part)

    owner = Workbench if part == "judge_plan" else RehearsalSet
    monkeypatch.setattr(owner, part, last)
    wide, (one,) = ready
    found = find_remedies(wide, [one] * 3, wishes)
    assert ended == []
    end.set()
    assert (begun, found.remedies, found.tried) == ([part], [], [])


def test_what_a_remedy_rests_on_is_said():
    proved = Judged(Tuned(None), [], verdict="proved", stressed="proved")
    assert remedy._certified(proved) == "proved"
    tested = replace(proved, stressed="tested")
    assert remedy._certified(tested) == "certified with a third of the disturbances"


def test_an_actuator_without_a_time_cannot_be_quicker(plan):
    assert quicken_actuator(plan, 0.5).transfer.delay == 0.0047
    ideal = replace(plan, transfer=find("transfer", "dead_time")(delay=0.0))
    with pytest.raises(InputError):
        quicken_actuator(ideal, 0.5)


@pytest.mark.slow
def test_a_hopeless_rig_is_told_how_quick_it_would_have_to_be(plan, bench):
    late = replace(plan, transfer=find("transfer", "dead_time")(delay=0.09))
    hopeless = Workbench(late, bench.commission)
    ranking = [Tuned(c) for c in hopeless.field.candidates if c.kind in ("polynomial", "hermite")]
    found = find_remedies(hopeless, ranking).remedies
    quicker = next(r for r in found if "actuator" in r.words)
    assert 0.05 <= quicker.factor < 1.0
    assert quicker.kind in ("polynomial", "hermite")


@pytest.mark.slow
def test_limits_that_the_motion_itself_exceeds_ask_for_less_of_it(plan, bench):
    narrow = replace(plan, limits={"compensator.command": 0.001})
    hopeless = Workbench(narrow, bench.commission)
    ranking = [Tuned(c) for c in hopeless.field.candidates if c.kind in ("polynomial", "hermite")]
    (found,) = find_remedies(hopeless, ranking).remedies
    assert "motion" in found.words
    smaller = Workbench(shrink_motion(narrow, found.factor), bench.commission)
    assert run_design(smaller, 1, remedies=False).chosen is not None
