"""Where a run goes: nothing of another plan is overwritten, or stands beside it, unless it is said.

A run without a directory of its own goes to runs/<plan>, or to runs/<plan>-2, -3, ... if the record
or the certificate there belongs to another plan (the same file with a changed value is another
plan). The same plan with the same files gives the same record, and may replace it; a test on the
clock does not.
"""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path

from rths.assembly.hybrid_test import HybridTest
from rths.config.attachments import attached_files
from rths.config.fingerprint import digest_plan
from rths.config.plan import dumps
from rths.errors import InputError
from rths.run.run_directory import RUNS, RunDirectory

SHOWN_DIGITS = 16
"""Digits of a plan's digest in a certificate: two plans share them in one case of 2^64."""


def run_folder(
    test: HybridTest, name: str, out: Path | None, overwrite: bool, realtime: bool = False
) -> Path:
    """Choose the directory of a run, or refuse the one that was asked for."""
    if out is not None:
        if not overwrite and not _is_free(out, test, realtime):
            whose = "another test" if realtime else "another plan"
            raise InputError(
                "--out",
                str(out),
                f"holds the record of {whose}",
                "Choose another directory, or add --overwrite.",
            )
        return out
    return plan_folder(test, name, realtime)


def plan_folder(test: HybridTest, name: str, realtime: bool = False) -> Path:
    """Choose the first directory of a name in which nothing is of another plan."""
    names = (name if k == 1 else f"{name}-{k}" for k in count(1))
    folders = (RUNS / n for n in names)
    return next(f for f in folders if _is_free(f, test, realtime) and has_certificate_of(f, test))


def has_certificate_of(folder: Path, test: HybridTest) -> bool:
    """Tell whether a directory has the certificate of this plan, or none."""
    path = RunDirectory(folder).certificate
    if not path.exists():
        return True
    try:
        digest = json.loads(path.read_text(encoding="utf-8"))["origin"]["digest"]
    except (OSError, ValueError, LookupError, TypeError):
        return False
    return bool(digest == digest_plan(test)[:SHOWN_DIGITS])


def _is_free(folder: Path, test: HybridTest, realtime: bool) -> bool:
    """Tell whether a directory has no record, or one that this run may replace."""
    path = RunDirectory(folder).record
    if not path.exists() or realtime:
        return not path.exists()
    from rths.records.hdf5_reader import DAMAGES, files_of, open_record

    try:
        with open_record(path) as (file, size):
            same = str(file.attrs["plan"]) == dumps(test)
            return same and files_of(file, size) == attached_files(test)
    except DAMAGES:
        return False
