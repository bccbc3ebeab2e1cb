"""Arrays of numbers of a MAT file of version 5, read without trust in what it says of itself.

    header (128)   text (116), offset (8), version (2), order of bytes (2): "IM" or "MI"
    element        kind (4), bytes (4), data, filled up to 8; or, if it has 4 bytes at most,
                   kind (2), bytes (2), data (4)                                              (1)
    matrix (14)    flags with its class, dimensions, name, real part: each an element
    packed (15)    an element (1) behind zlib, not filled up

Classes 6 to 15 are numbers; texts, cells, structures and sparse matrices are left out. A file that
contradicts itself raises ValueError. (The reader of SciPy 1.17 crashes on some of them.)

MathWorks, MAT-File Format, version 5 level, R2023b.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from math import prod
from pathlib import Path

import numpy as np

from rths.motions.claim import ALWAYS, MOST, check_claim
from rths.motions.time_series import Array

HEADER = 128
MATRIX, PACKED = 14, 15
NUMBERS = {
    1: "i1", 2: "u1", 3: "i2", 4: "u2", 5: "i4", 6: "u4", 7: "f4", 9: "f8", 12: "i8", 13: "u8",
}  # fmt: skip
"""Kinds of elements that are numbers."""
CLASSES = range(6, 16)
"""Classes of matrices that are numbers, from double to uint64."""


def is_version_5(path: Path) -> bool:
    """Tell it from version 4, which begins with a number below 5000: one of its bytes is zero."""
    with path.open("rb") as file:
        head = file.read(HEADER)
    return len(head) == HEADER and 0 not in head[:4] and head[126:128] in (b"IM", b"MI")


def read_arrays(path: Path) -> dict[str, Array]:
    """Give the matrices of numbers by name."""
    content = path.read_bytes()
    order = "<" if content[126:128] == b"IM" else ">"
    found = {}
    for kind, data in _elements(content[HEADER:], order):
        if kind == PACKED:
            inner = list(_elements(_unpack(path, data, len(content)), order))
            kind, data = inner[0] if inner else (0, b"")
        if kind == MATRIX:
            found.update(_matrix(path, data, order, len(content)))
    return found


def _elements(data: bytes, order: str) -> Iterator[tuple[int, bytes]]:
    """Go through the elements (1) that stand one after the other."""
    at = 0
    while at + 8 <= len(data):
        kind, size = struct.unpack_from(f"{order}II", data, at)
        begin, step = at + 8, size + (-size % 8 if kind != PACKED else 0)
        if kind >> 16:  # small: data in the place of the number of bytes
            kind, size = kind & 0xFFFF, kind >> 16
            begin, step = at + 4, 4
        if size > len(data) - begin or (begin == at + 4 and size > 4):
            raise ValueError(f"an element of {size} bytes does not fit")
        yield kind, data[begin : begin + size]
        at = begin + step


def _unpack(path: Path, data: bytes, size: int) -> bytes:
    """Unpack an element, but not beyond what the file may claim."""
    most = max(ALWAYS, MOST * size)
    found = zlib.decompressobj().decompress(data, most + 1)
    check_claim(path, len(found), size)
    return found


def _matrix(path: Path, data: bytes, order: str, size: int) -> dict[str, Array]:
    """Read one matrix; nothing if it is none of numbers."""
    parts = list(_elements(data, order))
    if len(parts) < 4 or len(parts[0][1]) < 4:
        return {}
    flags = struct.unpack_from(f"{order}I", parts[0][1])[0]
    kind, real = parts[3]
    if flags & 0xFF not in CLASSES or kind not in NUMBERS:
        return {}
    shape = [int(n) for n in np.frombuffer(parts[1][1], f"{order}i4")]
    values = np.frombuffer(real, f"{order}{NUMBERS[kind]}")
    check_claim(path, 8 * values.size, size)
    if min(shape, default=0) < 0 or prod(shape) != values.size:
        raise ValueError(f"{values.size} numbers do not fill {shape}")
    name = parts[2][1].decode("latin-1")
    return {name: values.reshape(shape, order="F").astype(np.float64)}
