"""No specimen: the actuator moves freely, and nothing resists it.

    f = 0                                                                                    (1)

It stands for a table that a plan without a structure leaves out.
"""

from __future__ import annotations

from rths.loop.block import Block, Vector, kernel
from rths.site import Site
from rths.specimen.base import Specimen, describe, register


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    y[0] = 0.0  # (1)


@register
@describe
class NoSpecimen(Specimen):
    """An actuator alone."""

    example = {}

    def block(self, site: Site) -> Block:
        """Yield the block of (1)."""
        return Block(step)
