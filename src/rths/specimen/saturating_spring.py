"""A spring whose force saturates: linear inside |x| < a, constant outside.

    f = F_a for x >= a,   k x for -a < x < a,   -F_a for x <= -a,   F_a = k a                    (1)
    N(A) = 2/pi (asin(a/A) + a/A sqrt(1 - a²/A²)),   A > a                                       (2)

It keeps no energy back and dissipates none. To a sine of amplitude A it is a spring k N(A): where a
delay makes the linear loop unstable, the oscillation grows only until k N(A) is the stiffness that
the delay just allows, and stays there as a limit cycle.

Use it for a specimen or an actuator that runs into its force limit.

[wallace2005] eqs. (16) and (17).
"""

from __future__ import annotations

from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields
from rths.quantity import NewtonsPerMetre, PositiveMetres
from rths.site import Site
from rths.specimen.base import Specimen, describe, register

P = fields(stiffness="k, N/m", limit="k a, N")


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    f, limit = p[P.stiffness] * u[0], p[P.limit]
    if f > limit:  # (1)
        f = limit
    if f < -limit:
        f = -limit
    y[0] = f


@register
@describe
class SaturatingSpring(Specimen):
    """Piecewise linear and elastic."""

    cites = ("wallace2005",)
    example = {"stiffness": 2250.0, "saturation_displacement": 0.002}

    stiffness: NewtonsPerMetre
    """Stiffness k near zero, N/m."""
    saturation_displacement: PositiveMetres
    """Displacement a beyond which the force stays at k a, m."""

    def block(self, site: Site) -> Block:
        """Yield the block of (1)."""
        k = self.stiffness
        return Block(step, P.pack(stiffness=k, limit=k * self.saturation_displacement))
