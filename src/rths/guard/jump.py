"""A sensor that jumps: one sample is far from where the two before lead.

    value = s_k - (2 s_(k-1) - s_(k-2)),   0 at the first two samples                          (1)

A motion that the tick resolves is nearly straight over three samples, so that the level can be far
below its amplitude: a sine of amplitude A stays within A (ωT)². A loose cable does not. A target, a
command or a measured displacement has rested where the test begins: (1) counts from its first
sample on.
"""

from __future__ import annotations

from rths.guard.base import describe, judge, register
from rths.guard.limit import Limit
from rths.loop.block import Block, Vector, kernel
from rths.loop.site import Site


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # p = bounds;   x = the last two samples, how many there are
    d = 0.0
    if x[2] < 2.0:
        x[2] += 1.0
    else:
        d = u[0] - (2.0 * x[0] - x[1])  # (1)
    x[1] = x[0]
    x[0] = u[0]
    judge(d, p, y)


@register
@describe
class Jump(Limit):
    """Bounds on the part of a sample that the two before do not foretell."""

    example = {"signal": "feedback.force", "warn": 0.001, "trip": 10.0}

    def block(self, site: Site) -> Block:
        """Yield the block of (1)."""
        at = site.displacement
        before = [at, at, 2.0] if self.begins_at_rest else [0.0, 0.0, 0.0]
        return Block(step, self.bounds, before, outputs=2, counters=(2,))
