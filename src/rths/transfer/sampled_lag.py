"""A lag counted in ticks: each tick makes up for a fixed share of the distance left.

    m_k = m_(k-1) + (c_k - m_(k-1))/alpha                                                      (1)
    M/C = z / (alpha z - (alpha - 1))                                                         (2)

The lag at low frequency is alpha - 1 ticks; alpha = 1 is the ideal actuator. The compensator
`inverse` with the same alpha is its exact inverse. Use it to repeat studies that state alpha; for
an actuator with a time constant use `first_order`.

[chen2010], the actuator behind eq. (1); [chen2009] Earthq. Eng. Struct. Dyn. 38(1), 23-44.
"""

from __future__ import annotations

from rths.loop.block import Block, Vector, kernel
from rths.quantity import AtLeastOne
from rths.site import Site
from rths.transfer.base import Transfer, describe, register


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # p = alpha;   x = m
    x[0] += (u[0] - x[0]) / p[0]  # (1)
    y[0] = x[0]


@register
@describe
class SampledLag(Transfer):
    """First-order actuator whose time constant is given in ticks."""

    cites = ("chen2010", "chen2009")
    example = {"alpha": 5.0}

    alpha: AtLeastOne
    """Ticks alpha in which the actuator would reach its command at its first speed."""

    def block(self, site: Site) -> Block:
        """Yield the block of (1), at rest."""
        return Block(step, [self.alpha], [site.displacement])
