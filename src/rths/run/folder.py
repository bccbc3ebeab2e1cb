"""Where a run goes: no record of another plan is overwritten unless that is said.

A run without a directory of its own goes to runs/<plan>, or to runs/<plan>-2, -3, ... if the record
there belongs to another plan (the same file with a changed value is another plan). The same plan
with the same files gives the same record, and may replace it; a test on the clock does not.
"""

from __future__ import annotations

from itertools import count
from pathlib import Path

from rths.assembly.hybrid_test import HybridTest
from rths.config.attachments import attached_files
from rths.config.plan import dumps
from rths.errors import InputError
from rths.run.run_directory import RUNS, RunDirectory


def run_folder(
    test: HybridTest, name: str, out: Path | None, overwrite: bool, realtime: bool = False
) -> Path:
    """Choose the directory of a run, or refuse the one that was asked for."""

    def free(folder: Path) -> bool:
        return _is_free(folder, test) if not realtime else not RunDirectory(folder).record.exists()

    if out is not None:
        if not overwrite and not free(out):
            whose = "another test" if realtime else "another plan"
            raise InputError(
                "--out",
                str(out),
                f"holds the record of {whose}",
                "Choose another directory, or add --overwrite.",
            )
        return out
    names = (name if k == 1 else f"{name}-{k}" for k in count(1))
    return next(RUNS / n for n in names if free(RUNS / n))


def _is_free(folder: Path, test: HybridTest) -> bool:
    """Tell whether a directory has no record, or one of the same plan and files."""
    path = RunDirectory(folder).record
    if not path.exists():
        return True
    from rths.records.hdf5_reader import DAMAGES, files_of, open_record

    try:
        with open_record(path) as (file, size):
            same = str(file.attrs["plan"]) == dumps(test)
            return same and files_of(file, size) == attached_files(test)
    except DAMAGES:
        return False
