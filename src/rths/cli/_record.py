"""What every command that reads a record takes: the file, or the directory of its run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

RecordPath = Annotated[
    Path, typer.Argument(help="The record, an HDF5 file, or the directory of its run.")
]


def find_record(path: Path) -> Path:
    """Give the record in a directory; a file stays what it is."""
    if not path.is_dir():
        return path
    from rths.errors import InputError
    from rths.run.run_directory import RunDirectory

    record = RunDirectory(path).record
    if record.is_file():
        return record
    others = sorted(p.name for p in path.glob("*.h5"))
    if len(others) == 1:
        return path / others[0]
    if RunDirectory(path).journal.exists():
        remedy = f"The run was cut off: make its record with rths recover {path}."
    elif others:
        remedy = f"Name one of: {', '.join(others)}."
    else:
        remedy = "Name the record, or the directory that rths run has written."
    raise InputError("record", str(path), f"holds {len(others) or 'no'} records", remedy)
