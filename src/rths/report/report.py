"""The report of one record or several, in one call: ``rths.report(record)`` writes a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from rths.plain_file import write_text
from rths.records.record import Record
from rths.report.page import label_runs, page, pictures
from rths.run.run_directory import RunDirectory

Reported = Record | Path | str
"""A record, or the file of one."""


def report(
    records: Reported | Sequence[Reported] | Mapping[str, Record],
    out: Path | str | None = None,
) -> Path:
    """Write one self-contained page about records, side by side; give its path.

    If none is given it is that of a run in the current directory.
    """
    path = RunDirectory(Path()).report if out is None else Path(out)
    runs = label_runs(_label(records))
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, page(runs, pictures(runs)))
    return path


def _label(records: Reported | Sequence[Reported] | Mapping[str, Record]) -> dict[str, Record]:
    """Give each record a name that tells it from the others."""
    from rths.records.hdf5 import read

    if isinstance(records, Mapping) and not isinstance(records, Record):
        return dict(records)
    several = [records] if isinstance(records, Record | Path | str) else records
    given = [r if isinstance(r, Record) else read(Path(r)) for r in several]
    names = [r.name for r in given]
    if len(set(names)) < len(names):
        names = [f"{i + 1}: {name}" for i, name in enumerate(names)]
    return dict(zip(names, given, strict=True))
