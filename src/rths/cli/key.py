"""``rths key FILE``: make the key that a loop and its rig share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

PLACE = 305


def key(
    file: Annotated[Path, typer.Argument(help="The file to make; it must not be there yet.")],
) -> None:
    """Make a key of 128 random bits in a file that its owner alone can read."""
    from rths.hardware.wire.key_file import write_key

    write_key(file)
    print(f"{file}: name it as hardware.key in the plan, and give the rig a copy")
