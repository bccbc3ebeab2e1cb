"""A linear spring.

    f = k x                                                                                  (1)

[wallace2005]; [carrion2006] (steel spring of 41.0 N/mm).
"""

from __future__ import annotations

from rths.loop.block import Block, Vector, kernel
from rths.quantity import NewtonsPerMetre
from rths.site import Site
from rths.specimen.base import Specimen, describe, register


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # p = k
    y[0] = p[0] * u[0]  # (1)


@register
@describe
class Spring(Specimen):
    """Elastic; the specimen for which a delay is purest negative damping."""

    cites = ("wallace2005", "carrion2006")
    example = {"stiffness": 2250.0}
    elastic = True

    stiffness: NewtonsPerMetre
    """Stiffness k, N/m."""

    def block(self, site: Site) -> Block:
        """Yield the block of (1)."""
        return Block(step, [self.stiffness])
