"""``rths``: every command has its line of help."""

from __future__ import annotations

import re

from rths.cli import main


def test_every_file_is_a_command_and_has_its_line_of_help(rths):
    out = rths("--help").out
    for name in main.commands():
        assert main.place(name) < main.LAST, f"cli/{name}.py declares no PLACE"
        assert re.search(rf"^ *{name} +[A-Z]", out, re.MULTILINE), name
        assert rths(name, "--help").status == 0
