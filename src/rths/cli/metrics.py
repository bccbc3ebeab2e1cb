"""``rths metrics RECORD [NAME...]``: published indices of a record."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rths.cli._progress import patience
from rths.cli._record import RecordPath, find_record

PLACE = 420


def metrics(
    record: RecordPath,
    names: Annotated[
        list[str] | None, typer.Argument(help="Indices by name; all that apply if not given.")
    ] = None,
    reference: Annotated[
        Path | None, typer.Option(help="Record to compare with, such as the emulated test.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Compute the published indices of a record: tracking, delay, energy, growth."""
    import json

    from rths.loop.channel_name import name_actuator
    from rths.records.hdf5 import read
    from rths.report.indices import indices
    from rths.report.readable import readable_measure
    from rths.report.shown_signals import TARGET

    given = read(find_record(record))
    other = read(find_record(reference)) if reference else None
    channels = range(given[TARGET].shape[1])
    with patience(f"indices of {given.name}"):
        table = {channel: indices(given, names, other, channel) for channel in channels}
    if as_json:
        print(json.dumps([{i.name: i.value for i in rows} for rows in table.values()]))
        return
    for channel, rows in table.items():
        if len(table) > 1:
            print(name_actuator(channel))
        for i in rows:
            shown = i.problem if i.value is None else readable_measure(i.value, i.unit)
            print(f"  {i.name:40s} {shown}")
