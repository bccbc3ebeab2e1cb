"""NumPy's file of several arrays, and SciPy's of a sparse matrix: a ZIP of .npy files.

    sparse:  format = "csr" or "csc", data, indices, indptr, shape;   "coo": row, col           (1)

A sparse matrix takes the whole file, which then has no names.

SciPy, scipy.sparse.save_npz.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from zipfile import ZipFile

import numpy as np

from rths.errors import InputError
from rths.loop.block import Vector
from rths.matrices.full import Matrices, Numbers, fill, fill_compressed
from rths.matrices.npy import parse
from rths.motions.claim import check_claim


def read(path: Path) -> Matrices:
    """Give the matrices of the file."""
    with ZipFile(path) as file:
        names = [n.removesuffix(".npy") for n in file.namelist() if n.endswith(".npy")]
    if {"format", "data", "shape"} <= set(names):
        return {"": partial(_read_sparse, path)}
    return {name: partial(_member, path, name) for name in names}


def _member(path: Path, name: str) -> Numbers:
    """Read one array; not beyond what the file may claim."""
    size = path.stat().st_size
    with ZipFile(path) as file, file.open(f"{name}.npy") as member:
        claimed = file.getinfo(f"{name}.npy").file_size
        check_claim(path, claimed, size)
        content = member.read(claimed + 1)
    return parse(content)


def _read_sparse(path: Path) -> Vector:
    """Give the matrix of (1)."""
    kind = _member(path, "format").tobytes().replace(b"\0", b"").decode("ascii", "replace")
    shape, data = _member(path, "shape"), _member(path, "data")
    if shape.size != 2 or shape.dtype.kind not in "iu" or data.ndim != 1:
        raise ValueError("a sparse matrix has two dimensions")
    size = (int(shape[0]), int(shape[1]))
    if kind == "coo":
        return fill(size, _places(path, "row"), _places(path, "col"), data)
    if kind not in ("csr", "csc"):
        remedy = "In Python: scipy.sparse.save_npz(file, K.tocsr())."
        raise InputError("file", None, f"is sparse in the form {kind!r}", remedy)
    starts, places = _places(path, "indptr"), _places(path, "indices")
    return fill_compressed(size, starts, places, data, by_columns=kind == "csc")


def _places(path: Path, name: str) -> Numbers:
    found = np.atleast_1d(_member(path, name))
    if found.ndim != 1 or found.dtype.kind not in "iu":
        raise ValueError(f"{name} are no whole numbers")
    return found
