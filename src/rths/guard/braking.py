"""Room to brake: where a command would come to rest if it were left now.

    value = s_k + d_k |d_k| / (2 a T²),   d_k = s_k - s_(k-1)                                  (1)

A command that is left brakes with the acceleration a, and by steps d - aT², d - 2aT², ... it comes
no further than (1). A limit on (1) is one on the displacement that also holds on the way to
standing still. It has rested where the test begins before its first sample.
"""

from __future__ import annotations

from rths.guard.base import BOUNDS, describe, judge, register
from rths.guard.limit import Limit
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields
from rths.quantity import PositiveAcceleration
from rths.site import Site

P = fields(**BOUNDS.meaning, slowing="a T², m")
X = fields(last="s_k-1")


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    d = u[0] - x[X.last]
    x[X.last] = u[0]
    judge(u[0] + d * abs(d) / (2.0 * p[P.slowing]), p, y)  # (1)


@register
@describe
class Braking(Limit):
    """Bounds on where a command would come to rest."""

    example = {"signal": "compensator.command", "trip": 0.02, "acceleration": 10.0}

    acceleration: PositiveAcceleration
    """Acceleration a with which it would brake, m/s²."""

    def block(self, site: Site) -> Block:
        """Yield the block of (1)."""
        slowing = self.acceleration * site.interval * site.interval
        params = P.pack(**self.bounds, slowing=slowing)
        return Block(step, params, X.pack(last=site.displacement), outputs=2)
