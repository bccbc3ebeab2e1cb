"""A matrix of a structure: square, and symmetric up to round-off, which is taken out.

    |a_ij - a_ji| <= 1e-9 max(|a_ij|, |a_ji|) + 1e-12 √(s_i s_j),   s_i = max_j |a_ij|         (1)
    A := (A + A')/2                                                                            (2)

The second term of (1) allows for small entries that are differences of large ones.
"""

from __future__ import annotations

import numpy as np

from rths.errors import InputError
from rths.loop.block import Vector

RELATIVE, CANCELLED = 1e-9, 1e-12
"""Shares in (1): files are written with ten digits or more, and assembled entries are exact to some
thousand units of the last place of what they were added from. A mistyped one is not."""


def make_symmetric(field: str, reference: str, A: Vector) -> Vector:
    """Give (2) of a matrix that fulfils (1); refuse any other."""
    rows, columns = A.shape
    if rows != columns:
        line = "Write a diagonal as diag(m). " if 1 in A.shape else ""
        remedy = f"{line}A structure has as many rows as columns, one for each degree of freedom."
        raise InputError(field, reference, f"is {rows}x{columns}, not square", remedy)
    size = np.abs(A)
    largest = np.maximum(size.max(axis=0), size.max(axis=1))
    allowed = RELATIVE * np.maximum(size, size.T)
    allowed += CANCELLED * np.outer(np.sqrt(largest), np.sqrt(largest))
    half = A / 2  # so that neither sum nor difference of the largest numbers is infinite
    beyond = np.abs(half - half.T) - allowed / 2  # (1)
    if (beyond > 0).any():
        i, j = sorted(int(k) for k in np.unravel_index(np.argmax(beyond), A.shape))
        problem = f"is not symmetric: {A[i, j]:g} in row {i}, column {j}, counted from 0, and "
        problem += f"{A[j, i]:g} across the diagonal"
        raise InputError(field, reference, problem, _remedy(A))
    return half + half.T  # (2)


def _remedy(A: Vector) -> str:
    """Say what most likely happened."""
    if not np.tril(A, -1).any() or not np.triu(A, 1).any():
        return "One of its triangles is empty: save K + K' - diag(diag(K))."
    return "Check the export: degrees of freedom are in another order, or entries were cut off."
