"""A record that was cut off or left behind open, made readable again.

An HDF5 file begins with its superblock (version 2 or 3):

    signature (8)  version (1)  sizes (2)  flags (1)  base (8)  extension (8)  end (8)  root (8)
    checksum (4) of what stands before                                                       (1)

A file shorter than its ``end`` is refused by the library, and so is one whose flags say that a
writer has it open. In a copy the flags are cleared, what is missing is filled with zeros and the
checksum (1) is made anew; what lies in the missing part must then not be believed.

Checksum: B. Jenkins, lookup3.c (hashlittle), 2006, public domain.
"""

from __future__ import annotations

import shutil
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

SIGNATURE = b"\x89HDF\r\n\x1a\n"
"""First bytes of every HDF5 file."""
LENGTH = 44
"""Bytes of the superblock before its checksum."""
FLAGS, END = 11, 28
"""Where the flags and the end of the file stand in it."""
_32 = 0xFFFFFFFF
"""The sums of the checksum are of 32 bits."""


def stored_end(path: Path) -> int | None:
    """Give the length that the file should have; None if it is no HDF5 file of our kind."""
    with path.open("rb") as file:
        head = file.read(LENGTH)
    if len(head) < LENGTH or not head.startswith(SIGNATURE) or head[8] not in (2, 3):
        return None
    return int(struct.unpack_from("<Q", head, END)[0])


@contextmanager
def open_salvaged(path: Path) -> Iterator[Path]:
    """Give a copy that the library opens, for as long as it is needed."""
    with TemporaryDirectory(prefix="rths_") as folder:
        copy = Path(folder) / path.name
        shutil.copyfile(path, copy)
        size = copy.stat().st_size
        with copy.open("r+b") as file:
            head = bytearray(file.read(LENGTH))
            end = max(size, struct.unpack_from("<Q", head, END)[0])
            head[FLAGS] = 0
            struct.pack_into("<Q", head, END, end)
            file.seek(0)
            file.write(bytes(head) + struct.pack("<I", checksum(bytes(head))))
            file.truncate(end)
        yield copy


def checksum(data: bytes) -> int:
    """Hash bytes as HDF5 does its metadata."""
    a = b = c = (0xDEADBEEF + len(data)) & _32
    while len(data) > 12:
        x, y, z = struct.unpack_from("<3I", data)
        a, b, c = (a + x) & _32, (b + y) & _32, (c + z) & _32
        for turn in ((4, 6), (8, 16), (19, 4)):
            a, b, c = _mix(a, b, c, *turn)
        data = data[12:]
    x, y, z = struct.unpack("<3I", data.ljust(12, b"\0"))
    return _final((a + x) & _32, (b + y) & _32, (c + z) & _32) if data else c


def _rotate(v: int, by: int) -> int:
    return ((v << by) | (v >> (32 - by))) & _32


def _mix(a: int, b: int, c: int, first: int, second: int) -> tuple[int, int, int]:
    """Two of the six rounds of the mix, and the letters moved on by two."""
    a = ((a - c) & _32) ^ _rotate(c, first)
    c = (c + b) & _32
    b = ((b - a) & _32) ^ _rotate(a, second)
    a = (a + c) & _32
    return c, a, b


def _final(a: int, b: int, c: int) -> int:
    for by in (14, 11, 25, 16, 4, 14, 24):
        c = ((c ^ b) - _rotate(b, by)) & _32
        a, b, c = b, c, a
    return b
