"""What every command that reads a record takes: the file, or the directory of its run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

RecordPath = Annotated[
    Path, typer.Argument(help="The record, an HDF5 file, or the directory of its run.")
]


def run_if_plan(path: Path, realtime: bool, trust: bool, as_json: bool) -> Path:
    """Give a file as it is; of a plan the record of its run, which is made now."""
    from rths.errors import InputError

    if path.suffix.lower() != ".toml":
        if realtime:
            remedy = "Name a plan, or leave --realtime out."
            raise InputError("--realtime", str(path), "is no plan that could be run", remedy)
        return path
    import sys

    from rths.cli._plan import read_plan
    from rths.cli.run import carry_out

    kept, stop, summary = carry_out(read_plan(path, None, trust), path.stem, realtime=realtime)
    print(f"{summary['name']}: {stop.message}; {kept.record}", file=sys.stderr)
    return kept.record


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
