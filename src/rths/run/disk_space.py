"""Whether the disk has room for what a run will write, asked before it begins.

    record   8 bytes for every value of every recorded signal                                 (1)

A run on the clock writes a journal first, with three more values in every tick, and keeps it.
"""

from __future__ import annotations

import shutil
from pathlib import Path

from rths.assembly.hybrid_test import HybridTest
from rths.errors import InputError
from rths.records.record import channels_of
from rths.records.timing import ROW_HEADER

MARGIN = 1.02
"""What a record takes beside its values: lists of its portions, the plan, files."""


def record_bytes(test: HybridTest, realtime: bool) -> int:
    """Tell how many bytes a run will write."""
    layout = test.live_layout if realtime else test.layout
    ticks = test.clock.ticks
    values = 0
    for c in channels_of(layout, test.tick).values():
        values += -(-ticks // c.every) * (c.columns.stop - c.columns.start)
    if realtime:
        journal = len(ROW_HEADER) + len(layout.record_slots)
        record = len(ROW_HEADER) - 1  # the number of the tick follows from its row
        values += ticks * (journal + record)
    return round(MARGIN * 8 * values)


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
