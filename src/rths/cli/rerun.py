"""``rths rerun RECORD``: repeat a test from its record alone, and compare bit for bit."""

from __future__ import annotations

import sys
from typing import Any

from rths.cli._plan import Trust, show_trusted
from rths.cli._progress import patience
from rths.cli._record import RecordPath, find_record
from rths.cli._voice import AsJson, answer, paint

PLACE = 320

IDENTICAL, DIFFERENT = 0, 1
"""Exit status."""


def rerun(
    record: RecordPath,
    trust: Trust = False,
    as_json: AsJson = False,
) -> None:
    """Repeat the test of a record and tell whether every bit is the same."""
    from rths.run.repetition import repetition

    with show_trusted(trust), patience("the test is repeated"):
        found = repetition(find_record(record))
    answer(as_json, _repetition_as_dict(found), _describe_repetition(found))
    sys.exit(IDENTICAL if found.identical else DIFFERENT)


def _describe_repetition(found: Any) -> list[str]:
    """Say whether all is the same, and else what is not."""
    lines = [f"{found.record.name}: {found.ticks} ticks of {len(found.record)} signals compared"]
    if found.identical:
        return [*lines, paint("identical to the last bit", "identical")]
    lines.append(paint("NOT identical", "different"))
    if str(found.record.stop) != str(found.again):
        lines += [f"  the record ended: {found.record.stop}", f"  the repetition:   {found.again}"]
    for d in found.differences:
        lines.append(f"  {d.signal}: first at {d.time:.6g} s, at most {d.largest:.3g}")
    for package, (was, now) in found.versions.items():
        lines.append(f"  {package} was {was}, is {now}")
    return lines


def _repetition_as_dict(found: Any) -> dict[str, Any]:
    """Give the same for a program."""
    from dataclasses import asdict

    return {
        "name": found.record.name,
        "identical": found.identical,
        "ticks": found.ticks,
        "stop": str(found.record.stop),
        "again": str(found.again),
        "differences": [asdict(d) for d in found.differences],
        "versions": dict(found.versions),
    }
