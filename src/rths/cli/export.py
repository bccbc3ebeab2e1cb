"""``rths export RECORD --to mat``: a record in the format of another program."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rths.cli._progress import patience
from rths.cli._record import RecordPath, find_record
from rths.cli._voice import AsJson, answer

PLACE = 440


def export(
    record: RecordPath,
    to: Annotated[str, typer.Option(help="mat, csv or parquet.")] = "csv",
    out: Annotated[
        Path | None, typer.Option(help="File to write; beside the record if not given.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Write a record as MAT, CSV or Parquet."""
    from rths.records.export import export as written
    from rths.records.hdf5 import read

    record = find_record(record)
    with patience(f"{record} as {to}"):
        paths = written(read(record), to, out or record.with_suffix(f".{to}"))
    told = [f"{path} ({path.stat().st_size / 1e6:.3g} MB)" for path in paths]
    answer(as_json, {"written": paths}, told)
