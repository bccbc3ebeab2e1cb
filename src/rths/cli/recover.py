"""``rths recover DIRECTORY``: the record of a real-time run that was cut off."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

PLACE = 330


def recover(
    folder: Annotated[Path, typer.Argument(help="The directory of the run.")],
) -> None:
    """Make the record of a real-time run from its journal and what is left in shared memory."""
    from rths.realtime.recovery import recover as recovered
    from rths.run.run_directory import RunDirectory

    stop = recovered(folder)
    print(f"{stop.tick} ticks in {RunDirectory(folder).record}: {stop}")
