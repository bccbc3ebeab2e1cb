"""Bilinear hysteresis with kinematic hardening.

    f_k = clip( f_k-1 + k (x_k - x_k-1),  a k x_k - (1-a) f_y,  a k x_k + (1-a) f_y )            (1)

Elastic with stiffness k inside a band of height 2 (1-a) f_y that climbs with slope a k.

[carrion2006] (yield displacement 1 mm, a = 0.02).
"""

from __future__ import annotations

from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields
from rths.quantity import NewtonsPerMetre, PositiveMetres, Ratio
from rths.site import Site
from rths.specimen.base import Specimen, describe, register

P = fields(
    stiffness="k, N/m", hardening="a k, N/m", band="(1-a) f_y, N: half the width of the band"
)
X = fields(displacement="x_k-1, m", force="f_k-1, N")


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    f = x[X.force] + p[P.stiffness] * (u[0] - x[X.displacement])
    middle, band = p[P.hardening] * u[0], p[P.band]
    if f < middle - band:  # (1)
        f = middle - band
    if f > middle + band:
        f = middle + band
    x[X.displacement], x[X.force] = u[0], f
    y[0] = f


@register
@describe
class Bilinear(Specimen):
    """Yielding steel, without the rounding of the knee."""

    cites = ("carrion2006",)
    example = {"stiffness": 2250.0, "yield_displacement": 0.002}

    stiffness: NewtonsPerMetre
    """Elastic stiffness k, N/m."""
    yield_displacement: PositiveMetres
    """Displacement at first yield, m; f_y is k times it."""
    hardening: Ratio = 0.0
    """Ratio a of the stiffness after yield to that before."""

    def block(self, site: Site) -> Block:
        """Yield the block of (1), at rest on the elastic line at the initial displacement."""
        k, a = self.stiffness, self.hardening
        band = (1 - a) * k * self.yield_displacement
        d = site.displacement
        f = min(max(k * d, a * k * d - band), a * k * d + band)
        params = P.pack(stiffness=k, hardening=a * k, band=band)
        return Block(step, params, X.pack(displacement=d, force=f))
