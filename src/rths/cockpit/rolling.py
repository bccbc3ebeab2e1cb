"""Rows of the last seconds in one array that never grows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


class Rolling:
    """Keeps the last rows; they lie in order in an array of twice the length."""

    def __init__(self, rows: int, columns: int) -> None:
        self._kept = np.empty((2 * max(1, rows), columns))
        self._most, self._end = max(1, rows), 0

    def __len__(self) -> int:
        return min(self._end, self._most)

    def add(self, rows: Array) -> None:
        """Take rows; the oldest go."""
        rows = rows[-self._most :]
        if self._end + len(rows) > len(self._kept):
            last = self.last().copy()
            self._kept[: len(last)] = last
            self._end = len(last)
        self._kept[self._end : self._end + len(rows)] = rows
        self._end += len(rows)

    def last(self, rows: int | None = None) -> Array:
        """Give the last rows, at most so many."""
        count = len(self) if rows is None else min(rows, len(self))
        return self._kept[self._end - count : self._end]
