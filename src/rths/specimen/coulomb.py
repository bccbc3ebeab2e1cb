"""Dry friction that sticks: a slider behind a short, stiff spring.

    f_k = clip( f_k-1 + (f_c/d_s) (x_k - x_k-1),  -f_c,  f_c )                                  (1)

While |f| < f_c the slider sticks and the spring gives f; at f_c it slips. The force at rest is
thereby defined, which f_c sgn v leaves open, and (1) is exact for any motion that runs straight
between ticks. Friction without the spring is the limit d_s -> 0; a cycle of amplitude A > d_s
dissipates 4 f_c (A - d_s).

Choose d_s well below the amplitude of interest, but so that the stick stiffness f_c/d_s still fits
the integrator: sqrt((k + f_c/d_s)/m) dt <= 2 for central differences.

[dahl1976] AIAA J. 14(12), 1675-1682, whose law with exponent 0 is (1).
"""

from __future__ import annotations

from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields
from rths.quantity import Newtons, PositiveMetres
from rths.site import Site
from rths.specimen.base import Specimen, describe, register

P = fields(stiffness="f_c/d_s, N/m", friction="f_c, N")
X = fields(displacement="x_k-1, m", force="f_k-1, N")


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    f, f_c = x[X.force] + p[P.stiffness] * (u[0] - x[X.displacement]), p[P.friction]
    if f > f_c:  # (1)
        f = f_c
    if f < -f_c:
        f = -f_c
    x[X.displacement], x[X.force] = u[0], f
    y[0] = f


@register
@describe
class Coulomb(Specimen):
    """Friction brake, bearing or joint."""

    cites = ("dahl1976",)
    example = {"friction": 2.0, "slip_displacement": 0.002}

    friction: Newtons
    """Friction force f_c, N."""
    slip_displacement: PositiveMetres
    """Displacement d_s over which it sticks before it first slips, m."""

    def block(self, site: Site) -> Block:
        """Yield the block of (1), at rest where a slow pull from zero has left it."""
        f_c, d = self.friction, site.displacement
        k = f_c / self.slip_displacement
        states = X.pack(displacement=d, force=min(max(k * d, -f_c), f_c))
        return Block(step, P.pack(stiffness=k, friction=f_c), states)
