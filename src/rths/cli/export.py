"""``rths export RECORD --to mat``: a record in the format of another program."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

PLACE = 440


def export(
    record: Annotated[Path, typer.Argument(help="The record, an HDF5 file.")],
    to: Annotated[str, typer.Option(help="mat, csv or parquet.")] = "csv",
    out: Annotated[
        Path | None, typer.Option(help="File to write; beside the record if not given.")
    ] = None,
) -> None:
    """Write a record as MAT, CSV or Parquet."""
    from rths.records.export import export as written
    from rths.records.hdf5 import read

    for path in written(read(record), to, out or record.with_suffix(f".{to}")):
        print(f"{path} ({path.stat().st_size / 1e6:.3g} MB)")
