"""Whether the disk has room for what a run will write, asked before it begins.

    record   its portions and what is kept for closing it (records/portions.py), the files that
             the plan names, and a head                                                       (1)

A run on the clock writes a journal first, with three more values in every tick, and keeps it; so
it does copies of the files.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from rths.assembly.hybrid_test import HybridTest
from rths.config.attachments import attached_files
from rths.errors import InputError
from rths.records.portions import count_bytes
from rths.records.record import channels_of
from rths.records.timing import ROW_HEADER

ITEM = 8
"""Bytes of a value."""
TEXT_BYTES = 1 << 17
"""Bytes that the plan and the names of its signals take in a record, and texts beside it."""


def record_bytes(test: HybridTest, realtime: bool) -> int:
    """Tell how many bytes a run will write."""
    layout, ticks = test.live_layout if realtime else test.layout, test.clock.ticks
    files = sum(map(len, attached_files(test).values()))
    record = TEXT_BYTES + files + count_bytes(channels_of(layout, test.tick).values(), ticks)
    if not realtime:
        return record
    row = len(ROW_HEADER) + len(layout.record_slots)
    timing = len(ROW_HEADER) - 1  # the number of the tick follows from its row
    return record + files + ITEM * ticks * (row + timing)


def check_disk_space(test: HybridTest, folder: Path, realtime: bool = False) -> None:
    """Refuse a test whose record would not fit on the disk of its directory."""
    there = next(p for p in (folder.absolute(), *folder.absolute().parents) if p.exists())
    needed, free = record_bytes(test, realtime), shutil.disk_usage(there).free
    if needed > free:
        what = "a record and a journal" if realtime else "a record"
        raise InputError(
            "clock.duration",
            test.duration,
            f"gives {what} of {_size(needed)}, and {there} has {_size(free)} free",
            "Shorten it, name fewer [record] signals, or choose another disk with --out.",
        )


def _size(count: float) -> str:
    return f"{count / 1e9:.3g} GB" if count >= 1e9 else f"{count / 1e6:.3g} MB"
