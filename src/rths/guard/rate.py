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
from rths.loop.fields import fields
from rths.site import Site

P = fields(**BOUNDS.meaning, interval="T, s")
X = fields(last="s_k-1", begun="whether there is one")


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    v = (u[0] - x[X.last]) / p[P.interval] if x[X.begun] != 0.0 else 0.0  # (1)
    x[X.last], x[X.begun] = u[0], 1.0
    judge(v, p, y)


@register
@describe
class Rate(Limit):
    """Bounds on the velocity of a signal."""

    example = {"signal": "integrator.target", "warn": 0.01, "trip": 0.5}
    derivative = 1

    def block(self, site: Site) -> Block:
        """Yield the block of (1)."""
        d, begun = (site.displacement, 1) if self.begins_at_rest else (0.0, 0)
        params = P.pack(**self.bounds, interval=site.interval)
        return Block(step, params, X.pack(last=d, begun=begun), outputs=2)
