"""A shear building whose storeys yield: bilinear hysteresis with kinematic hardening.

    d_j = x_j - x_(j-1),   x_-1 = 0                                                            (1)
    s_j = clip( s_j,last + k_j (d_j - d_j,last),  a_j k_j d_j ± (1 - a_j) k_j y_j )              (2)
    r_j = s_j - s_(j+1)                                                                        (3)

Storey j is elastic with k_j inside a band of half height (1 - a_j) k_j y_j that climbs with slope
a_j k_j; y_j is its deformation at first yield. The damping belongs to the elastic building. The
storey forces follow the displacements that the integrator sends, step by step.

Use it when the numerical part yields too, with an explicit integrator.

[carrion2006] (y = 1 mm, a = 0.02).
"""

from __future__ import annotations

import numpy as np

from rths.errors import InputError
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields
from rths.quantity import RealVector
from rths.structure.base import describe, register
from rths.structure.shear_building import ShearBuilding

P = fields(stiffness="k, N/m", hardening="a k, N/m", band="(1-a) k y, N")
"""Parameters of a storey; those of one follow those of the other."""
X = fields(drift="d, m", shear="s, N")
"""States of a storey."""
STOREY, STATE = len(P), len(X)


@kernel
def restore(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    below = 0.0
    for j in range(u.size):
        d = u[j] - below  # (1)
        below = u[j]
        own, of = x[j * STATE : (j + 1) * STATE], p[j * STOREY : (j + 1) * STOREY]
        s = own[X.shear] + of[P.stiffness] * (d - own[X.drift])
        middle, band = of[P.hardening] * d, of[P.band]
        s = min(max(s, middle - band), middle + band)  # (2)
        own[X.drift], own[X.shear] = d, s
        y[j] = s
        if j > 0:
            y[j - 1] -= s  # (3)


@register
@describe
class BilinearBuilding(ShearBuilding):
    """Floors on yielding storeys."""

    cites = ("carrion2006",)
    example = {
        "masses": [2.2, 1.5],
        "stiffnesses": [2250.0, 1500.0],
        "damping_ratios": 0.05,
        "yield_deformations": 0.0001,
        "hardening": 0.1,
        "interface": [0, 1],
        "attached": "storey",
    }

    yield_deformations: RealVector
    """Storey deformations y at first yield, m, from the ground up, or one for all."""
    hardening: RealVector = (0.0,)
    """Ratio a of the stiffness after yield to that before, of each storey, or one for all."""

    def __post_init__(self) -> None:
        """Check that everything fits."""
        ShearBuilding.__post_init__(self)
        for field in ("yield_deformations", "hardening"):
            if len(getattr(self, field)) != 1:
                self.check_one_each(field)
        if not all(v > 0 for v in self.yield_deformations):
            raise InputError(
                "structure.yield_deformations",
                self.yield_deformations,
                "must be above 0",
                "Give lengths in metres; 25 mm is 0.025.",
            )
        if not all(0 <= v <= 1 for v in self.hardening):
            raise InputError(
                "structure.hardening", self.hardening, "must lie in 0...1", "2 % is 0.02."
            )

    def restoring(self) -> Block:
        """Yield the block of (1) to (3), at rest; the first call loads it to where it starts."""
        k, n = np.array(self.stiffnesses), len(self.masses)
        a = np.broadcast_to(np.array(self.hardening), (n,))
        band = (1 - a) * k * np.array(self.yield_deformations)
        params = np.column_stack([k, a * k, band]).ravel()
        return Block(restore, params, states=STATE * n, outputs=n)
