"""A limit on how fast a signal changes from one sample to the next.

    value = (s_k - s_(k-1)) / T,   0 at the first sample                                       (1)

T is the time between two samples of the signal. On a displacement it is the velocity. A target, a
command or a measured displacement has a sample before the first, where the test begins: a first
command that jumps is seen.
"""

from __future__ import annotations

from rths.guard.base import BOUNDS, describe, judge, register
from rths.guard.limit import Limit
from rths.loop.block import Block, Vector, kernel
from rths.loop.site import Site


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # p = bounds, T;   x = last sample, whether there is one
    v = (u[0] - x[0]) / p[BOUNDS] if x[1] != 0.0 else 0.0  # (1)
    x[0], x[1] = u[0], 1.0
    judge(v, p, y)


@register
@describe
class Rate(Limit):
    """Bounds on the velocity of a signal."""

    example = {"signal": "integrator.target", "warn": 0.01, "trip": 0.5}

    def block(self, site: Site) -> Block:
        """Yield the block of (1)."""
        before = [site.displacement, 1.0] if self.begins_at_rest else [0.0, 0.0]
        return Block(step, [*self.bounds, site.interval], before, outputs=2)
