"""Heaps of an HDF5 file in which the library would go round for ever.

    "GCOL"  version (1) = 1  zeros (3)  size (8)      then objects:
    index (2)  users (2)  zeros (4)  length (8)  content, padded to 8;   index 0: what is free,
    its length counted with its own 16 bytes                                                   (1)

Texts of an attribute lie in such a collection. The library (2.0) reads it object by object, and an
object that is free and has no length is followed by itself: no signal ends that. So (1) is walked
here before the library sees the file.

HDF5 File Format Specification, version 3, section III.E.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import BinaryIO

from rths.plain_file import require_file

SIGNATURE = b"GCOL\x01\0\0\0"
"""First bytes of a collection; whatever differs is refused by the library itself."""
HEAD_BYTES = 16
"""Bytes in front of the objects, and of each of them."""
WINDOW = 1 << 22
"""Bytes that are looked through at a time. Not mapped: pages of a map count as the process's own
memory, and where memory is locked all of a long record would be kept in it."""
PORTION = 1 << 16
"""Bytes of a collection that are read at a time; most have 4096."""


def check_heaps(path: Path) -> None:
    """Raise ValueError for a file with a collection in which nobody comes to an end."""
    require_file(path)
    size, kept = path.stat().st_size, len(SIGNATURE) - 1
    with path.open("rb") as file:
        for begin in range(0, size, WINDOW):
            file.seek(begin)
            window = file.read(WINDOW + kept)
            at = window.find(SIGNATURE)
            while at >= 0:
                if not _ends(file, begin + at, size):
                    raise ValueError(f"its heap at byte {begin + at} has no end")
                at = window.find(SIGNATURE, at + 1)


def _ends(file: BinaryIO, first: int, size: int) -> bool:
    """Walk through the objects (1) of a collection."""
    if first + HEAD_BYTES > size:
        return True
    file.seek(first + 8)
    end = min(first + int.from_bytes(file.read(8), "little"), size)
    at, start, portion = first + HEAD_BYTES, 0, b""
    while at + HEAD_BYTES <= end:
        if not start <= at <= start + len(portion) - HEAD_BYTES:
            file.seek(at)
            start, portion = at, file.read(PORTION)
        index, length = struct.unpack_from("<H6xQ", portion, at - start)
        if index == 0:
            return bool(length >= HEAD_BYTES)
        at += HEAD_BYTES + (length + 7) // 8 * 8
    return True
