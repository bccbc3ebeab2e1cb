"""A square matrix by those of its entries that are not zero.

    y_i = Σ v_k x_(c_k)  over the entries k with r_k = i                                        (1)

The map of a loop has a few entries in each column, its delay lines one: a loop with thousands of
states is held, multiplied and taken apart at the cost of its entries, not of their square.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rths.loop.block import Vector

Indices = NDArray[np.int64]
FEW = 200
"""States up to which plain matrices are quicker than the import of a library for sparse ones."""


@dataclass(frozen=True, eq=False)
class Entries:
    """Rows r, columns c and values v of (1)."""

    size: int
    rows: Indices
    columns: Indices
    values: Vector

    @classmethod
    def of(cls, matrix: Vector) -> Entries:
        """Take the entries of a plain matrix."""
        rows, columns = np.nonzero(matrix)
        return cls(matrix.shape[0], rows, columns, matrix[rows, columns])

    def times(self, x: Any) -> Any:
        """Multiply a vector (1)."""
        parts = self.values * x[self.columns]
        if np.iscomplexobj(parts):
            return self._sum(parts.real) + 1j * self._sum(parts.imag)
        return self._sum(parts)

    def _sum(self, parts: Vector) -> Vector:
        return np.bincount(self.rows, parts, self.size).astype(float)

    @cached_property
    def sizes(self) -> Entries:
        """The same with the absolute value of each entry."""
        return Entries(self.size, self.rows, self.columns, np.abs(self.values))

    @cached_property
    def turned(self) -> Entries:
        """The same with rows for columns."""
        return Entries(self.size, self.columns, self.rows, self.values)

    def select(self, places: Indices) -> Entries:
        """Keep some rows and the same columns, numbered anew in the order given."""
        number = np.full(self.size, -1)
        number[places] = np.arange(places.size)
        rows, columns = number[self.rows], number[self.columns]
        kept = (rows >= 0) & (columns >= 0)
        return Entries(places.size, rows[kept], columns[kept], self.values[kept])

    @property
    def dense(self) -> Vector:
        """The plain matrix."""
        made = np.zeros((self.size, self.size))
        made[self.rows, self.columns] = self.values
        return made

    def to_sparse(self, dtype: Any = float) -> Any:
        """Give the matrix to a library for sparse ones."""
        from scipy.sparse import csc_array

        shape = (self.size, self.size)
        return csc_array((self.values.astype(dtype), (self.rows, self.columns)), shape)


def mutual_parts(J: Entries) -> list[Indices]:
    """Split states into groups that act on each other in both directions."""
    if J.size == 0:
        return []
    if J.size > FEW:
        from scipy.sparse.csgraph import connected_components

        number = connected_components(J.to_sparse(), connection="strong")[1]
    else:
        number = _mutual_numbers(J.dense != 0)
    order = np.argsort(number, kind="stable")
    starts = np.flatnonzero(np.diff(number[order])) + 1
    return [np.asarray(part) for part in np.split(order, starts)]


def _mutual_numbers(acts: NDArray[np.bool_]) -> Indices:
    """Number the groups of a small matrix: who reaches whom in 1, 2, 4, ... steps, and back."""
    reach = (acts | np.eye(len(acts), dtype=bool)).astype(np.float32)
    for _ in range(max(1, int(np.ceil(np.log2(max(2, len(acts))))))):
        further = np.minimum(reach @ reach, 1.0)
        if np.array_equal(further, reach):
            break
        reach = further
    return np.asarray(((reach > 0) & (reach.T > 0)).argmax(axis=1))


def reached_from(J: Entries, start: Indices) -> NDArray[np.bool_]:
    """Tell which states some states act on, at once or through others, themselves included."""
    reached = np.zeros(J.size, bool)
    reached[start] = True
    if J.size > FEW:
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import breadth_first_order

        source = np.append(J.columns, np.full(start.size, J.size))  # one more acts on all of them
        ends = (source, np.append(J.rows, start))
        graph = csr_array((np.ones(source.size), ends), (J.size + 1, J.size + 1))
        order = breadth_first_order(graph, J.size, return_predecessors=False)
        reached[order[order < J.size]] = True
        return reached
    acts, before = J.dense != 0, np.zeros(J.size, bool)
    while not np.array_equal(before, reached):
        before, reached = reached, reached | acts[:, reached].any(axis=1)
    return reached
