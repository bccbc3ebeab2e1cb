"""Matrix Market: a matrix as text, sparse by its entries or full by its columns.

    %%MatrixMarket matrix coordinate real symmetric
    % comment
    rows columns entries
    i j value          counted from 1; of a symmetric matrix i >= j                           (1)

    %%MatrixMarket matrix array real general
    rows columns
    value              one a line, by columns; of a symmetric matrix from the diagonal down    (2)

Boisvert, Pozo and Remington, The Matrix Market exchange formats, NISTIR 5935, 1996.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from rths.errors import InputError
from rths.loop.block import Vector
from rths.matrices.full import Matrices, Numbers, check_shape, fill
from rths.motions.text_file import read_text

MARK = "%%matrixmarket"
REMEDY = "Begin it with %%MatrixMarket matrix coordinate real symmetric, or array, or general."


def read(path: Path) -> Matrices:
    """Give the one matrix of the file."""
    return {"": lambda: _parse(read_text(path))}


def _parse(text: str) -> Vector:
    head, _, body = text.partition("\n")
    words = head.lower().split()
    if len(words) != 5 or words[:2] != [MARK, "matrix"]:
        raise InputError("file", None, "has no heading of Matrix Market", REMEDY)
    form, numbers, symmetry = words[2:]
    known = form in ("coordinate", "array") and symmetry in ("general", "symmetric")
    if not known or numbers not in ("real", "double", "integer"):
        raise InputError("file", None, f"is {form} {numbers} {symmetry}", REMEDY)
    lines = [line for line in body.splitlines() if line.strip() and not line.startswith("%")]
    size = [int(word) for word in lines[0].split()] if lines else []
    if len(size) != (3 if form == "coordinate" else 2) or min(size) < 0:
        raise InputError("file", None, "has no line of rows and columns", REMEDY)
    check_shape((size[0], size[1]))
    mirrored = symmetry == "symmetric"
    if mirrored and size[0] != size[1]:
        raise InputError("file", None, f"is symmetric and {size[0]}x{size[1]}", REMEDY)
    make = _coordinate if form == "coordinate" else _array
    return make(size, lines[1:], mirrored)


def _table(lines: list[str], rows: int, columns: int) -> Numbers:
    """Read as many lines as were announced."""
    if len(lines) != rows:
        problem = f"has {len(lines)} entries where its heading says {rows}"
        raise InputError("file", None, problem, "Export the matrix again.")
    if not rows:
        return np.zeros((0, columns))
    found = np.loadtxt(lines, comments=None, ndmin=2, dtype=np.float64)
    if found.shape[1] != columns:
        raise ValueError(f"a line has {found.shape[1]} numbers")
    return found


def _coordinate(size: list[int], lines: list[str], mirrored: bool) -> Vector:
    """Give the matrix of (1)."""
    table = _table(lines, size[2], 3)
    if not np.isfinite(table[:, :2]).all() or (table[:, :2] % 1).any():
        raise ValueError("a row or a column is no whole number")
    rows, columns, values = table[:, 0] - 1, table[:, 1] - 1, table[:, 2]
    found = fill((size[0], size[1]), rows, columns, values)
    if not mirrored:
        return found
    if np.any(rows < columns):
        raise ValueError("a symmetric matrix has entries above its diagonal")
    return found + np.tril(found, -1).T


def _array(size: list[int], lines: list[str], mirrored: bool) -> Vector:
    """Give the matrix of (2)."""
    n, m = size
    if not mirrored:
        return _table(lines, n * m, 1).reshape((n, m), order="F")
    found = np.zeros((n, n))
    columns, rows = np.triu_indices(n)  # by columns, each from the diagonal down
    found[rows, columns] = _table(lines, n * (n + 1) // 2, 1)[:, 0]
    return found + np.tril(found, -1).T
