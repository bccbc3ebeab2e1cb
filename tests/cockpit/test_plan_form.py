"""The form says what rths explain says, and has the values of the plan."""

from __future__ import annotations

from pathlib import Path

import pytest

import rths.config
from rths.cockpit.plan_form import describe_form
from rths.config.documentation import kind_text
from rths.errors import InputError

WALLACE = (Path(rths.config.__file__).parent / "templates" / "wallace2005.toml").read_text()
CHEN = (Path(rths.config.__file__).parent / "templates" / "chen2010.toml").read_text()


def field(form, path):
    return next(f for t in form["tables"] for f in t["fields"] if f["path"] == path)


def test_a_field_has_value_unit_meaning_and_range():
    found = field(describe_form(WALLACE), "compensator.delay")
    words = next(f for f in kind_text("compensator", "polynomial").fields if f.name == "delay")
    assert (found["value"], found["unit"], found["meaning"]) == (0.0094, "s", words.meaning)
    assert found["range"]["maximum"] == 1


def test_each_of_several_tables_has_its_fields():
    form = describe_form(CHEN)
    assert [field(form, f"transfer[{k}].alpha")["value"] for k in (0, 1)] == [33.0, 28.0]


def test_what_is_left_out_is_shown_with_its_default():
    found = field(describe_form(WALLACE), "compensator.spacing")
    assert (found["given"], found["value"], found["default"]) == (False, None, "not given")


def test_a_block_of_ones_own_is_not_run_for_its_form(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.py").write_text("open('executed', 'w').close()\n")
    text = WALLACE.replace('kind = "polynomial"', 'kind = "own.py:Own"')
    form = describe_form(text)
    assert "trusted" in next(t for t in form["tables"] if t["table"] == "compensator")["sentence"]
    assert not (tmp_path / "executed").exists()


def test_a_text_that_is_no_toml_is_named():
    with pytest.raises(InputError):
        describe_form("[clock\n")
