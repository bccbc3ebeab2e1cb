"""A record's test run again from the record alone, and compared bit for bit.

A record of a run on the clock is repeated off it: with the plan's own transfer and specimen, also
behind a simulated link, the numbers are the same. What a rig on a wire has answered cannot be had
again.
"""

from __future__ import annotations

import platform
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from rths.assembly.hybrid_test import HybridTest
from rths.config.attachments import rebuild_test
from rths.errors import InputError
from rths.loop.channel_name import split_channel
from rths.loop.stop import Stop
from rths.records.hdf5 import read
from rths.records.record import Record
from rths.run.former_names import present_name, rename_plan
from rths.run.virtual import simulate

CUT_SHORT = ("interrupted", "slips", "heartbeat", "killed", "record")
"""Reasons of an end that lie outside of the test."""


@dataclass(frozen=True)
class Difference:
    """Where a signal first differs, and by how much at most."""

    signal: str
    time: float
    largest: float


@dataclass(frozen=True)
class Repetition:
    """What came of running a record again."""

    record: Record
    again: Stop
    ticks: int
    """Rows that both have, and that were compared."""
    differences: tuple[Difference, ...]
    versions: dict[str, tuple[str, str]]
    """Packages whose version has changed: that of the record, that of today."""

    @property
    def identical(self) -> bool:
        """Tell whether every bit is the same, and the end too."""
        was = self.record.stop
        named = any(present_name(name) != name for name in self.record)
        if named or present_name(was.guard or "") == self.again.guard:  # by a former name
            said = {k: getattr(self.again, k) for k in ("message", "signal", "block", "guard")}
            was = replace(was, **said)
        same_end = was.reason in CUT_SHORT or was == self.again
        return not self.differences and same_end and self.ticks == len(self.record.rows)


def repetition(path: Path) -> Repetition:
    """Run the test of a record again, in the same loop, and compare."""
    record = read(path)
    if not record.plan:
        raise InputError(
            "record", str(path), "has no plan inside", "Give a record that rths run has written."
        )
    loop: Any = record.details.get("loop") or None
    with TemporaryDirectory(prefix="rths_") as folder:
        test = _test_of(record, Path(folder))
        live = "hardware.missed" in record
        if live and test.hardware is not None and not test.hardware.simulated:
            raise InputError(
                "record",
                str(path),
                f"was made with a rig ({test.hardware.kind}), whose answers cannot be had again",
                "Rehearse its plan with rths run, and rths compare the two records.",
            )
        again = simulate(test, loop, live=live)
    missing = [name for name in record if _values(again, name) is None]
    if missing:
        raise InputError(
            "record", missing[0], "is no signal of its plan", "Give the record as it was written."
        )
    ticks = min(len(record.rows), len(again.rows))
    found = (_difference(name, record, again, ticks) for name in record)
    was = record.details.get("versions", {})
    changed = {p: (v, _version(p)) for p, v in was.items() if v != _version(p)}
    return Repetition(record, again.stop, ticks, tuple(d for d in found if d), changed)


def _test_of(record: Record, folder: Path) -> HybridTest:
    """Build the test of a record; a former one may have names of then."""
    try:
        return rebuild_test(record.plan, record.files, folder)
    except InputError as error:
        try:
            return rebuild_test(record.plan, record.files, folder, rename_plan)
        except InputError:
            raise error from None


def _values(record: Record, name: str) -> Any:
    """Give the values of a signal by its name, former or of today; None if there is none."""
    for known in (name, present_name(name)):
        if known in record:
            return record[known]
    base, index = split_channel(present_name(name))
    if index is None or base not in record or index >= record[base].shape[1]:
        return None
    return record[base][:, index : index + 1]


def _difference(name: str, record: Record, again: Record, ticks: int) -> Difference | None:
    channel = record.channel(name)
    count = len(range(channel.phase, ticks, channel.every))
    a, b = (np.ascontiguousarray(_values(r, name)[:count]) for r in (record, again))
    bits = (a.view(np.int64) != b.view(np.int64)) & ~(np.isnan(a) & np.isnan(b))
    if not bits.any():
        return None
    first = int(np.argwhere(bits)[0, 0])
    return Difference(name, float(record.time(name)[first]), float(np.nanmax(np.abs(a - b))))


def _version(package: str) -> str:
    return platform.python_version() if package == "python" else version(package)
