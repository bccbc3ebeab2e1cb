"""Stability chart in any two parameters: how many unstable roots where, and the boundary traced.

    grid: Z(x, y) = number of roots right of the imaginary axis (`root_count`)                 (1)
    boundary: each grid edge from Z = 0 to Z > 0 bisected, then continued                      (2)

The chart is exact at the grid points and along the curves. A stable or unstable island smaller
than a cell can be missed; that is the only thing the grid decides.

[insperger2011] Semi-Discretization for Time-Delay Systems, chapter 1, for the usual scan this
replaces.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rths.errors import InputError
from rths.theory.delay.boundary_curve import Plane, trace
from rths.theory.delay.equation import DelayEquation, Reals
from rths.theory.delay.rightmost_roots import rightmost_root
from rths.theory.delay.root_count import unstable_count


@dataclass(frozen=True, eq=False)
class StabilityChart:
    """`unstable[i, j]` roots at (x[i], y[j]); `boundary`: curves of points (x, y, ω)."""

    x: Reals
    y: Reals
    unstable: NDArray[np.int64]
    boundary: tuple[Reals, ...]


def stability_chart(
    equation: Callable[[float, float], DelayEquation], x: ArrayLike, y: ArrayLike
) -> StabilityChart:
    """Chart of `equation(x, y)` over the grid of two increasing lists, evenly spaced."""
    xs, ys = _axis("x", x), _axis("y", y)
    count = np.array([[unstable_count(equation(a, b), 0.0) for b in ys] for a in xs], np.int64)
    low, high = np.array([xs[0], ys[0]]), np.array([xs[-1], ys[-1]])
    unit = (high - low) / np.array([xs.size - 1, ys.size - 1])
    plane = Plane(lambda a, b: equation(a, b), low, high, unit)
    pending = [_crossing(plane, a, b) for a, b in _edges(count == 0)]
    curves: list[Reals] = []
    while pending:
        start = pending[0]
        root = rightmost_root(plane.equation_at(start))
        ahead, back = (trace(plane, start, root, side) for side in (1, -1))
        curve = np.vstack([back[::-1], ahead[1:]])
        curves.append(curve)
        path = (curve[:, :2] - low) / unit
        pending = [p for p in pending[1:] if _distance(path, p) > 0.1]
    return StabilityChart(xs, ys, count, tuple(curves))


def _axis(name: str, values: ArrayLike) -> Reals:
    axis = np.asarray(values, float)
    gaps = np.diff(axis)
    if axis.ndim != 1 or axis.size < 2 or not (gaps > 0).all() or np.ptp(gaps) > 1e-6 * gaps.max():
        raise InputError(name, axis.tolist(), "is no evenly spaced axis", "Use numpy.linspace")
    return axis


def _edges(stable: NDArray[np.bool_]) -> list[tuple[Reals, Reals]]:
    # (stable, unstable) ends of every grid edge that crosses the boundary, in grid units
    found = []
    for step in ((1, 0), (0, 1)):
        a = stable[: stable.shape[0] - step[0], : stable.shape[1] - step[1]]
        b = stable[step[0] :, step[1] :]
        for index in np.argwhere(a != b):
            ends = index.astype(float), index + np.array(step, float)
            found.append(ends if stable[tuple(index)] else ends[::-1])
    return found


def _crossing(plane: Plane, stable: Reals, unstable: Reals) -> Reals:
    for _ in range(24):
        middle = 0.5 * (stable + unstable)
        if unstable_count(plane.equation_at(middle)) == 0:
            stable = middle
        else:
            unstable = middle
    return stable


def _distance(path: Reals, point: Reals) -> float:
    a, b = path[:-1], path[1:]
    along = b - a
    length = np.maximum((along**2).sum(axis=1), 1e-300)
    share = np.clip(((point - a) * along).sum(axis=1) / length, 0, 1)
    return float(np.linalg.norm(a + share[:, None] * along - point, axis=1).min())
