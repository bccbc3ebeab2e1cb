"""How often a function turns round zero on a circle of the z-plane.

    N = (1/2π) Σ arg f(z_k+1) conj f(z_k),   z_k = ρ exp(jθ_k),   every step below a quarter turn  (1)

For a real loop the lower half of the circle mirrors the upper one, so that only 0 <= θ <= π is
looked at. Steps that are too long are halved until none is. A zero next to the circle turns f by
half a turn within its distance from it, and so gives itself away on any grid; so does a pole, but
the two of them between neighbouring points would cancel. The poles are known: around each of them
points stand at 1, 4, 16, ... times its distance from the circle.
"""

from __future__ import annotations

from collections.abc import Callable
from math import pi

import numpy as np
from numpy.typing import NDArray

from rths.loop.block import Vector
from rths.theory.delay.equation import Complexes

STEP = 1.2
"""Longest step of the argument that is trusted, rad: less than half a turn by a wide margin."""
POINTS = 8
"""Points for each turn of the longest delay, and as many for a loop without any."""
CLOSEST = 1e-13
"""Distance of two points below which a zero lies on the circle itself as far as numbers tell."""


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
        return self.radius * np.exp(1j * self.angles)

    def halve(self, steps: NDArray[np.bool_]) -> None:
        """Add a point in the middle of some steps."""
        at = np.flatnonzero(steps)
        middle = 0.5 * (self.angles[at] + self.angles[at + 1])
        values = self._evaluate(self.radius * np.exp(1j * middle))
        self.angles = np.insert(self.angles, at + 1, middle)
        self.values = np.insert(self.values, at + 1, values, axis=0)


def angles_for(poles: Complexes, radius: float, longest: int) -> Vector:
    """Choose points that resolve the delays and the known poles of a function."""
    even = np.linspace(0.0, pi, POINTS * (longest + 16) + 1)
    gap = np.abs(np.abs(poles) - radius)
    near = (poles.imag >= -1e-12) & (gap < even[1])
    places = [even]
    for angle, distance in zip(np.angle(poles[near]), gap[near], strict=True):
        away = max(float(distance), CLOSEST) * 4.0 ** np.arange(25)
        away = away[away < 2 * even[1]]
        places.append(np.concatenate([[angle], angle - away, angle + away]))
    return np.unique(np.clip(np.concatenate(places), 0.0, pi))


def turns(samples: CircleSamples, phase: Callable[[CircleSamples], Complexes]) -> float:
    """Turns (1) on the whole circle; not a number if the function is zero on it."""
    while True:
        f = phase(samples)
        step = np.angle(f[1:] * f[:-1].conj())
        long = ~(np.abs(step) < STEP)
        if not long.any():
            return float(step.sum() / pi)
        if np.diff(samples.angles)[long].min() < CLOSEST or not np.isfinite(f).all():
            return np.nan
        samples.halve(long)
