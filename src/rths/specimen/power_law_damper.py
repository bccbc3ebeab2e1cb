"""A nonlinear viscous damper: force by a power of the velocity.

    f = c |v|^alpha sgn v,   0 <= alpha <= 1,   v_k = (x_k - x_k-1)/h                           (1)
    f/v = c |v|^(alpha-1)                                                                    (2)

alpha = 1 is the linear dashpot, alpha = 0 dry friction without sticking (sgn 0 = 0). For alpha < 1
the equivalent dashpot (2) grows without bound as v goes to 0: with any delay in the loop a small
limit cycle appears, of peak velocity about c tau/m, however short the delay is.

Use it for fluid viscous dampers (alpha 0.15 to 1); for friction that sticks use ``coulomb``.

[londono2011] eq. (17), 60 kN (s/m)^0.15; 50 kN at the rated 0.3 m/s.
"""

from __future__ import annotations

from math import pow
from typing import Annotated

from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields
from rths.quantity import Range, Ratio
from rths.site import Site
from rths.specimen.base import Specimen, describe, register

Coefficient = Annotated[float, Range("N (s/m)^alpha", "a damping coefficient", low=0)]

P = fields(coefficient="c", exponent="alpha", rate="1/h, 1/s")
X = fields(displacement="x_k-1, m")


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    v = (u[0] - x[X.displacement]) * p[P.rate]
    x[X.displacement] = u[0]
    f = p[P.coefficient] * pow(abs(v), p[P.exponent])  # (1)
    if v > 0.0:
        y[0] = f
    elif v < 0.0:
        y[0] = -f
    else:
        y[0] = 0.0 * v  # sgn 0 = 0; a NaN stays one and stops the test


@register
@describe
class PowerLawDamper(Specimen):
    """Fluid viscous damper, rate-dependent alone."""

    cites = ("londono2011",)
    example = {"coefficient": 15.0, "exponent": 0.5}

    coefficient: Coefficient
    """Coefficient c: the force at 1 m/s, N (s/m)^alpha."""
    exponent: Ratio
    """Exponent alpha of the velocity."""

    def block(self, site: Site) -> Block:
        """Yield the block of (1), at rest."""
        params = P.pack(coefficient=self.coefficient, exponent=self.exponent, rate=1 / site.tick)
        return Block(step, params, X.pack(displacement=site.displacement))
