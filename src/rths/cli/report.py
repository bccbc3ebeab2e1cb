"""``rths report RECORD...``: one self-contained page about one record or several."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rths.cli._progress import patience
from rths.cli._record import find_record
from rths.cli._voice import AsJson, answer
from rths.errors import InputError
from rths.plain_file import write_text

if TYPE_CHECKING:
    from rths.records.record import Record

PLACE = 400


def report(
    records: Annotated[list[Path], typer.Argument(help="Records, or directories of runs.")],
    out: Annotated[
        Path | None, typer.Option(help="Page to write; report.html beside the first record.")
    ] = None,
    pdf: Annotated[bool, typer.Option("--pdf", help="Also print it as PDF, by Chromium.")] = False,
    figures: Annotated[
        Path | None, typer.Option(help="Directory for the pictures as PNG, SVG and PDF.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Make one self-contained page: what was tested, verdict, pictures, measures."""
    from rths.report.page import label_runs, page, pictures, save_pictures
    from rths.run.run_directory import RunDirectory

    records = [find_record(path) for path in records]
    path = out or RunDirectory(records[0].parent).report
    if path.is_dir():
        raise InputError("--out", str(path), "is a directory", "Name a file in it.")
    with patience(f"report of {len(records)} record(s)"):
        found = read_by_label(records)
        runs = label_runs(found, read_references(dict(zip(found, records, strict=True))))
        drawings = pictures(runs)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_text(path, page(runs, drawings))
    paths, told = [path], [f"{path} ({len(drawings)} pictures, {path.stat().st_size / 1e6:.2g} MB)"]
    if figures is not None:
        written = save_pictures(drawings, figures)
        paths += written
        told.append(f"{figures} ({len(written)} files)")
    if pdf:
        from rths.report.pdf import print_pdf

        with patience("printing"):
            paths.append(print_pdf(path, path.with_suffix(".pdf")))
        told.append(str(paths[-1]))
    answer(as_json, {"written": paths, "pictures": len(drawings)}, told)


def read_references(paths: dict[str, Path]) -> dict[str, Record]:
    """Read what lies beside a run's record: the emulated structure, if rths run made it."""
    from rths.records.hdf5 import read
    from rths.run.run_directory import RunDirectory

    found = {}
    for label, path in paths.items():
        kept = RunDirectory(path.parent)
        if path == kept.record and kept.reference.is_file():
            found[label] = read(kept.reference)
    return found


def read_by_label(paths: list[Path]) -> dict[str, Record]:
    """Read records, each under a short name that tells it from the others."""
    from rths.records.hdf5 import read
    from rths.run.run_directory import RunDirectory

    given = [read(p) for p in paths]
    names = [r.name for r in given]
    if len(set(names)) < len(names):  # the same test, run in several ways: by folder or file
        names = [p.parent.name if p == RunDirectory(p.parent).record else p.stem for p in paths]
    if len(set(names)) < len(names):
        names = [str(p) for p in paths]
    if len(set(names)) < len(names):
        names = [f"{i + 1}: {n}" for i, n in enumerate(names)]
    return dict(zip(names, given, strict=True))
