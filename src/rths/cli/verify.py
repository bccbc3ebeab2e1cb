"""``rths verify RECORD``: is a record what was recorded, and who did what?"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from rths.cli._progress import patience
from rths.cli._record import RecordPath, find_record
from rths.cli._voice import AsJson, answer, paint

PLACE = 450

WHOLE, CHANGED = 0, 1
"""Exit status; 2 is a file that is no record."""


def verify(
    record: RecordPath,
    seal: Annotated[
        str | None, typer.Option(help="The seal that was written down; its beginning is enough.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Compare a record with its seal, and show its trail; name what was changed.

    Ends with 0 if nothing was changed, with 1 if something was.
    """
    from dataclasses import asdict

    from rths.records.verification import verify as verified

    record = find_record(record)
    with patience(f"{record} is compared with its seal"):
        found = verified(record, seal)
    told = [f"{e.time[:23]}  {e.by}  {e.state}: {e.reason}" for e in found.events]
    if found.seal:
        told.append(f"seal {found.seal}")
    told += [paint(f"NOT as it was recorded: {problem}", "changed") for problem in found.problems]
    if found.later:
        entries = "entry was" if found.later == 1 else "entries were"
        told.append(f"{found.later} {entries} added to the trail after the seal that you gave")
    if found.whole:
        told.append(paint(f"{record} is as it was recorded", "identical"))
    answer(as_json, {**asdict(found), "whole": found.whole, "record": record}, told)
    sys.exit(WHOLE if found.whole else CHANGED)
