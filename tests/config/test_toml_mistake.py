"""What went wrong in a text that is no TOML is judged by the text, whatever the parser says."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from rths.config.toml_mistake import explain_toml


@pytest.mark.parametrize(
    ("text", "line", "remedy"),
    [
        ("[clock]\ntick = 1\n[clock]\n", 3, "Keep one of the two"),
        ("[clock]\ntick = 1\ntick = 2\n", 3, "Keep one of the two"),
        ("[a]\ntick = 1\n[b]\ntick = 0,1\n", 4, "The decimal sign is the point"),
        ("[a]\nkind = polynomial\n", 2, "Put texts in quotes"),
        ("[a\nkind = 1\n", 1, "Close the bracket"),
        ("[a]\nkind ! 1\n", 2, "Write it as name = value"),
        ("[a]\nstep = 0.5 s\n", 2, "without their unit"),
        ("[a]\nstep = 1e-3 s\n", 2, "without their unit"),
        ("[a]\nstep = -.5\n", 2, "Write the zero"),
        ("[a]\nstep = 05\n", 2, "Leave out zeros"),
        ("[a]\nfile = 'C:/x'\nfile2 = \"C:\\motions\"\n", 3, "Write paths with /"),
        ("[a]\nok = False\n", 2, "true and false"),
        ("[a]\nstep = 1; b = 2\n", 2, "A comment begins with #"),
        ("[a]\nmass = [[2.2, 0]; [0, 2.2]]\n", 2, "Part all by commas"),
        ("[a]\nmass = [2.2 0]\n", 2, "Part all by commas"),
        ("[a]\nkind = \"spring'\n", 2, "End a text with the quote"),
    ],
)
def test_line_and_remedy(text, line, remedy):
    with pytest.raises(tomllib.TOMLDecodeError) as error:
        tomllib.loads(text)
    told = explain_toml(Path("plan.toml"), text, error.value)
    assert str(told).startswith(f"plan.toml:{line}: ")
    assert remedy in told.remedy
    assert "(at line" not in told.problem


def test_the_words_of_the_parser_decide_nothing():
    text = "[clock]\ntick = 1\n[clock]\n"
    told = explain_toml(
        Path("p"), text, tomllib.TOMLDecodeError("Other words (at line 3, column 7)")
    )
    assert "Keep one of the two" in told.remedy
