"""An excitation as planned, faded out after the test, with one more push on the structure.

    e(t) = (r(t) e_planned(t), F(t)),   r = 1 until the test ends, then a half cosine to 0      (1)
    F(t) = F_0 sin(π (t - t_0)/T),  or F_0 all the time,   t_0 <= t <= t_0 + T                  (2)

F acts on every degree of freedom. A push brings the whole loop into a state that it can truly
reach: structure, delay lines, actuators and what was learnt fit together. When, how long and how
hard it pushes are parameters, so that copies of one arena differ in a few numbers.
"""

from __future__ import annotations

from math import cos, pi, sin
from typing import Any

import numpy as np

from rths.excitation.base import Excitation, describe
from rths.loop.block import Block, Vector, inside, kernel
from rths.loop.fields import fields, many
from rths.loop.layout import Layout
from rths.site import Site

P = fields(
    planned="outputs of the planned excitation",
    end="call from which on it fades",
    fade="calls in which it fades",
    start="first call of the push",
    length="calls of the push",
    flat="1 if it is as strong all the time, 0 for half a sine",
    size="number of forces",
    rest=many("forces F_0, N, then p of the planned excitation"),
)
X = fields(calls="calls so far", inside=many("x of the planned excitation, which counts them too"))


def push(p: Vector, k: float, y: Vector) -> None:
    """Write the forces (2) of a call behind the planned signal."""
    s = (k - p[P.start]) / p[P.length]
    shape = sin(pi * s) if 0.0 < s < 1.0 else 0.0
    if p[P.flat] == 1.0:
        shape = 1.0 if 0.0 <= s < 1.0 else 0.0
    m = int(p[P.planned])
    for i in range(int(p[P.size])):
        y[m + i] = p[P.rest + i] * shape


@kernel
def step_alone(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    push(p, x[X.calls], y)
    x[X.calls] += 1.0


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    k, m = x[X.calls], int(p[P.planned])
    x[X.inside] = k  # its first state counts the calls
    inside(x[X.inside :], p[P.rest + int(p[P.size]) :], u, y[:m])
    s = (k - p[P.end]) / p[P.fade]
    r = 1.0 if s <= 0.0 else 0.0
    if 0.0 < s < 1.0:
        r = 0.5 + 0.5 * cos(pi * s)
    for i in range(m):
        y[i] *= r  # (1)
    push(p, k, y)
    x[X.calls] = k + 1.0


@describe
class Kicked(Excitation):
    """The planned excitation of a test, its end, and a push at will."""

    planned: Any
    """The excitation as planned."""
    size: int
    """Degrees of freedom."""
    end: float
    """Time at which the planned excitation ends, s."""
    fade: float
    """Time in which it fades, s."""

    @property
    def outputs(self) -> int:
        """Width of the planned signal, and a force for each degree of freedom."""
        return int(self.planned.outputs) + self.size

    def load(self, M: Vector, C: Vector, K: Vector, influence: Vector) -> Vector:
        """Put the forces beside the planned load."""
        return np.hstack([self.planned.load(M, C, K, influence), np.eye(self.size)])

    def initial(self, size: int) -> tuple[Vector, Vector]:
        """Start as planned."""
        start: tuple[Vector, Vector] = self.planned.initial(size)
        return start

    def block(self, site: Site) -> Block:
        """Yield the block, without a push."""
        own = P.pack(
            planned=self.planned.outputs,
            end=self.end / site.interval,
            fade=self.fade / site.interval,
            start=0.0,
            length=1.0,
            flat=0.0,
            size=self.size,
            rest=np.zeros(self.size),
        )
        planned = self.planned.block(site)
        if planned is None:
            return Block(step_alone, own, [0.0], outputs=self.outputs, counters=[X.calls])
        return Block.around(step, own, [0.0], {"inside": planned}, self.outputs, counters=[X.calls])


def set_push(
    layout: Layout, arena: Vector, start: float, length: float, forces: Vector, flat: bool = False
) -> None:
    """Let an arena be pushed for some calls; who looks ahead knows nothing of it."""
    for placed, place in zip(layout.placed, layout.places, strict=True):
        if placed.role == "excitation" and not placed.owner.part:  # a part is what looks ahead
            arena[place.p + P.start] = start
            arena[place.p + P.length] = length
            arena[place.p + P.flat] = float(flat)
            first = place.p + P.rest
            arena[first : first + forces.size] = forces
