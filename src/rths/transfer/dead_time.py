"""Dead time: the specimen does what was commanded a delay ago.

    x_m(t) = u(t - tau),   tau = (q + r) h,   x_m,k = (1 - r) u_(k-q) + r u_(k-q-1)              (1)

A whole number of ticks returns exactly the commands sent that many ticks earlier; tau = 0 is the
ideal actuator. Acts on a stiffness k like a damping of about -k tau.

[wallace2005] eq. (3).
"""

from __future__ import annotations

import numpy as np

from rths.loop.block import Block, Ring, Vector, kernel, ring_size
from rths.loop.fields import fields, many
from rths.quantity import Delay
from rths.site import Site
from rths.transfer._delay import whole_and_rest
from rths.transfer.base import Transfer, describe, register

P = fields(whole="q", rest="r")
X = fields(ring=many("commands"), newest="place of the newest, a whole number's bits")


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    mask, q, r = x.size - 2, int(p[P.whole]), p[P.rest]
    place = x.view(np.int64)
    k = (place[X.newest] + 1) & mask
    x[k] = u[0]
    place[X.newest] = k
    y[0] = (1.0 - r) * x[(k - q) & mask] + r * x[(k - q - 1) & mask]  # (1)


@register
@describe
class DeadTime(Transfer):
    """Pure delay, of any length; with 0 the ideal actuator."""

    cites = ("wallace2005",)
    example = {"delay": 0.006}

    delay: Delay
    """Delay tau, s."""

    def block(self, site: Site) -> Block:
        """Yield the block of (1), filled with the displacement before t = 0."""
        q, r = whole_and_rest(self.delay, site.tick)
        size = ring_size(q + 2)
        states = X.pack(ring=np.full(size, site.displacement), newest=0)
        return Block(step, P.pack(whole=q, rest=r), states, rings=[Ring(X.ring, size, size)])
