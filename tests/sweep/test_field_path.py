"""Any field of a plan by its path: what a path changes is that and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from rths.config.plan import load, to_table
from rths.errors import InputError
from rths.sweep.field_path import change_test, parse_path, read_value


@pytest.fixture
def test(plan):
    return load(plan)


def changed(test, **values):
    named = {name.replace("__", "."): v for name, v in values.items()}
    paths = {text: parse_path(test, text) for text in named}
    return to_table(change_test(test, paths, named, Path()))


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        ("transfer.delay", 0.002, ("transfer", "delay")),
        ("clock.duration", 0.25, ("clock", "duration")),
        ("duration", 0.25, ("clock", "duration")),
        ("seed", 9, ("seed",)),
        ("structure.masses[1]", 3.0, ("structure", "masses", 1)),
        ("structure.stiffnesses.0", 1999.0, ("structure", "stiffnesses", 0)),
        ("limits.compensator.command", 0.2, ("limits", "compensator.command")),
    ],
)
def test_a_path_changes_one_place_and_nothing_else(test, path, value, where):
    found = to_table(change_test(test, {path: parse_path(test, path)}, {path: value}, Path()))
    before, here = to_table(test), found
    for step in where[:-1]:
        before, here = before[step], here[step]
    assert here[where[-1]] == value
    assert before[where[-1]] != value
    elsewhere = to_table(test)
    owner = elsewhere
    for step in where[:-1]:
        if isinstance(owner[step], tuple):
            owner[step] = list(owner[step])
        owner = owner[step]
    owner[where[-1]] = value
    listed = lambda t: str(t).replace("[", "(").replace("]", ")")  # noqa: E731
    assert listed(found) == listed(elsewhere)


def test_two_elements_of_one_list_change_together(test):
    found = changed(test, **{"structure.masses[0]": 5.0, "structure.masses[1]": 6.0})
    assert tuple(found["structure"]["masses"]) == (5.0, 6.0)


def test_another_kind_keeps_the_fields_that_it_shares(test):
    found = changed(test, **{"compensator.kind": "inverse_model"})
    assert found["compensator"]["kind"] == "inverse_model"
    assert found["transfer"] == to_table(test)["transfer"]


@pytest.mark.parametrize(
    ("path", "word"),
    [
        ("transfer.dealy", "delay"),
        ("tranfser.delay", "transfer"),
        ("structure.masses[2]", "2 elements"),
        ("transfer[1].delay", "1 of transfer"),
        ("limits.feedback.force", "compensator.command"),
        ("delay", "transfer.delay"),
        ("transfer", "is a table"),
        ("transfer.kind.x", "is not a field"),
        ("clock.dt", "tick, step, duration, ramp"),
        ("clock.seed", "tick, step, duration, ramp"),
        ("structure.masses[-1]", "Write"),
        ("a..b", "Write"),
        ("", "Write"),
    ],
)
def test_a_path_that_leads_nowhere_is_told_with_a_remedy(test, path, word):
    with pytest.raises(InputError, match="field = ") as error:
        parse_path(test, path)
    assert word in str(error.value)


def test_what_is_at_a_path_can_be_read(test):
    assert read_value(test, parse_path(test, "structure.masses[1]")) == 2.0
    assert read_value(test, parse_path(test, "compensator.kind")) == "polynomial"
