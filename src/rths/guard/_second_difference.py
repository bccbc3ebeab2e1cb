"""What a sample is beyond the straight line through the two before, over a square of time.

    value = (s_k - (2 s_(k-1) - s_(k-2))) / T²,   0 at the first two samples                   (1)

A signal that has rested where the test begins counts from its first sample on.
"""

from __future__ import annotations

from rths.guard.base import BOUNDS, describe, judge
from rths.guard.limit import Limit
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields
from rths.site import Site

P = fields(**BOUNDS.meaning, square="T², s²; 1 for the difference itself")
X = fields(last="s_k-1", before="s_k-2", samples="how many there are, up to 2")


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    value = 0.0
    if x[X.samples] < 2.0:
        x[X.samples] += 1.0
    else:
        value = (u[0] - (2.0 * x[X.last] - x[X.before])) / p[P.square]  # (1)
    x[X.before] = x[X.last]
    x[X.last] = u[0]
    judge(value, p, y)


@describe
class SecondDifference(Limit):
    """Base of guards on (1)."""

    def second_difference(self, site: Site, square: float) -> Block:
        """Yield the block of (1)."""
        d, seen = (site.displacement, 2) if self.begins_at_rest else (0.0, 0)
        states = X.pack(last=d, before=d, samples=seen)
        params = P.pack(**self.bounds, square=square)
        return Block(step, params, states, outputs=2, counters=[X.samples])
