"""Every level of each variable with every level of all others, the last one fastest."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Any, ClassVar

import numpy as np

from rths.errors import InputError
from rths.sweep.points.base import Design

MOST = 1 << 40
"""Points of a grid: beyond, somebody has miscounted the levels."""


@dataclass(frozen=True)
class Grid(Design):
    """A full factorial design."""

    independent: ClassVar[bool] = True

    @property
    def size(self) -> int:
        """Product of the numbers of levels."""
        for number, v in enumerate(self.variables):
            if not v.levels:
                remedy = "Give points = 5, or list the values."
                where = f"variable[{number}].points"
                raise InputError(where, None, f"is needed for a grid of {v.field}", remedy)
        found = prod(len(v.levels) for v in self.variables)
        if self.runs not in (None, found):
            remedy = "Leave runs out: a grid has as many as its levels make."
            raise InputError("runs", self.runs, f"is not the {found} points of the grid", remedy)
        if found > MOST:
            raise InputError("design", "grid", f"has {found:.3g} points", "Give fewer levels.")
        return found

    def columns(self, first: int, count: int) -> dict[str, list[Any]]:
        """Give the levels of each variable at points from one on."""
        left = np.arange(first, first + count)
        found: dict[str, list[Any]] = {}
        for v in reversed(self.variables):
            left, digit = np.divmod(left, len(v.levels))
            levels = v.levels
            found[v.field] = [levels[d] for d in digit.tolist()]
        return {v.field: found[v.field] for v in self.variables}


DESIGN = Grid
