"""A record that was cut off or left behind open, made readable again.

An HDF5 file begins with its superblock (version 2 or 3):

    signature (8)  version (1)  sizes (2)  flags (1)  base (8)  extension (8)  end (8)  root (8)
    checksum (4) of what stands before                                                       (1)

A file shorter than its ``end`` is refused by the library, and so is one whose flags say that a
writer has it open. Here it is shown to the library with its flags cleared, zeros for what is
missing and a new checksum (1); what lies in the missing part must then not be believed. The
library's own mode for readers beside a writer is not used: where metadata is damaged it tries a
hundred times and sleeps twice as long each time, for hours, and no signal ends that.

Checksum: B. Jenkins, lookup3.c (hashlittle), 2006, public domain.
"""

from __future__ import annotations

import io
import os
import struct
from pathlib import Path
from typing import Any

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


def is_open(path: Path) -> bool:
    """Tell whether a file says that a writer has it open."""
    with path.open("rb") as file:
        head = file.read(LENGTH)
    return len(head) == LENGTH and head[FLAGS] != 0


class Salvaged(io.RawIOBase):
    """A file as the library would open it: read only, and nothing is copied."""

    def __init__(self, path: Path) -> None:
        self._path, self._file, self._at = path, path.open("rb"), 0
        head = bytearray(self._file.read(LENGTH))
        end = max(path.stat().st_size, struct.unpack_from("<Q", head, END)[0])
        head[FLAGS] = 0
        struct.pack_into("<Q", head, END, end)
        self._head, self._end = bytes(head) + struct.pack("<I", checksum(bytes(head))), int(end)

    def __repr__(self) -> str:
        """Give the file's name, by which the library calls it."""
        return str(self._path)

    def readable(self) -> bool:
        """It can be read."""
        return True

    def seekable(self) -> bool:
        """Any place can be read."""
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Go to a place."""
        self._at = offset + (0, self._at, self._end)[whence]
        return self._at

    def tell(self) -> int:
        """Tell the place."""
        return self._at

    def readinto(self, buffer: Any) -> int:
        """Read from the place on, the head as it is mended and zeros for what is missing."""
        view = memoryview(buffer).cast("B")
        count = max(0, min(len(view), self._end - self._at))
        self._file.seek(self._at)
        given = self._file.read(count)
        view[:count] = given + bytes(count - len(given))
        own = self._head[self._at : self._at + count]
        view[: len(own)] = own
        self._at += count
        return count

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        super().close()


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
