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

import mmap
import struct
from pathlib import Path

SIGNATURE = b"GCOL\x01\0\0\0"
"""First bytes of a collection; whatever differs is refused by the library itself."""
HEAD = 16
"""Bytes in front of the objects, and of each of them."""
WINDOW = 1 << 24
"""Bytes that are looked through at a time, whole pages: what was seen is given back, so that a long
record takes no more memory than a short one."""


def check_heaps(path: Path) -> None:
    """Raise ValueError for a file with a collection in which nobody comes to an end."""
    if path.stat().st_size < HEAD:
        return
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        for begin in range(0, len(content), WINDOW):
            end = begin + WINDOW + len(SIGNATURE) - 1
            at = content.find(SIGNATURE, begin, end)
            while at >= 0:
                if not _ends(content, at):
                    raise ValueError(f"its heap at byte {at} has no end")
                at = content.find(SIGNATURE, at + 1, end)
            content.madvise(mmap.MADV_DONTNEED, begin, min(WINDOW, len(content) - begin))


def _ends(content: mmap.mmap, first: int) -> bool:
    """Walk through the objects (1) of a collection."""
    if first + HEAD > len(content):
        return True
    end = min(first + struct.unpack_from("<Q", content, first + 8)[0], len(content))
    at = first + HEAD
    while at + HEAD <= end:
        index, length = struct.unpack_from("<H6xQ", content, at)
        if index == 0:
            return bool(length >= HEAD)
        at += HEAD + (length + 7) // 8 * 8
    return True
