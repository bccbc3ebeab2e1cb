"""Velocity and acceleration of a measured displacement: those of a parabola through its samples.

    s(t_k - iT) ≈ c_0 - c_1 i T + c_2 (iT)²/2,   i = 0 … N - 1,   least squares                 (1)
    value = Σ w_i s_(k-i),   w the row of the fit for c_1 at the middle of the window, or c_2   (2)

A plain difference multiplies the noise σ of a sensor by 1/T and 1/T²; over N samples it is

    σ_1 = σ/T √(12/N³),   σ_2 = σ/T² √(720/N⁵)                                                (3)

to the first order of 1/N. A parabola has the velocity of its chord at the middle, so that the
velocity is that of half a window ago. While answers are missing nothing new is judged; with the
next one the samples between are put on a straight line, so that a gap is no jump.
"""

from __future__ import annotations

from math import ceil
from typing import Annotated, Any, ClassVar

import numpy as np

from rths.guard.base import BOUNDS, describe, judge
from rths.guard.limit import Limit
from rths.loop.block import Block, Ring, Vector, kernel
from rths.loop.fields import fields, many
from rths.quantity import Range
from rths.site import Site

P = fields(**BOUNDS.meaning, weights=many("w_0 … w_N-1 of (2), the newest first"))
X = fields(
    value="the last value (2)",
    last="s of the last answer",
    missing="samples since then",
    ring=many("samples"),
    newest="place of the newest",
)
FEWEST = 5
"""Samples that tell a parabola from noise: three make one through any noise."""
DEVIATIONS, NOISE_IN_BOUND = 6.0, 5.0
"""Standard deviations of the noise that count as its peak, and how often it fits into a bound:
beyond six of them noise comes once in 5e8 samples, a week at the usual rates, and what noise takes
of a bound is no more than a fifth."""
Samples = Annotated[int, Range("1", "a whole number", low=FEWEST, high=8192, whole=True)]


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # u = s, answers missing in a row
    if u[1] > 0.0:
        x[X.missing] += 1.0
        judge(x[X.value], p, y)
        return
    n, mask = p.size - P.weights, x.size - X.ring - 2
    parts, k = min(x[X.missing], float(n)) + 1.0, int(x[X.newest])
    last = x[X.last]
    for i in range(int(parts)):
        k = (k + 1) & mask
        x[X.ring + k] = last + (u[0] - last) * ((i + 1.0) / parts)
    x[X.newest], x[X.last], x[X.missing] = k, u[0], 0.0
    value = 0.0
    for i in range(n):
        value += p[P.weights + i] * x[X.ring + ((k - i) & mask)]  # (2)
    x[X.value] = value
    judge(value, p, y)


def fit_weights(samples: int, order: int, interval: float) -> Any:
    """Give the weights (2) of the newest to the oldest sample, for velocity or acceleration."""
    t = (0.5 * (samples - 1) - np.arange(samples)) * interval  # from the middle, the newest first
    return np.linalg.pinv(np.vander(t, 3, increasing=True))[order] * (1.0 if order == 1 else 2.0)


def samples_for(noise: float, bound: float, interval: float, order: int) -> int:
    """Give the samples with which six standard deviations (3) are a fifth of a bound."""
    allowed = bound / (DEVIATIONS * NOISE_IN_BOUND)
    power, factor = (3, 12.0) if order == 1 else (5, 720.0)  # (3)
    needed: float = (factor * (noise / (allowed * interval**order)) ** 2) ** (1 / power)
    return max(FEWEST, ceil(needed))


@describe
class FittedMotion(Limit):
    """Base of guards on (2)."""

    order: ClassVar[int]
    """Derivative that is guarded: 1 for the velocity, 2 for the acceleration."""

    samples: Samples = 16
    """Samples N of the fit."""
    missed: str = "hardware.missed"
    """The signal that counts answers that are missing."""

    @property
    def watches(self) -> tuple[str, ...]:
        """Name the displacement, and what counts missing answers."""
        return (self.signal, self.missed)

    def block(self, site: Site) -> Block:
        """Yield the block of (2), at rest where the test begins."""
        size = 1 << (self.samples - 1).bit_length()
        weights = fit_weights(self.samples, self.order, site.interval)
        d = site.displacement
        states = X.pack(value=0.0, last=d, missing=0.0, ring=[d] * size, newest=0.0)
        ring, params = Ring(X.ring, size, X.ring + size), P.pack(**self.bounds, weights=weights)
        return Block(step, params, states, 2, rings=[ring], counters=[X.missing])
