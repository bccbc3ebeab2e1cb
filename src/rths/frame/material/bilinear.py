"""Bilinear steel with kinematic hardening.

    s = clip( s_last + E (e - e_last),  b E e ± (1 - b) fy )                                     (1)

The stress runs with E inside a band of half height (1 - b) fy that climbs with slope b E. OpenSees
calls it Steel01 (without its isotropic hardening).

Use it for structural steel where the shape of the curve near yield does not matter.
"""

from __future__ import annotations

from rths.frame.material.base import BILINEAR, Material, describe
from rths.loop.block import Vector
from rths.loop.fields import fields
from rths.quantity import Positive, Ratio

P = fields(modulus="E, Pa", hardening="b E, Pa", band="(1 - b) fy, Pa")
X = fields(strain="e", stress="s, Pa")


def follow_bilinear(p: Vector, x: Vector, z: Vector, e: float) -> tuple[float, float]:
    """Take a strain; give stress and tangent."""
    s = x[X.stress] + p[P.modulus] * (e - x[X.strain])
    k = p[P.modulus]
    middle, band = p[P.hardening] * e, p[P.band]
    if s > middle + band:  # (1)
        s, k = middle + band, p[P.hardening]
    elif s < middle - band:
        s, k = middle - band, p[P.hardening]
    z[X.strain], z[X.stress] = e, s
    return s, k


@describe
class Bilinear(Material):
    """Two slopes, and a band that moves."""

    kind = "bilinear"
    code = BILINEAR
    states = len(X)
    example = {"modulus": 200e9, "yield_stress": 345e6, "hardening": 0.01}

    modulus: Positive
    """Young's modulus E, Pa."""
    yield_stress: Positive
    """Stress fy at first yield, Pa."""
    hardening: Ratio = 0.0
    """Ratio b of the modulus after yield to E."""

    def parameters(self) -> Vector:
        """Give the places of P."""
        b = self.hardening
        packed: Vector = P.pack(
            modulus=self.modulus, hardening=b * self.modulus, band=(1 - b) * self.yield_stress
        )
        return packed

    @property
    def initial_tangent(self) -> float:
        """E."""
        return self.modulus
