"""``rths recover DIRECTORY``: the record of a real-time run that was cut off."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rths.cli._plan import Trust, show_trusted
from rths.cli._progress import patience
from rths.cli._voice import AsJson, answer

PLACE = 330


def recover(
    folder: Annotated[Path, typer.Argument(help="The directory of the run.")],
    trust: Trust = False,
    as_json: AsJson = False,
) -> None:
    """Make the record of a real-time run from its journal and what is left in shared memory."""
    from rths.realtime.recovery import recover as recovered
    from rths.run.run_directory import RunDirectory

    with show_trusted(trust), patience("the record is made"):
        stop = recovered(folder)
    record = RunDirectory(folder).record
    told = f"{stop.tick} ticks in {record}: {stop}"
    answer(as_json, {**stop.as_dict(), "written": record}, told)
