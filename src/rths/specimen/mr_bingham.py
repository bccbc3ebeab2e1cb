"""An MR damper by the Bingham law, with a stiffness: friction, dashpot and spring side by side.

    f = f_c sgn v + c v + k x + f_0,   v_k = (x_k - x_k-1)/h                                     (1)

Simple and good for the energy of a cycle; poor near v = 0, where the true force turns over smoothly
and (1) jumps (sgn 0 = 0). Without c and f_0 it is a spring with friction.

Use it for an MR damper at one constant current; ``mr_bouc_wen`` where the shape of the loop or a
changing current matters.

[carrion2006] eq. (5): f_c = 39.8 N, c = 801 N s/m, k = 2140 N/m, f_0 = 1.49 N at 0 V;
[stanway1987].
"""

from __future__ import annotations

from typing import Annotated

from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields
from rths.quantity import Newtons, NewtonSecondsPerMetre, NewtonsPerMetre, Range
from rths.site import Site
from rths.specimen.base import Specimen, describe, register

Offset = Annotated[float, Range("N", "a force")]

P = fields(friction="f_c, N", damping="c/h, N/m", stiffness="k, N/m", offset="f_0, N")
X = fields(displacement="x_k-1, m")


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    dx = u[0] - x[X.displacement]
    x[X.displacement] = u[0]
    f = p[P.damping] * dx + p[P.stiffness] * u[0] + p[P.offset]
    if dx > 0.0:
        f += p[P.friction]
    elif dx < 0.0:
        f -= p[P.friction]
    y[0] = f  # (1)


@register
@describe
class MrBingham(Specimen):
    """Four numbers from one sine test."""

    cites = ("carrion2006", "stanway1987")
    example = {"friction": 2.0, "damping": 15.0}

    friction: Newtons
    """Friction force f_c, N."""
    damping: NewtonSecondsPerMetre
    """Damping coefficient c, N s/m."""
    stiffness: NewtonsPerMetre = 0.0
    """Stiffness k, N/m."""
    offset: Offset = 0.0
    """Force f_0 of the accumulator, N."""

    def block(self, site: Site) -> Block:
        """Yield the block of (1), at rest."""
        params = P.pack(
            friction=self.friction,
            damping=self.damping / site.tick,
            stiffness=self.stiffness,
            offset=self.offset,
        )
        return Block(step, params, X.pack(displacement=site.displacement))
