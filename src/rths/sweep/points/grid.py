"""Every level of each variable with every level of all others, the last one fastest."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any, ClassVar

import numpy as np

from rths.errors import InputError
from rths.sweep.points.base import MOST, Design


@dataclass(frozen=True)
class Grid(Design):
    """A full factorial design."""

    independent: ClassVar[bool] = True

    @cached_property
    def _levels(self) -> list[tuple[Any, ...]]:
        """Levels of each variable."""
        found = [v.levels for v in self.variables]
        for number, (v, levels) in enumerate(zip(self.variables, found, strict=True)):
            if not levels:
                remedy = "Give points = 5, or list the values."
                where = f"variable[{number}].points"
                raise InputError(where, None, f"is needed for a grid of {v.field}", remedy)
        return found

    @property
    def size(self) -> int:
        """Product of the numbers of levels."""
        found = prod(map(len, self._levels))
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
        for v, levels in zip(reversed(self.variables), reversed(self._levels), strict=True):
            left, digit = np.divmod(left, len(levels))
            found[v.field] = [levels[d] for d in digit.tolist()]
        return {v.field: found[v.field] for v in self.variables}


DESIGN = Grid
