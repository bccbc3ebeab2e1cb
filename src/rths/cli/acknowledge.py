"""``rths acknowledge DIRECTORY``: take note of a trip, so that the directory takes runs again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

PLACE = 340


def acknowledge(
    folder: Annotated[Path, typer.Argument(help="The directory of the run that tripped.")],
    by: Annotated[str, typer.Option(help="Who has found the cause and made the rig safe.")],
) -> None:
    """Acknowledge the trip of a run: who did it is kept beside it."""
    from rths.realtime.trip_latch import acknowledge as acknowledged

    print(f"acknowledged: {acknowledged(folder, by)}")
