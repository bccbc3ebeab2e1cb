"""A plan is read into a test, and a test written out is the same plan again."""

from __future__ import annotations

import math
import tomllib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rths.config.plan import dumps, from_table, load, to_table
from rths.config.toml_text import line_of, toml_text


def test_plan_says_what_the_test_is(plan):
    test = load(plan.path)
    assert (test.name, test.seed, test.tick, test.step) == ("rig", 1, 0.001, 0.004)
    assert test.compensator.delay == 0.006
    assert [t.delay for t in test.transfer] == [0.005, 0.007]
    assert test.limits == {"compensator.command": 0.5, "feedback.force": (-1000.0, 2000.0)}
    assert (test.feedback.kind, test.ramp) == ("direct", "linear")
    assert test.channels == 2


def test_written_plan_gives_the_same_test_again(plan):
    test = load(plan.path)
    again = from_table(tomllib.loads(dumps(test)), plan.path.parent)
    assert again == test
    assert dumps(again) == dumps(test)
    assert again.layout.initial.tobytes() == test.layout.initial.tobytes()


def test_defaults_are_written_out(plan):
    table = to_table(load(plan.path))
    assert table["clock"]["ramp"] == "linear"
    assert table["compensator"]["order"] == 3
    assert table["feedback"] == {"kind": "direct"}


def test_file_beside_the_plan_is_found_from_anywhere(plan, monkeypatch, tmp_path_factory):
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert load(plan.path).excitation.motion == str(plan.motion)


def test_compensator_and_feedback_may_be_left_out(plan):
    text = plan.text.replace('[compensator]\nkind = "polynomial"\ndelay = 0.006\n', "")
    plan.write(text)
    assert load(plan.path).compensator.kind == "none"


def test_changes_replace_fields_by_their_path(plan):
    changes = {
        "compensator.delay": 0.002,
        "clock.duration": 0.1,
        "transfer.delay": 0.001,
        "limits.feedback.force": 7.0,
        "name": "other",
    }
    test = load(plan.path, changes)
    assert test.compensator.delay == 0.002
    assert test.clock.ticks == 101
    assert [t.delay for t in test.transfer] == [0.001, 0.001]
    assert test.limits["feedback.force"] == 7.0
    assert test.name == "other"


TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=20)
PLAIN = st.one_of(st.integers(-(2**62), 2**62), st.floats(allow_nan=False), st.booleans(), TEXT)
VALUE = st.recursive(
    PLAIN,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(TEXT.filter(len), inner, max_size=3)
    ),
    max_leaves=6,
)
NAME = st.from_regex(r"[a-z_]{1,8}", fullmatch=True)


@given(st.dictionaries(NAME, st.dictionaries(TEXT.filter(len), VALUE, max_size=4), max_size=4))
def test_tables_survive_being_written(table):
    assert tomllib.loads(toml_text(table)) == table


@given(st.dictionaries(NAME, PLAIN, max_size=4))
def test_values_before_the_tables_survive_too(table):
    assert tomllib.loads(toml_text(table)) == table


def test_numbers_that_are_not_finite_survive():
    back = tomllib.loads(toml_text({"a": math.inf, "b": -math.inf, "c": math.nan}))
    assert (back["a"], back["b"]) == (math.inf, -math.inf)
    assert math.isnan(back["c"])


def test_numbers_of_numpy_are_written_as_numbers_wherever_they_stand():
    plain = {"a": 0.5, "b": 2, "c": [True, 1.5], "t": {"u": {"v": [0.25, {"w": 3.0}]}}}
    table = {"a": np.float64(0.5), "b": np.int64(2), "c": [np.bool_(True), np.float64(1.5)]}
    table["t"] = {"u": {"v": [np.float64(0.25), {"w": np.float32(3.0)}]}}
    assert tomllib.loads(toml_text(table)) == plain
    assert tomllib.loads(toml_text({"a": np.array([[1.0, 2.0]])})) == {"a": [[1.0, 2.0]]}


@pytest.mark.parametrize(
    ("field", "line"),
    [
        ("compensator.delay", 25),
        ("compensator.nothing", 23),
        ("clock.step", 6),
        ("seed", 2),
        ("transfer.delay", 29),
        ("limits.feedback.force", 41),
        ("structure.mass", 15),
        ("nothing.at_all", None),
    ],
)
def test_line_of_a_field_is_found(plan, field, line):
    assert line_of(plan.text, field) == line
    if line:
        assert field.split(".")[-1 if line != 23 else 0] in plan.text.splitlines()[line - 1]


def test_folder_of_plans_is_not_needed_for_built_in_motions():
    table = tomllib.loads(
        'clock = {tick = 0.001, duration = 0.1}\nexcitation = {kind = "ground_motion"}\n'
        'structure = {kind = "linear", mass = 2.2, damping = 15.0, stiffness = 2250.0}\n'
        'integrator = {kind = "central_difference"}\n'
        'transfer = {kind = "dead_time", delay = 0.001}\n'
        'specimen = {kind = "spring", stiffness = 1.0}\n'
    )
    assert from_table(table, Path()).excitation.motion == "el_centro_1940_ns"
