"""``rths key FILE``: make the key that a loop and its rig share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rths.cli._voice import AsJson, answer

PLACE = 305


def key(
    file: Annotated[Path, typer.Argument(help="The file to make; it must not be there yet.")],
    as_json: AsJson = False,
) -> None:
    """Make a key of 128 random bits in a file that its owner alone can read."""
    from rths.hardware.wire.key_file import write_key

    write_key(file)
    told = f"{file}: name it as hardware.key in the plan, and give the rig a copy"
    answer(as_json, {"written": file}, told)
