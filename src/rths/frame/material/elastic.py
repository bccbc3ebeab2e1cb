"""Linear elasticity.

s = E e                                                                                   (1)
"""

from __future__ import annotations

from rths.frame.material.base import ELASTIC, Material, describe
from rths.loop.block import Vector
from rths.loop.fields import fields
from rths.quantity import Positive

P = fields(modulus="E, Pa")


def follow_elastic(p: Vector, x: Vector, z: Vector, e: float) -> tuple[float, float]:
    """Take a strain; give stress and tangent."""
    return p[P.modulus] * e, p[P.modulus]  # (1)


@describe
class Elastic(Material):
    """A straight line."""

    kind = "elastic"
    code = ELASTIC
    example = {"modulus": 200e9}

    modulus: Positive
    """Young's modulus E, Pa; of a spring its stiffness, N/m or N m/rad."""

    def parameters(self) -> Vector:
        """Give the modulus."""
        packed: Vector = P.pack(modulus=self.modulus)
        return packed

    @property
    def initial_tangent(self) -> float:
        """E."""
        return self.modulus

    @property
    def linear(self) -> bool:
        """Whether it is a straight line: it is."""
        return True
