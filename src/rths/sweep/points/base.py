"""What every design of a study has: a number of points, and the points of any stretch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from rths.errors import InputError
from rths.loop.block import Vector
from rths.stability.correlation import correlation_matrix
from rths.sweep.variable import EDGE, Variable

Pair = tuple[str, str]
MOST = 1 << 40
"""Points of a design: beyond, somebody has miscounted."""


@dataclass(frozen=True)
class Design:
    """Points in the unit cube, and what they are in the plan's own units."""

    independent: ClassVar[bool] = False
    """Whether its numbers must vary on their own: some designs mean nothing otherwise."""

    variables: Sequence[Variable]
    runs: int | None
    seed: int = 0
    correlations: Mapping[Pair, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check that the design can be made."""
        if self.correlations and self.independent:
            problem = "cannot be with numbers that go together"
            remedy = "Use random, latin_hypercube or sobol, or leave [[correlated]] out."
            raise InputError("design", type(self).__name__.lower(), problem, remedy)
        if self.correlations:
            _ = self._factor
        _ = self.size

    @property
    def size(self) -> int:
        """Number of points."""
        if type(self.runs) is not int or self.runs < 1:
            raise InputError("runs", self.runs, "is no number of runs", "Give 1 or more.")
        if self.runs > MOST:
            problem, remedy = "is more than any machines can do", f"Give at most {MOST:,}."
            raise InputError("runs", self.runs, problem, remedy)
        return self.runs

    def shares(self, first: int, count: int) -> Vector:
        """Give points of the unit cube, a row each, from one on."""
        raise NotImplementedError

    def columns(self, first: int, count: int) -> dict[str, list[Any]]:
        """Give the values of each variable at points from one on."""
        u = self._correlate(self.shares(first, count))
        return {v.field: v.values_of(u[:, i]) for i, v in enumerate(self.variables)}

    @cached_property
    def _factor(self) -> Vector:
        fields = [v.field for v in self.variables]
        return np.asarray(np.linalg.cholesky(correlation_matrix(fields, self.correlations)))

    def _correlate(self, u: Vector) -> Vector:
        """Let shares go together as the Gaussian copula has it, (1) of stability/correlation.py."""
        if not self.correlations:
            return u
        from scipy.special import ndtr, ndtri

        g = ndtri(np.clip(u, EDGE, 1 - EDGE))
        mixed = np.zeros_like(g)
        for j in range(g.shape[1]):  # no matrix product: its last bits depend on its threads
            mixed += g[:, j : j + 1] * self._factor[:, j]
        return np.asarray(ndtr(mixed))
