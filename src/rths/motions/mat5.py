"""Arrays of numbers of a MAT file of version 5, read without trust in what it says of itself.

    header (128)   text (116), offset (8), version (2), order of bytes (2): "IM" or "MI"
    element        kind (4), bytes (4), data, filled up to 8; or, if it has 4 bytes at most,
                   kind (2), bytes (2), data (4)                                              (1)
    matrix (14)    flags with its class, dimensions, name, real part: each an element
    packed (15)    an element (1) behind zlib, not filled up

Classes 6 to 15 are numbers, 5 a sparse matrix (rows, where columns begin, values), the rest texts,
cells and structures. A file that contradicts itself raises ValueError. (The reader of SciPy 1.17
crashes on some of them.)

MathWorks, MAT-File Format, version 5 level, R2023b.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
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
COMPLEX = 1 << 11
"""Flag of a matrix with an imaginary part."""


def is_version_5(path: Path) -> bool:
    """Tell it from version 4, which begins with a number below 5000: one of its bytes is zero."""
    with path.open("rb") as file:
        head = file.read(HEADER)
    return len(head) == HEADER and 0 not in head[:4] and head[126:128] in (b"IM", b"MI")


@dataclass(frozen=True)
class Variable:
    """One matrix of a file; its numbers are looked at when they are asked for."""

    name: str
    kind: int
    """Its class."""
    imaginary: bool
    shape: tuple[int, ...]
    parts: tuple[tuple[int, bytes], ...]
    """What follows the name: the real part, or what a sparse matrix has."""
    order: str

    def numbers(self, part: int) -> Array:
        """Give the numbers of a part as they are stored."""
        kind, data = self.parts[part]
        if kind not in NUMBERS:
            raise ValueError(f"elements of the kind {kind} are no numbers")
        return np.frombuffer(data, f"{self.order}{NUMBERS[kind]}")

    def real_matrix(self) -> Array:
        """Give the matrix of its real part."""
        values = self.numbers(0)
        if min(self.shape, default=0) < 0 or prod(self.shape) != values.size:
            raise ValueError(f"{values.size} numbers do not fill {list(self.shape)}")
        return values.reshape(self.shape, order="F").astype(np.float64)


def read_arrays(path: Path) -> dict[str, Array]:
    """Give the matrices of numbers by name."""
    found, size = {}, path.stat().st_size
    for variable in read_variables(path):
        if variable.kind in CLASSES and variable.parts[0][0] in NUMBERS:
            check_claim(path, 8 * variable.numbers(0).size, size)
            found[variable.name] = variable.real_matrix()
    return found


def read_variables(path: Path) -> Iterator[Variable]:
    """Go through the matrices of the file, whatever they hold."""
    content = path.read_bytes()
    order = "<" if content[126:128] == b"IM" else ">"
    for kind, data in _elements(content[HEADER:], order):
        if kind == PACKED:
            inner = list(_elements(_unpack(path, data, len(content)), order))
            kind, data = inner[0] if inner else (0, b"")
        if kind == MATRIX:
            yield from _variable(data, order)


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


def _variable(data: bytes, order: str) -> Iterator[Variable]:
    """Take one matrix apart; nothing if it is none."""
    parts = list(_elements(data, order))
    if len(parts) < 4 or len(parts[0][1]) < 4:
        return
    flags = struct.unpack_from(f"{order}I", parts[0][1])[0]
    shape = tuple(int(n) for n in np.frombuffer(parts[1][1], f"{order}i4"))
    name = parts[2][1].decode("latin-1")
    yield Variable(name, flags & 0xFF, bool(flags & COMPLEX), shape, tuple(parts[3:]), order)
