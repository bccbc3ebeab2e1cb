"""A full matrix from the entries of a sparse one.

A_ij = sum of the values given for row i and column j, 0 where there are none              (1)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rths.errors import InputError
from rths.loop.block import Vector

LARGEST = 4000
"""Rows of a matrix: full it takes 128 MB, and a step of that many costs tens of milliseconds."""
Numbers = NDArray[Any]
Matrices = Mapping[str, Callable[[], Numbers]]
"""Matrices of a file by name, each read when it is asked for; "" if it has no name."""


def check_shape(shape: tuple[int, ...]) -> None:
    """Refuse a matrix that is larger than any that a test can step, before room is made for it."""
    if max(shape, default=0) > LARGEST:
        problem = f"is {'x'.join(map(str, shape))}, larger than {LARGEST}x{LARGEST}"
        remedy = "Condense it in the program that made it."
        raise InputError("file", None, problem, remedy)


def fill(shape: tuple[int, int], rows: Numbers, columns: Numbers, values: Numbers) -> Vector:
    """Give (1); raises ValueError for places outside of the matrix."""
    check_shape(shape)
    if values.dtype.kind == "c":
        raise InputError("file", None, "is complex", "Save a matrix of real numbers.")
    if not (rows.size == columns.size == values.size):
        raise ValueError("rows, columns and values are not as many")
    for places, most in ((rows, shape[0]), (columns, shape[1])):
        if places.size and not 0 <= places.min() <= places.max() < most:
            raise ValueError("an entry lies outside of the matrix")
    found = np.zeros(shape)
    np.add.at(found, (rows.astype(np.intp), columns.astype(np.intp)), values.astype(float))  # (1)
    return found


def fill_compressed(
    shape: tuple[int, int], starts: Numbers, places: Numbers, values: Numbers, by_columns: bool
) -> Vector:
    """Give (1) of rows, or columns, that follow one another; ``starts`` tells where each begins."""
    lines = shape[1] if by_columns else shape[0]
    check_shape(shape)
    begin = starts.astype(np.int64)
    counts = begin[1:] - begin[:-1]
    if starts.size != lines + 1 or starts[0] != 0 or (counts < 0).any() or counts.sum() > 1 << 28:
        raise ValueError("the beginnings of the lines contradict one another")
    line, used = np.repeat(np.arange(lines), counts), int(starts[-1])
    inner, numbers = places[:used], values[:used]
    rows, columns = (inner, line) if by_columns else (line, inner)
    return fill(shape, rows, columns, numbers)
