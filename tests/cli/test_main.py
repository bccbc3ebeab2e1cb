"""``rths``: every command has its line of help."""

from __future__ import annotations

import re
from pathlib import Path

from rths.cli import main


def test_every_file_is_a_command_and_has_its_line_of_help(rths):
    folder = Path(main.__file__).parent
    files = {f.stem for f in folder.glob("*.py")} - {"__init__", "main"}
    assert files == set(main.COMMANDS)
    out = rths("--help").out
    for name in main.COMMANDS:
        assert re.search(rf"^ *{name} +[A-Z]", out, re.MULTILINE), name
        assert rths(name, "--help").status == 0
