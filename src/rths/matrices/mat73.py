"""Matrices of a MAT file of version 7.3, an HDF5 file.

    full      a dataset, transposed, as MATLAB stores by columns                              (1)
    sparse    a group with ir (rows), jc (where the columns begin) and data; its attribute
              MATLAB_sparse is the number of rows                                             (2)

What lies in another file is not followed.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from rths.errors import InputError
from rths.matrices.full import Matrices, Numbers, check_shape, fill_compressed
from rths.motions.claim import check_claim
from rths.motions.global_heap import check_heaps

REMEDY = "Save a matrix of real numbers."


def read(path: Path) -> Matrices:
    """Give the variables of the file."""
    import h5py

    check_heaps(path)
    with h5py.File(path, "r") as file:
        names = [n for n in file if isinstance(n, str) and not n.startswith("#")]
        own = [n for n in names if not isinstance(file.get(n, getlink=True), h5py.ExternalLink)]
    return {name: partial(_variable, path, name) for name in own}


def _variable(path: Path, name: str) -> Numbers:
    """Give one variable as a matrix."""
    import h5py

    with h5py.File(path, "r") as file:
        item = file[name]
        if isinstance(item, h5py.Group) and "MATLAB_sparse" in item.attrs:
            return _read_sparse(path, item)
        if not isinstance(item, h5py.Dataset):
            raise InputError("file", None, "is a structure or a cell", REMEDY)
        if item.attrs.get("MATLAB_class") in (b"char", "char"):
            raise InputError("file", None, "is text", REMEDY)
        if "MATLAB_empty" in item.attrs:
            raise InputError("file", None, "is empty", REMEDY)
        check_shape(item.shape or ())
        return _values(path, item).T  # (1)


def _values(path: Path, item: Any) -> Numbers:
    """Read a dataset of real numbers that lies in the file itself."""
    if item.external or item.is_virtual:
        raise ValueError(f"{item.name} lies in another file")
    if item.dtype.names == ("real", "imag") or item.dtype.kind == "c":
        raise InputError("file", None, "is complex", REMEDY)
    if item.dtype.kind not in "fiub":
        raise InputError("file", None, "is no matrix of numbers", REMEDY)
    check_claim(path, item.nbytes, path.stat().st_size)
    return np.asarray(item)


def _read_sparse(path: Path, group: Any) -> Numbers:
    """Give the matrix of (2); one without entries has neither rows nor data."""
    import h5py

    parts = {}
    for name in ("jc", "ir", "data"):
        if group.get(name, getlink=True) is None and name != "jc":
            parts[name] = np.zeros(0, np.int64)
            continue
        if isinstance(group.get(name, getlink=True), h5py.ExternalLink):
            raise ValueError(f"{name} lies in another file")
        parts[name] = np.ravel(_values(path, group[name]))
    starts = parts["jc"]
    shape = (int(group.attrs["MATLAB_sparse"]), starts.size - 1)
    return fill_compressed(shape, starts, parts["ir"], parts["data"], by_columns=True)
