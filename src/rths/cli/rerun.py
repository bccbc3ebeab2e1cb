"""``rths rerun RECORD``: repeat a test from its record alone, and compare bit for bit."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from rths.cli._plan import Trust, show_trusted

PLACE = 320

IDENTICAL, DIFFERENT = 0, 1
"""Exit status."""


def rerun(
    record: Annotated[Path, typer.Argument(help="The record, an HDF5 file.")],
    trust: Trust = False,
) -> None:
    """Repeat the test of a record and tell whether every bit is the same."""
    from rths.run.repetition import repetition

    with show_trusted(trust):
        found = repetition(record)
    print(f"{found.record.name}: {found.ticks} ticks of {len(found.record)} signals compared")
    if found.identical:
        print("identical to the last bit")
        sys.exit(IDENTICAL)
    print("NOT identical")
    if str(found.record.stop) != str(found.again):
        print(f"  the record ended: {found.record.stop}\n  the repetition:   {found.again}")
    for d in found.differences:
        print(f"  {d.signal}: first at {d.time:.6g} s, at most {d.largest:.3g}")
    for package, (was, now) in found.versions.items():
        print(f"  {package} was {was}, is {now}")
    sys.exit(DIFFERENT)
