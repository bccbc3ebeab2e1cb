"""Digests of what a test is made of, for the trail of its record (records/trail.py)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from rths.assembly.hybrid_test import HybridTest
from rths.config.attachments import attached_files
from rths.config.plan import dumps
from rths.records.trail import digest_of
from rths.records.versions import package_versions


def fingerprint(test: HybridTest) -> dict[str, str]:
    """Give the digests of its plan, of the versions and of every file that it needs."""
    return {"versions": digest_of(package_versions())} | _digest_parts(test)


def digest_plan(test: HybridTest) -> str:
    """Give SHA-256 of a complete plan and of the files that it names."""
    return digest_of(_digest_parts(test))


def _digest_parts(test: HybridTest) -> dict[str, str]:
    found = {"plan": digest_text(dumps(test))}
    return found | {k: hashlib.sha256(v).hexdigest() for k, v in attached_files(test).items()}


def digest_text(text: str) -> str:
    """Give SHA-256 of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def tell_changes(changes: Mapping[str, Any] | None) -> str:
    """Say in words which fields of the plan were changed before the test."""
    told = ", ".join(f"{field} = {value}" for field, value in (changes or {}).items())
    return f", changed: {told}" if told else ""
