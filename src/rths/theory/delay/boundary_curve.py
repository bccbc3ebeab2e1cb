"""Continuation of a stability boundary in a plane of two parameters.

    Re λ(u) = 0,   u = (x, y) in units of the step lengths given                               (1)
    predictor: along the line normal to g = ∇ Re λ;   corrector: u ← u - g Re λ/|g|²           (2)

λ(u) is the critical root, followed by Newton on the characteristic matrix; real and complex roots
are followed alike. The curve ends at the border of the box, where it closes, or where another
root is further right: there two lobes meet.

[allgower1990] Numerical Continuation Methods, chapter 3.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rths.theory.delay.characteristic_kernel import newton
from rths.theory.delay.equation import DelayEquation, Reals
from rths.theory.delay.root_count import unstable_count

_NONE = np.empty(0, np.complex128)
_LONGEST_STEP, _SHORTEST_STEP = 0.5, 1e-6
"""In units of the grid: half a cell is smooth to the eye, a millionth is where two lobes meet."""
_MOST_POINTS = 5000
"""A curve through a chart of a thousand cells a side, with a reserve."""


@dataclass(frozen=True)
class Plane:
    """The equation over a box of two parameters; `unit` is the length that counts as one."""

    equation: Callable[[float, float], DelayEquation]
    low: Reals
    high: Reals
    unit: Reals

    def equation_at(self, u: Reals) -> DelayEquation:
        """The equation at the scaled point u."""
        x, y = self.low + u * self.unit
        return self.equation(float(x), float(y))

    def holds(self, u: Reals) -> bool:
        """Whether u lies in the box."""
        return bool((u >= -1e-12).all() and (u <= (self.high - self.low) / self.unit + 1e-12).all())

    def root(self, u: Reals, guess: complex) -> complex:
        """The root near `guess`."""
        e = self.equation_at(u)
        return complex(newton(e.monic, e.delays, guess, _NONE, 30, 1e-15)[0])


def trace(plane: Plane, start: Reals, root: complex, side: int) -> Reals:
    """Points (x, y, ω) from `start` on; `side` +1 or -1 says which way to go first."""
    u, s, gradient = _nearest_point(plane, start, root)
    points, tangent = [(u, s)], side * _tangent(gradient)
    step = 0.1
    while len(points) < _MOST_POINTS and step > _SHORTEST_STEP:
        v, t, g = _nearest_point(plane, u + step * tangent, s)
        new = _tangent(g) * np.sign(_tangent(g) @ tangent)
        smooth = np.linalg.norm(v - u) < 2 * step and new @ tangent > 0.9
        if not (smooth and _is_boundary(plane, v, t)):
            step *= 0.5
            continue
        points.append((v, t))
        u, s, tangent = v, t, new
        if len(points) > 4 and np.linalg.norm(u - points[0][0]) < 0.6 * step:
            points.append(points[0])
            break
        step = min(1.4 * step, _LONGEST_STEP)
    return np.array([[*(plane.low + u * plane.unit), abs(s.imag)] for u, s in points])


def _tangent(gradient: Reals) -> Reals:
    return np.array([-gradient[1], gradient[0]]) / float(np.linalg.norm(gradient))


def _nearest_point(plane: Plane, u: Reals, guess: complex) -> tuple[Reals, complex, Reals]:
    # the nearest point of the curve, its root and gradient there
    s, gradient = guess, np.ones(2)
    for _ in range(12):
        s = plane.root(u, s)
        slopes = [plane.root(u + d, s) - plane.root(u - d, s) for d in 1e-5 * np.eye(2)]
        gradient = np.array([slope.real for slope in slopes]) / 2e-5
        size = float(gradient @ gradient)
        if abs(s.real) < 1e-13 * abs(s) or size == 0:
            break
        u = u - gradient * s.real / size
    return u, s, gradient


def _is_boundary(plane: Plane, u: Reals, s: complex) -> bool:
    if not plane.holds(u) or abs(s.real) > 1e-9 * max(abs(s), 1e-9):
        return False
    return unstable_count(plane.equation_at(u), 1e-7 * max(abs(s), 1e-6)) == 0
