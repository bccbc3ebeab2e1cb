"""Matrices of a MAT file of MATLAB and Octave, full or sparse, version 5 to 7 and 7.3.

    save('fe.mat', 'M', 'C', 'K')              % version 5 to 7
    save('fe.mat', 'M', 'C', 'K', '-v7.3')     % an HDF5 file
    save -v7 fe.mat M C K                      % Octave, whose own form is another

Texts, cells and structures are not looked into.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from rths.errors import InputError
from rths.loop.block import Vector
from rths.matrices.full import Matrices, Numbers, check_shape, fill_compressed
from rths.motions import mat5

SPARSE, TEXT = 5, 4
OTHER = {1: "a cell", 2: "a structure", 3: "an object", TEXT: "text"}
"""Classes of version 5 that are no numbers, in words."""


def read(path: Path) -> Matrices:
    """Give the variables of the file."""
    import h5py

    if h5py.is_hdf5(path):
        from rths.matrices import mat73

        return mat73.read(path)
    if not mat5.is_version_5(path):
        remedy = "Save it again: save('fe.mat', 'M', 'K'), in Octave save -v7 fe.mat M K."
        raise InputError("file", None, "is no MAT file of version 5 to 7.3", remedy)
    return {v.name: partial(_numbers, v) for v in mat5.read_variables(path)}


def _numbers(variable: mat5.Variable) -> Numbers:
    """Give one variable as a matrix."""
    if variable.kind not in (SPARSE, *mat5.CLASSES):
        what = OTHER.get(variable.kind, "no matrix of numbers")
        raise InputError("file", None, f"is {what}", "Save a matrix of real numbers.")
    if variable.imaginary:
        raise InputError("file", None, "is complex", "Save a matrix of real numbers.")
    check_shape(variable.shape)
    return _read_sparse(variable) if variable.kind == SPARSE else variable.real_matrix()


def _read_sparse(variable: mat5.Variable) -> Vector:
    """Give a sparse matrix: its rows, where its columns begin, its values."""
    if len(variable.parts) < 3 or len(variable.shape) != 2:
        raise ValueError("a sparse matrix has rows, columns and values")
    rows, starts, values = (variable.numbers(k) for k in range(3))
    shape = (variable.shape[0], variable.shape[1])
    return fill_compressed(shape, starts, rows, values, by_columns=True)
