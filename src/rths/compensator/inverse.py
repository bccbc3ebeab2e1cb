"""First-order inverse: undo an actuator that makes up for one alpha-th of its error in each tick.

    c_k = alpha d_k - (alpha - 1) d_(k-1)                                                      (1)

(1) is the exact inverse of the actuator `sampled_lag`. At low frequency it leads by alpha - 1
ticks; alpha = 1 is no compensation, and alpha = 0 delays by a tick. Towards high frequency the
gain grows to 2 alpha - 1. alpha counts ticks: with another tick it is another number. Use it when
the actuator is close to a first-order lag and the target is smooth.

[chen2010] eq. (1) with a constant alpha; [chen2009] Earthq. Eng. Struct. Dyn. 38(1), 23-44.
"""

from __future__ import annotations

from rths.compensator.base import Compensator, describe, register
from rths.loop.block import Block, Vector, kernel
from rths.quantity import NonNegative
from rths.site import Site


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # p = alpha;   x = d of the last tick
    y[0] = p[0] * u[0] - (p[0] - 1.0) * x[0]  # (1)
    x[0] = u[0]


@register
@describe
class Inverse(Compensator):
    """Inverse of a first-order actuator with a known alpha."""

    clock = "tick"
    cites = ("chen2010", "chen2009")
    example = {"alpha": 6.0}

    alpha: NonNegative
    """Ticks alpha in which the actuator would reach its command at its first speed."""

    def block(self, site: Site) -> Block:
        """Yield the block of (1), at rest."""
        return Block(step, [self.alpha], [site.displacement])
