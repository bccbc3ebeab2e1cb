"""The design of Sobol indices: two matrices of points, and each with one column of the other.

    run k (d + 2) + m:   A_k for m = 0,   B_k for m = d + 1,   A_k with column m of B else      (1)

A and B are the two halves of a Sobol sequence in 2d dimensions. All d + 2 runs of a k follow each
other, so that a sweep that was ended early still has whole groups.

[saltelli2010] Comput. Phys. Commun. 181(2), 259-270.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rths.errors import InputError
from rths.loop.block import Vector
from rths.sweep.points.base import Design
from rths.sweep.points.sobol import draw_sobol


@dataclass(frozen=True)
class Saltelli(Design):
    """Groups of d + 2 runs."""

    independent: ClassVar[bool] = True

    @property
    def group(self) -> int:
        """Runs of one group."""
        return len(self.variables) + 2

    @property
    def size(self) -> int:
        """Number of points, whole groups."""
        if super().size % self.group:
            remedy = f"{len(self.variables)} variables take a multiple of {self.group}."
            raise InputError("runs", self.runs, "has a group that is not whole", remedy)
        return super().size

    def shares(self, first: int, count: int) -> Vector:
        """Give the points (1) of a stretch."""
        d, n = len(self.variables), self.group
        low, high = first // n, -(-(first + count) // n)
        both = draw_sobol(2 * d, self.seed, low, high - low)
        A, B = both[:, None, :d], both[:, None, d:]
        m = np.arange(n)[None, :, None]
        from_b = (m == np.arange(1, d + 1)) | (m == d + 1)
        whole = np.where(from_b, B, A).reshape(-1, d)
        start = first - low * n
        return whole[start : start + count]


DESIGN = Saltelli
