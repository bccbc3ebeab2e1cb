"""One matrix out of a file that a plan names, as ``fe.mat:M``.

    file          .mat (MATLAB 5 to 7.3), .npz, or .npy, .csv and .mtx, which hold one matrix   (1)
    :name         which of several matrices; not needed where the file holds one

A file is data: it is read, never executed, and neither its size nor what it claims to hold is
trusted. Sparse matrices come out full. What is in the way is one message, with the field of the
plan, what stands in it and what to do.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from pathlib import Path

import numpy as np

from rths.errors import InputError, explain_os_error, suggest
from rths.loop.block import Vector
from rths.matrices.full import Matrices, Numbers, check_shape
from rths.plain_file import require_file, suggest_file
from rths.quantity import MATRIX_FILE

MOST_MATRIX_BYTES = 1 << 28
"""Bytes of a file: a full matrix of the largest size, written as text, has no more."""
READERS = {".mat": "mat", ".npy": "npy", ".npz": "npz", ".csv": "csv", ".mtx": "matrix_market"}
"""Formats (1): the ending of a file, and the module that reads it."""


def read_matrix(field: str, reference: str) -> Vector:
    """Give the matrix that a field of a plan names; not to be written to."""
    file, rest = MATRIX_FILE.split(reference) or (reference, "")
    path = Path(file)
    try:
        about = _require_matrix_file(path).stat()
        return _read(path, rest.removeprefix(":"), about.st_mtime_ns, about.st_size)
    except InputError as error:
        raise InputError(field, reference, error.problem, error.remedy) from None
    except OSError as error:
        told = explain_os_error(error)
        raise InputError(field, reference, told.problem, told.remedy) from None


def _require_matrix_file(path: Path) -> Path:
    """Give the path of a file that may be read."""
    if not path.exists():
        remedy = f"{suggest_file(path)}The file is looked for in the folder of the plan."
        raise InputError("file", str(path), "does not exist", remedy)
    require_file(path)
    if path.is_dir():
        raise InputError("file", str(path), "is a directory", "Name one file inside it.")
    size = path.stat().st_size
    if size == 0:
        raise InputError("file", str(path), "is empty", "Export the matrices again.")
    if size > MOST_MATRIX_BYTES:
        problem = f"has {size >> 20} MiB, more than {MOST_MATRIX_BYTES >> 20}"
        remedy = "Save the matrices alone, the sparse ones as such, or condense the model first."
        raise InputError("file", str(path), problem, remedy)
    return path


@lru_cache(maxsize=4)
def _read(path: Path, name: str, changed: int, size: int) -> Vector:
    """Read a file again only if it changed: a structure is asked for its matrices many times."""
    reader = import_module(f"rths.matrices.{READERS[path.suffix.lower()]}")
    try:
        matrix = _choose(reader.read(path), name, path)()
        found = _check(matrix)
    except (InputError, PermissionError):
        raise
    except Exception as error:  # the readers raise a dozen kinds for a damaged file
        problem = f"cannot be read as a {path.suffix.lower()} file ({type(error).__name__})"
        raise InputError("file", str(path), problem, "Export the matrices again.") from error
    found.flags.writeable = False
    return found


def _choose(matrices: Matrices, name: str, path: Path) -> Callable[[], Numbers]:
    """Give the matrix of a name, or the only one."""
    if "" in matrices:
        if name:
            problem, remedy = "holds one matrix, which has no name", f"Write {path.name!r} alone."
            raise InputError("file", str(path), problem, remedy)
        return matrices[""]
    known = ", ".join(sorted(matrices)[:12]) or "nothing"
    if not name and len(matrices) == 1:
        return next(iter(matrices.values()))
    if not name:
        first = next(iter(sorted(matrices)), "M")
        problem, remedy = f"holds {known}", f"Say which, as in {path.name + ':' + first!r}."
        raise InputError("file", str(path), problem, remedy)
    if name not in matrices:
        same = [m for m in matrices if m.lower() == name.lower()]
        hint = f"Did you mean {same[0]!r}? " if same else suggest(name, matrices)
        raise InputError("file", str(path), f"has no {name!r}", f"{hint}It holds {known}.")
    return matrices[name]


def _check(matrix: Numbers) -> Vector:
    """Refuse what is no matrix of finite real numbers."""
    if matrix.dtype.kind not in "fiub":
        kind = "complex" if matrix.dtype.kind == "c" else "no numbers but text or objects"
        raise InputError("file", None, f"is {kind}", "Save a matrix of real numbers.")
    if matrix.ndim != 2 or 0 in matrix.shape:
        shape = "x".join(map(str, matrix.shape)) or "a single number"
        what = "is empty" if matrix.size == 0 else "is no matrix of rows and columns"
        raise InputError("file", None, f"{what} ({shape})", "Save it with as many rows as columns.")
    check_shape(matrix.shape)
    found = np.array(matrix, np.float64)
    if not np.isfinite(found).all():
        i, j = np.argwhere(~np.isfinite(found))[0]
        problem = f"has an entry that is not finite, row {i}, column {j}, counted from 0"
        raise InputError("file", None, problem, "Look for the element that made it.")
    return found
