"""A limit on the second difference of a signal.

    value = (s_k - 2 s_(k-1) + s_(k-2)) / T²,   0 at the first two samples                     (1)

On a displacement it is the acceleration; it sees a kink that a limit on the velocity lets pass. A
target, a command or a measured displacement has rested where the test begins: (1) counts from its
first sample on.
"""

from __future__ import annotations

from rths.guard.base import BOUNDS, describe, judge, register
from rths.guard.limit import Limit
from rths.loop.block import Block, Vector, kernel
from rths.loop.site import Site


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # p = bounds, T;   x = the last two samples, how many there are
    a = 0.0
    if x[2] < 2.0:
        x[2] += 1.0
    else:
        a = (u[0] - 2.0 * x[0] + x[1]) / (p[BOUNDS] * p[BOUNDS])  # (1)
    x[1] = x[0]
    x[0] = u[0]
    judge(a, p, y)


@register
@describe
class Acceleration(Limit):
    """Bounds on the acceleration of a signal."""

    example = {"signal": "compensator.command", "warn": 0.1, "trip": 1000.0}

    def block(self, site: Site) -> Block:
        """Yield the block of (1)."""
        at = site.displacement
        before = [at, at, 2.0] if self.begins_at_rest else [0.0, 0.0, 0.0]
        return Block(step, [*self.bounds, site.interval], before, outputs=2, counters=(2,))
