"""``rths verify RECORD``: is a record what was recorded, and who did what?"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

PLACE = 450

WHOLE, CHANGED = 0, 1
"""Exit status; 2 is a file that is no record."""


def verify(
    record: Annotated[Path, typer.Argument(help="The record, an HDF5 file.")],
    seal: Annotated[
        str | None, typer.Option(help="The seal that was written down; its beginning is enough.")
    ] = None,
) -> None:
    """Compare a record with its seal, and show its trail; name what was changed.

    Ends with 0 if nothing was changed, with 1 if something was.
    """
    from rths.records.verification import verify as verified

    found = verified(record, seal)
    for e in found.events:
        print(f"{e.time[:23]}  {e.by}  {e.state}: {e.reason}")
    if found.seal:
        print(f"seal {found.seal}")
    for problem in found.problems:
        print(f"NOT as it was recorded: {problem}")
    if found.later:
        entries = "entry was" if found.later == 1 else "entries were"
        print(f"{found.later} {entries} added to the trail after the seal that you gave")
    if found.whole:
        print(f"{record} is as it was recorded")
    sys.exit(WHOLE if found.whole else CHANGED)
