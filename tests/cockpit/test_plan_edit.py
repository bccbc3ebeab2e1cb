"""A change leaves the rest of the text as it was written."""

from __future__ import annotations

import tomllib
from difflib import ndiff
from pathlib import Path

import pytest

import rths.config
from rths.cockpit.plan_edit import change_text
from rths.config.plan import load
from rths.errors import InputError

TEMPLATES = sorted((Path(rths.config.__file__).parent / "templates").glob("*.toml"))
WALLACE = next(t for t in TEMPLATES if t.stem == "wallace2005").read_text()
CHEN = next(t for t in TEMPLATES if t.stem == "chen2010").read_text()


def changed_lines(before, after):
    found = ndiff(before.splitlines(), after.splitlines())
    return [line[2:] for line in found if line[:2] in ("- ", "+ ")]


def test_one_number_is_one_line_and_its_comment_stays():
    after = change_text(WALLACE, "transfer.delay", 0.012)["text"]
    old, new = changed_lines(WALLACE, after)
    assert old.split() == ["delay", "=", "0.0094", "#", "s"]
    assert new.split() == ["delay", "=", "0.012", "#", "s"]
    assert load(after).transfer.delay == 0.012


def test_of_several_tables_the_one_that_is_named_is_changed():
    after = change_text(CHEN, "transfer[1].alpha", 25.0)["text"]
    assert [t["alpha"] for t in tomllib.loads(after)["transfer"]] == [33.0, 25.0]
    assert len(changed_lines(CHEN, after)) == 2


def test_a_signal_of_the_limits_has_a_dot():
    after = change_text(WALLACE, "limits.compensator.command", 0.02)["text"]
    assert tomllib.loads(after)["limits"]["compensator"]["command"] == 0.02
    assert len(changed_lines(WALLACE, after)) == 2


def test_another_kind_takes_its_fields_along():
    after = change_text(WALLACE, "compensator.kind", "none")["text"]
    assert tomllib.loads(after)["compensator"] == {"kind": "none"}
    assert "# makes up for the delay" in after


def test_a_field_that_is_taken_away_comes_back_at_its_default():
    after = change_text(WALLACE, "compensator.order", None)["text"]
    assert "order" not in tomllib.loads(after)["compensator"]
    again = change_text(after, "compensator.order", 2)["text"]
    assert load(again).compensator.order == 2


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda t: t.stem)
def test_every_comment_of_every_template_outlives_a_change(template):
    text = template.read_text()
    after = change_text(text, "clock.duration", 7.0)["text"]
    assert len(changed_lines(text, after)) == 2
    assert after.count("#") == text.count("#")
    assert change_text(after, "clock.duration", tomllib.loads(text)["clock"]["duration"])[
        "text"
    ].split() == text.split()  # fmt: skip


@pytest.mark.parametrize(
    ("text", "path"),
    [("a = [", "clock.tick"), (WALLACE, "name.x"), (WALLACE, "transfer..delay"), (WALLACE, ""),
     (CHEN, "transfer[7].alpha"), (CHEN, "transfer.alpha"), (WALLACE, "__class__.x y")],
)  # fmt: skip
def test_what_cannot_be_changed_is_named(text, path):
    with pytest.raises(InputError):
        change_text(text, path, 1.0)


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("safety", {}),
        ("hardware", {"kind": "shared_memory"}),
        ("guard", [{"kind": "acceleration"}]),
    ],
)
def test_a_table_is_put_at_the_end_and_all_else_stays(name, made):
    after = change_text(WALLACE, name, {})["text"]
    assert after.startswith(WALLACE.rstrip("\n"))
    assert tomllib.loads(after)[name] == made


@pytest.mark.parametrize(
    ("line", "value", "after"),
    [
        ("x = [ # kg\n  1.0, # first\n  2.0, # second\n]", [1, 3.5], None),
        ("x = [[1.0, 2.0], # a\n [3.0, 2.0]] # b", [[1, 3.5], [3, 3.5]], None),
        (
            "x = { kind = 'spring', stiffness = 2.0 } # own",
            {"kind": "spring", "stiffness": 3.5},
            None,
        ),
        ("x = [1.0, 2.0] # kg", [1, 2, 3], "x = [1, 2, 3] # kg"),
        ("x = 2250.0 # N/m", 2250, "x = 2250.0 # N/m"),
        ("x = 1 # a truth", True, "x = true # a truth"),
    ],
)
def test_of_lists_and_tables_in_a_line_only_what_differs_is_written(line, value, after):
    before, rest = f"[structure]\n{line}\n", "y = 1 # last\n"
    found = change_text(before + rest, "structure.x", value)["text"]
    wanted = line.replace("2.0", "3.5") if after is None else after
    assert found == f"[structure]\n{wanted}\n{rest}"
    assert tomllib.loads(found)["structure"]["x"] == value


def test_a_new_field_stands_before_the_words_about_the_next_table():
    text = (
        "[specimen]\nkind = 'spring'\n# of steel\n\n# -- sensors --\n[feedback]\nkind = 'direct'\n"
    )
    after = change_text(text, "specimen.stiffness", 9.0)["text"]
    assert after == text.replace("# of steel\n", "# of steel\nstiffness = 9.0\n")


def test_a_limit_in_quotes_is_changed_and_not_given_twice():
    text = '[limits]\n"compensator.command" = 0.025 # m\n'
    after = change_text(text, "limits.compensator.command", 0.02)["text"]
    assert after == text.replace("0.025", "0.02")
