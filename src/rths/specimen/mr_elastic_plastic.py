"""An MR damper as an elastic-plastic element and a dashpot side by side.

    s_k = clip( s_k-1 + (f_s/d_s) (x_k - x_k-1),  -f_s,  f_s )                                  (1)
    f_k = s_k + c v_k,   v_k = (x_k - x_k-1)/h                                                 (2)

(1) is exact for any motion that runs straight between ticks. Before it slips the damper is a spring
of stiffness f_s/d_s, and a delay of the actuator then acts as negative damping: this is what makes
a loop with MR dampers grow from rest, which a damper of velocity alone does not show.

Use it for large MR dampers at constant current.

[chen2010]: stand-in for its dampers with f_s = 180 kN, d_s = 5 mm, c = 100 kN s/m.
"""

from __future__ import annotations

from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields
from rths.quantity import Newtons, NewtonSecondsPerMetre, PositiveMetres
from rths.site import Site
from rths.specimen.base import Specimen, describe, register

P = fields(stiffness="f_s/d_s, N/m", slip_force="f_s, N", damping="c/h, N/m")
X = fields(displacement="x_k-1, m", s="s_k-1, N")


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    dx, f_s = u[0] - x[X.displacement], p[P.slip_force]
    s = x[X.s] + p[P.stiffness] * dx
    if s > f_s:  # (1)
        s = f_s
    if s < -f_s:
        s = -f_s
    x[X.displacement], x[X.s] = u[0], s
    y[0] = s + p[P.damping] * dx  # (2)


@register
@describe
class MrElasticPlastic(Specimen):
    """Slips at a force and resists velocity besides."""

    cites = ("chen2010",)
    example = {"slip_force": 2.0, "slip_displacement": 0.002, "damping": 15.0}

    slip_force: Newtons
    """Force f_s at which it slips, N."""
    slip_displacement: PositiveMetres
    """Displacement d_s from rest at which it first slips, m."""
    damping: NewtonSecondsPerMetre
    """Damping coefficient c, N s/m."""

    def block(self, site: Site) -> Block:
        """Yield the block of (1) and (2), at rest where a slow pull from zero has left it."""
        f_s, d = self.slip_force, site.displacement
        k = f_s / self.slip_displacement
        params = P.pack(stiffness=k, slip_force=f_s, damping=self.damping / site.tick)
        return Block(step, params, X.pack(displacement=d, s=min(max(k * d, -f_s), f_s)))
