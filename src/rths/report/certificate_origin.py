"""Where a certificate comes from, and where it goes: no page of another plan is replaced unsaid.

A certificate without a directory of its own goes to runs/<plan>, or to runs/<plan>-2, -3, ... if
the certificate there, or the record, belongs to another plan.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

from rths.assembly.hybrid_test import HybridTest
from rths.config.fingerprint import fingerprint
from rths.errors import InputError
from rths.records.trail import digest_of
from rths.records.versions import package_versions
from rths.run.run_directory import RUNS, RunDirectory

SHOWN_DIGITS = 16
"""Digits of a digest on the page: two plans share them in one case of 2^64."""


@dataclass(frozen=True)
class Origin:
    """Which plan, when, and by which version."""

    plan: str
    created: str
    version: str
    digest: str
    """SHA-256, shortened, of the complete plan and of the files that it names."""
    changes: str = ""


def origin_of(test: HybridTest, plan: str, changes: Mapping[str, Any]) -> Origin:
    """Tell where a certificate comes from."""
    given = {k: v for k, v in fingerprint(test).items() if k != "versions"}
    now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    told = ", ".join(f"{field} = {value}" for field, value in changes.items())
    return Origin(plan, now, package_versions()["rths"], digest_of(given)[:SHOWN_DIGITS], told)


def certificate_folder(
    origin: Origin, name: str, out: Path | None, overwrite: bool = False
) -> Path:
    """Choose the directory of a certificate, or refuse the one that was asked for."""
    if out is not None:
        if not overwrite and not _is_free(out, origin):
            problem = "holds the certificate of another plan"
            remedy = "Choose another directory, or add --overwrite."
            raise InputError("--out", str(out), problem, remedy)
        return out
    names = (name if k == 1 else f"{name}-{k}" for k in count(1))
    return next(RUNS / n for n in names if _is_free(RUNS / n, origin))


def _is_free(folder: Path, origin: Origin) -> bool:
    """Tell whether a directory has no certificate, or one of the same plan."""
    path = RunDirectory(folder).certificate
    if not path.exists():
        return True
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return bool(content["origin"]["digest"] == origin.digest)
    except (OSError, ValueError, LookupError, TypeError):
        return False
