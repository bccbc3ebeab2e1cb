"""Typical mistakes in a plan: each message names file, line, field, value and remedy."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest

from rths.config.plan import load
from rths.errors import InputError

HERE = Path(__file__).parent
PLAN = (HERE / "good_plan.toml").read_text(encoding="utf-8")


@dataclass(frozen=True)
class Mistake:
    name: str
    good: str
    bad: str
    field: str
    """How the message calls the place."""
    remedy: str
    """What the message advises."""
    line: str | None = None
    """Beginning of the line it must point at; the first changed one if not given."""


MISTAKES = [
    Mistake(**m)
    for m in tomllib.loads((HERE / "mistakes.toml").read_text(encoding="utf-8"))["mistake"]
]


def refused(tmp_path, text: str) -> InputError:
    path = tmp_path / "plan.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load(path)
    return caught.value


def test_the_plan_without_a_mistake_loads(tmp_path):
    path = tmp_path / "plan.toml"
    path.write_text(PLAN, encoding="utf-8")
    assert load(path).name == "a good plan"


@pytest.mark.parametrize("m", MISTAKES, ids=lambda m: m.name.replace(" ", "_"))
def test_the_message_names_file_line_field_value_and_remedy(m, tmp_path):
    assert PLAN.count(m.good) >= 1, "the good text must be in the plan"
    text = PLAN.replace(m.good, m.bad, 1)
    if m.name == "value for a table":
        text = 'integrator = "central_difference"\n' + text
    error = refused(tmp_path, text)
    shown = str(error)
    assert error.field == m.field, shown
    assert m.remedy in shown, shown
    changed = [
        n for n, line in enumerate(text.splitlines(), 1) if m.line and line.startswith(m.line)
    ]
    if not m.line:
        pairs = zip(text.splitlines(), PLAN.splitlines(), strict=False)
        changed = [n for n, (new, old) in enumerate(pairs, 1) if new != old]
    place = re.match(r".*plan\.toml:(\d+): ", shown)
    assert place, shown
    assert int(place[1]) == changed[0], shown
    if error.value is not None:
        assert repr(error.value)[:20] in shown


def test_more_than_forty_mistakes_are_known():
    assert len({m.name for m in MISTAKES}) == len(MISTAKES) >= 40


@pytest.mark.parametrize("role", ["excitation", "structure", "integrator", "transfer", "specimen"])
def test_a_missing_table_is_named(role, tmp_path):
    text = re.sub(rf"\[{role}\][^\[]*", "", PLAN, count=1)
    error = refused(tmp_path, text)
    assert error.field == role
    assert f"Add a table [{role}]" in str(error)


def test_an_empty_plan_is_told_where_to_begin(tmp_path):
    assert "rths new" in str(refused(tmp_path, "# nothing yet\n"))


def test_a_plan_that_is_not_there_or_not_text_is_named(tmp_path):
    with pytest.raises(InputError, match=r"nowhere\.toml.*No such file.*rths new"):
        load(tmp_path / "nowhere.toml")
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="not UTF-8"):
        load(tmp_path / "binary.toml")


def test_a_wrong_change_from_the_command_line_does_not_blame_the_file(tmp_path):
    path = tmp_path / "plan.toml"
    path.write_text(PLAN, encoding="utf-8")
    with pytest.raises(InputError, match=r"^--set: compensator\.delay = 15: "):
        load(path, {"compensator.delay": 15})
