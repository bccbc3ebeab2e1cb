"""The room that a record takes on the disk, which is claimed before it is written.

8 · 8192 bytes for every portion begun of every column, 1/64 of that for the lists of
portions, and 1 MiB for what is written on closing                                        (1)
"""

from __future__ import annotations

from collections.abc import Iterable

from rths.records.record import Channel

CHUNK = 8192
"""Rows of a portion of the file: 64 kB a channel, and two seconds of a test at 4096 Hz."""
LISTS = 64
"""Bytes of data for which one byte is kept for the lists of portions: a portion has 64 kB or more,
its entry in a list less than 100 bytes, and ten times that is kept."""
CLOSING = 1 << 20
"""Bytes kept for what is written on closing: attributes, among them how the run ended."""


def count_bytes(channels: Iterable[Channel], ticks: int) -> int:
    """Give (1) of so many ticks; what stands before the first portion comes on top."""
    data = 0
    for c in channels:
        chunks = -(-ticks // (c.every * CHUNK))
        data += 8 * CHUNK * chunks * (c.columns.stop - c.columns.start)
    return data + data // LISTS + CLOSING
