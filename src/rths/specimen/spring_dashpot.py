"""A spring and a dashpot side by side.

    f = k x + c x',   x'_k = (x_k - x_k-1)/h                                                    (1)

The displacement runs straight between ticks: the difference is its velocity just before t_k.
"""

from __future__ import annotations

from rths.loop.block import Block, Vector, kernel
from rths.quantity import NewtonSecondsPerMetre, NewtonsPerMetre
from rths.site import Site
from rths.specimen.base import Specimen, describe, register


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # p = k, c/h;   x = displacement of the last tick
    y[0] = p[0] * u[0] + p[1] * (u[0] - x[0])  # (1)
    x[0] = u[0]


@register
@describe
class SpringDashpot(Specimen):
    """Linear viscoelastic specimen."""

    cites = ("londono2011",)
    example = {"stiffness": 2250.0, "damping": 15.0}

    stiffness: NewtonsPerMetre
    """Stiffness k, N/m."""
    damping: NewtonSecondsPerMetre
    """Damping coefficient c, N s/m."""

    def block(self, site: Site) -> Block:
        """Yield the block of (1), at rest."""
        return Block(step, [self.stiffness, self.damping / site.tick], [site.displacement])
