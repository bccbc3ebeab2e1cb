"""A stability chart of a plan's own loop in any two of its numbers.

    σ(x, y) = max Re s over a grid;   σ = 0 on every edge of the grid where its sign changes   (1)

The boundary points lie on the boundary to 1e-6 of a cell; the grid only decides which islands are
seen. A quick chart computes every second point, and the others only where their neighbours differ
in sign; it finds the boundary to 1e-3 of a cell, enough for a picture. For the idealised loop with
its lobes see `chart` and `scalar_chart`. σ is that of small motions at rest: what the certificate
of the plan says beyond its roots goes with the chart.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rths.assembly.hybrid_test import HybridTest
from rths.errors import InputError
from rths.loop.block import Vector
from rths.stability.plan_parameter import unit_of, value_of
from rths.stability.robustness import allow_refusal, caveats_beside, caveats_of, growth_of

Rate = Callable[[float, float], float]
FINE, QUICK = 1e-6, 1e-3
"""Shares of a cell to which the boundary is found: six digits, as tables are printed, and less than
a pixel of a picture in which a cell is at most a thousand of them wide."""
MOST_TRIALS = 40
"""Points that are tried on an edge. Every third halves, so that also where false position gets
stuck 2^-13 of the edge are left, one part in eight thousand."""
AWAY = 0.01
"""Share of the bracket that false position stays away from its ends: else one end may never move,
and the bracket never becomes short."""
NO_RATE = 1e-9
"""Rate that is zero, over those at the ends of the edge: the round-off of eigenvalues."""


@dataclass(frozen=True, eq=False)
class LoopChart:
    """Growth rates over a grid, the boundary as segments (x_0, y_0, x_1, y_1), the plan's point."""

    x_name: str
    y_name: str
    x: Vector
    y: Vector
    growth_rate: Vector
    """σ at [x, y], 1/s; not a number where the plan refuses its values."""
    boundary: Vector
    point: tuple[float, float] | None
    caveats: tuple[str, ...] = ()
    """What roots at rest do not say about this plan: the notes of its certificate."""

    def as_dict(self) -> dict[str, Any]:
        """Plain lists, for JSON; None where the plan refuses its values."""
        rates = [[None if np.isnan(v) else v for v in row] for row in self.growth_rate.tolist()]
        return {
            "x": {"name": self.x_name, "values": self.x.tolist()},
            "y": {"name": self.y_name, "values": self.y.tolist()},
            "growth_rate": rates,
            "boundary": self.boundary.tolist(),
            "point": self.point,
            "caveats": list(self.caveats),
        }


def chart_of(
    test: HybridTest,
    x_path: str,
    y_path: str,
    x: ArrayLike,
    y: ArrayLike,
    quick: bool = False,
    caveats: Sequence[str] | None = None,
) -> LoopChart:
    """Chart in two numbers of the plan; of a list of numbers the axis is a factor.

    ``caveats`` are those of the plan's certificate, if it is at hand.
    """
    of_plan = allow_refusal(growth_of(test, [x_path, y_path]))

    def rate(a: float, b: float) -> float:
        return of_plan(np.array([a, b]))

    point = tuple(v if isinstance(v := value_of(test, p), float) else 1.0 for p in (x_path, y_path))
    names = [_with_unit(test, p) for p in (x_path, y_path)]
    drawn = chart(rate, x, y, (names[0], names[1]), (point[0], point[1]), quick)
    known = caveats_of(test) if caveats is None else tuple(caveats)
    beside = np.array([[axis[(2 * axis.size) // 3] for axis in (drawn.x, drawn.y)]])
    return replace(drawn, caveats=known or caveats_beside(test, [x_path, y_path], beside))


def _with_unit(test: HybridTest, path: str) -> str:
    if not isinstance(value_of(test, path), float):
        return f"factor on {path}"
    unit = unit_of(test, path)
    return f"{path}, {unit}" if unit not in ("", "1") else path


def chart(
    rate: Rate,
    x: ArrayLike,
    y: ArrayLike,
    names: tuple[str, str],
    point: tuple[float, float] | None = None,
    quick: bool = False,
) -> LoopChart:
    """Chart of any growth rate over two rising axes."""
    xs, ys = _axis(names[0], x), _axis(names[1], y)
    grid = _fill_grid(rate, xs, ys, 2 if quick else 1)
    fine = QUICK if quick else FINE
    segments: list[list[float]] = []
    known: dict[tuple[int, int, int], tuple[float, float]] = {}
    for i in range(xs.size - 1):
        for j in range(ys.size - 1):
            crossed = [
                _crossing(rate, xs, ys, grid, *edge, known, fine)
                for edge in ((i, j, 0), (i + 1, j, 1), (i, j + 1, 0), (i, j, 1))
            ]
            ends = [c for c in crossed if c is not None]
            segments += [[*a, *b] for a, b in zip(ends[::2], ends[1::2], strict=False)]
    return LoopChart(*names, xs, ys, grid, np.array(segments).reshape(-1, 4), point)


def _fill_grid(rate: Rate, xs: Vector, ys: Vector, stride: int) -> Vector:
    """Growth rates over the grid, by ``stride`` first; the rest where it may matter."""
    grid = np.full((xs.size, ys.size), np.inf)
    for i in range(0, xs.size, stride):
        for j in range(0, ys.size, stride):
            grid[i, j] = rate(float(xs[i]), float(ys[j]))
    coarse = grid.copy()
    for i, j in np.argwhere(np.isposinf(coarse)).tolist():
        around = coarse[max(0, i - 1) : i + 2, max(0, j - 1) : j + 2]
        near = around[~np.isposinf(around)]
        alike = near.size > 0 and not np.isnan(near).any() and np.ptp(np.sign(near)) == 0
        grid[i, j] = near.mean() if alike else rate(float(xs[i]), float(ys[j]))
    return grid


def _axis(name: str, values: ArrayLike) -> Vector:
    axis = np.asarray(values, float)
    if axis.ndim != 1 or axis.size < 2 or not (np.diff(axis) > 0).all():
        raise InputError(name, axis.tolist(), "is no rising axis", "Give low < high.")
    return axis


def _crossing(
    rate: Rate,
    xs: Vector,
    ys: Vector,
    grid: Vector,
    i: int,
    j: int,
    way: int,
    known: dict[tuple[int, int, int], tuple[float, float]],
    fine: float,
) -> tuple[float, float] | None:
    """The point σ = 0 on the edge from (i, j) along x (way 0) or y (way 1), if there is one."""
    m, n = (i + 1, j) if way == 0 else (i, j + 1)
    a, b = float(grid[i, j]), float(grid[m, n])
    if np.isnan(a) or np.isnan(b) or (a < 0) == (b < 0):
        return None
    if (i, j, way) not in known:
        start, end = np.array([xs[i], ys[j]]), np.array([xs[m], ys[n]])
        low, high = 0.0, 1.0
        for step in range(MOST_TRIALS):
            t = low - a * (high - low) / (b - a) if step % 3 != 2 else 0.5 * (low + high)
            t = min(max(t, low + AWAY * (high - low)), high - AWAY * (high - low))
            f = rate(*(start + t * (end - start)).tolist())
            if np.isnan(f) or abs(f) < NO_RATE * (abs(grid[i, j]) + abs(grid[m, n])):
                low = high = t
            elif (f < 0) == (a < 0):
                low, a = t, f
            else:
                high, b = t, f
            if high - low < fine:
                break
        at = start + 0.5 * (low + high) * (end - start)
        known[i, j, way] = (float(at[0]), float(at[1]))
    return known[i, j, way]
