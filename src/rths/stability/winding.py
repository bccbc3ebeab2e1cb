"""How often a function turns round zero on a circle of the z-plane.

    N = (1/2π) Σ Im( ln f(z_k+1) - ln f(z_k) ),   z_k = ρ exp(jθ_k),   0 <= θ <= π, mirrored    (1)
    | ln f(z_k) - its value on the straight line between its neighbours | <= 0.3                 (2)

For a real loop the lower half of the circle mirrors the upper one. Points are added until no step
of ln f, neither of the argument nor of the size, is longer than a fifth of a turn and (2) holds
everywhere. A zero next to the circle turns f by half a turn within its distance from it, two of
them by a whole turn, which no argument shows; but ln |f| dips by each of them, and (2) is broken at
the points beside it. Slow modes lie together next to z = 1, where four of them once passed between
two points: towards it the points therefore lie closer and closer.

A pole and a zero as near to each other as neighbouring points would cancel in (2). The poles are
known: around each of them points stand at 1, 4, 16, ... times its distance from the circle.
"""

from __future__ import annotations

from collections.abc import Callable
from math import pi

import numpy as np
from numpy.typing import NDArray

from rths.loop.block import Vector
from rths.theory.delay.equation import Complexes

STEP, BEND = 1.2, 0.3
"""Longest step of ln f, either part, and the largest bend (2): a zero halfway between two points
bends by 0.55."""
POINTS = 8
"""Points for each turn of the longest delay, and as many for a loop without any."""
TOWARDS_ONE = 16
"""Points between z = 1 and the next one, each half as far as the one before: to a thousandth of a
rad/s at usual rates."""
CLOSEST = 1e-13
"""Distance of two points below which a zero lies on the circle itself as far as numbers tell."""
AROUND = 4.0 ** np.arange(25)
"""Distances of points around a pole over its own from the circle; 4^24 CLOSEST is beyond π."""
UNEQUAL = 0.4
"""Width over that of its neighbour below which a step beside a bend stays whole. Halving makes
widths of 1 and 1/2, of which both are halved again; below that the longer one makes the bend."""
LEAST_IMAGINARY = -1e-12
"""Least imaginary part of a pole of the upper half: round-off of a real one is no other half."""
MOST_POINTS = 400_000
"""Points after which it is given up."""


class CircleSamples:
    """Values of a function on the upper half of a circle, at points that are added as needed."""

    def __init__(
        self,
        evaluate: Callable[[Complexes], Complexes],
        radius: float,
        angles: Vector,
        values: Complexes | None = None,
    ) -> None:
        self._evaluate, self.radius, self.angles = evaluate, radius, angles
        self.values = evaluate(self.z) if values is None else values

    @property
    def z(self) -> Complexes:
        """The points."""
        return self._points(self.angles)

    def _points(self, angles: Vector) -> Complexes:
        return np.asarray(self.radius * np.exp(1j * angles), complex)

    def halve(self, steps: NDArray[np.bool_]) -> None:
        """Add a point in the middle of some steps."""
        at = np.flatnonzero(steps)
        middle = 0.5 * (self.angles[at] + self.angles[at + 1])
        values = self._evaluate(self._points(middle))
        self.angles = np.insert(self.angles, at + 1, middle)
        self.values = np.insert(self.values, at + 1, values, axis=0)


def angles_for(poles: Complexes, radius: float, longest: int) -> Vector:
    """Choose points that resolve the delays and the known poles of a function."""
    even = np.linspace(0.0, pi, POINTS * (longest + 8) + 1)
    gap = np.abs(np.abs(poles) - radius)
    near = (poles.imag >= LEAST_IMAGINARY) & (gap < even[1])
    places = [even, even[1] * 0.5 ** np.arange(1, TOWARDS_ONE + 1)]
    for angle, distance in zip(np.angle(poles[near]), gap[near], strict=True):
        away = max(float(distance), CLOSEST) * AROUND
        away = away[away < 2 * even[1]]
        places.append(np.concatenate([[angle], angle - away, angle + away]))
    return np.unique(np.clip(np.concatenate(places), 0.0, pi))


def turns(samples: CircleSamples, logarithm: Callable[[CircleSamples], Complexes]) -> float:
    """Turns (1) on the whole circle; not a number if the function is zero on it.

    ``logarithm`` gives ln f at the samples, its imaginary part up to whole turns.
    """
    while samples.angles.size < MOST_POINTS:
        f = logarithm(samples)
        if not np.isfinite(f).all():
            return np.nan
        step = np.diff(f)
        argument = (step.imag + pi) % (2 * pi) - pi
        width = np.diff(samples.angles)
        coarse = _find_coarse(step.real + 1j * argument, width)
        if not coarse.any():
            return float(argument.sum() / pi)
        if width[coarse].min() < CLOSEST:
            return np.nan
        samples.halve(coarse)
    return np.nan


def _find_coarse(step: Complexes, width: Vector) -> NDArray[np.bool_]:
    """Steps that are too long, or next to a bend (2)."""
    bend = np.abs(step[:-1] * width[1:] - step[1:] * width[:-1]) / (width[1:] + width[:-1])
    bent = bend > BEND
    coarse = (np.abs(step.imag) > STEP) | (np.abs(step.real) > STEP)
    coarse[:-1] |= bent & (width[:-1] > UNEQUAL * width[1:])  # of very unequal ones the longer
    coarse[1:] |= bent & (width[1:] > UNEQUAL * width[:-1])
    return np.asarray(coarse)
