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
from rths.loop.site import Site
from rths.quantity import NewtonsPerMetre, PositiveMetres
from rths.specimen.base import Specimen, describe, register


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # p = k, k a
    f = p[0] * u[0]
    if f > p[1]:  # (1)
        f = p[1]
    if f < -p[1]:
        f = -p[1]
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
        return Block(step, [self.stiffness, self.stiffness * self.saturation_displacement])
