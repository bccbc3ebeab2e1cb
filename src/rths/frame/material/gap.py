"""An elastic-plastic gap: nothing until it closes, then elastic, then yielding, on one side only.

    s = 0                            between the start and the zero point e_0                    (1)
    s = E (e - e_0)                  from e_0 to the yield point e_y                             (2)
    s = fy + η E (e - g - fy/E)      beyond e_y                                                  (3)

At first e_0 = g and e_y = g + fy/E. Beyond e_y both move along, so that it unloads with E; when it
comes back open, the gap is as wide as the plastic deformation has left it, and closes again as it
returns unless damage is kept. With fy and g negative all of this happens in compression. OpenSees
calls it ElasticPPGap.

Use it for pounding, stops, slotted bolts and restrainers.
"""

from __future__ import annotations

from rths.errors import InputError
from rths.frame.material.base import GAP, Material, describe
from rths.loop.block import Vector
from rths.loop.fields import fields
from rths.quantity import Positive, Ratio, Real

P = fields(
    side="1 if it closes in tension, -1 in compression",
    modulus="E, Pa",
    stress="|fy|, Pa",
    gap="|g|",
    hardening="η",
    damage="1 if the gap stays as wide as it has become",
)
X = fields(zero="|e_0|", last="|e_y|")


def follow_gap(p: Vector, x: Vector, z: Vector, e: float) -> tuple[float, float]:
    """Take a strain; give stress and tangent."""
    E, fy, gap, eta = p[P.modulus], p[P.stress], p[P.gap], p[P.hardening]
    zero, last, d = x[X.zero], x[X.last], p[P.side] * e
    s, k = 0.0, 0.0  # (1)
    if d > last:
        s, k = fy + (d - gap - fy / E) * eta * E, eta * E  # (3)
        zero, last = d - s / E, d
    elif d >= zero:
        s, k = E * (d - zero), E  # (2)
    elif d > gap and p[P.damage] == 0.0:
        zero, last = d, (d - eta * gap) / (1.0 - eta) + fy / E
    z[X.zero], z[X.last] = zero, last
    return p[P.side] * s, k


@describe
class Gap(Material):
    """A stop at a distance."""

    kind = "gap"
    code = GAP
    states = len(X)
    example = {"modulus": 1e8, "yield_stress": 1e5, "gap": 0.002, "hardening": 0.05}

    modulus: Positive
    """Modulus E of the closed gap, Pa; of a spring its stiffness."""
    yield_stress: Real
    """fy, Pa: above 0 for a gap that closes in tension, below 0 in compression."""
    gap: Real
    """Strain g at which it closes, with the sign of ``yield_stress``."""
    hardening: Ratio = 0.0
    """Ratio η of the modulus after yield to E, below 1."""
    damage: bool = False
    """Whether the gap stays as wide as yielding has made it."""

    def __post_init__(self) -> None:
        """Refuse a gap that closes on the wrong side."""
        if self.yield_stress == 0.0 or self.gap * self.yield_stress < 0.0:
            raise InputError(
                "material.gap",
                self.gap,
                f"and yield_stress = {self.yield_stress:g} have not one sign",
                "Give both above 0 for tension, both below 0 for compression.",
            )
        if self.hardening >= 1.0:
            raise InputError("material.hardening", self.hardening, "is not below 1", "Say 0.05.")

    def parameters(self) -> Vector:
        """Give the places of P."""
        packed: Vector = P.pack(
            side=1.0 if self.yield_stress > 0.0 else -1.0,
            modulus=self.modulus,
            stress=abs(self.yield_stress),
            gap=abs(self.gap),
            hardening=self.hardening,
            damage=float(self.damage),
        )
        return packed

    def start(self) -> Vector:
        """Give the history of a gap that never closed."""
        gap = abs(self.gap)
        packed: Vector = X.pack(zero=gap, last=gap + abs(self.yield_stress) / self.modulus)
        return packed

    @property
    def initial_tangent(self) -> float:
        """0 while it is open, E if it has no width."""
        return 0.0 if self.gap else self.modulus
