"""Where a certificate comes from, and where it goes: no page of another plan is replaced unsaid.

A certificate without a directory of its own goes where a run of the same plan goes (run/folder.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from rths.assembly.hybrid_test import HybridTest
from rths.config.fingerprint import digest_plan
from rths.errors import InputError
from rths.records.versions import package_versions
from rths.run.folder import SHOWN_DIGITS, has_certificate_of, plan_folder


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
    now = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    told = ", ".join(f"{field} = {value}" for field, value in changes.items())
    return Origin(plan, now, package_versions()["rths"], digest_plan(test)[:SHOWN_DIGITS], told)


def certificate_folder(
    test: HybridTest, name: str, out: Path | None, overwrite: bool = False
) -> Path:
    """Choose the directory of a certificate, or refuse the one that was asked for."""
    if out is not None:
        if not overwrite and not has_certificate_of(out, test):
            problem = "holds the certificate of another plan"
            remedy = "Choose another directory, or add --overwrite."
            raise InputError("--out", str(out), problem, remedy)
        return out
    return plan_folder(test, name)
