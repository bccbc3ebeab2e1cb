"""A shear building: one mass a floor, one spring a storey, floors counted from the ground.

    K_jj = k_j + k_(j+1),   K_j,j+1 = -k_(j+1)                                                 (1)

The specimens sit at floors (displacement of the floor) or in storeys (difference of two floors).
Without any of the three ways to give damping the building is undamped.

Use it for frames whose floors are much stiffer than their columns.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from rths.errors import InputError
from rths.loop.block import Vector
from rths.quantity import Index, RealVector
from rths.structure.base import DampedStructure, describe, register


@register
@describe
class ShearBuilding(DampedStructure):
    """Floors on linear storeys."""

    example = {
        "masses": [2.2, 1.5],
        "stiffnesses": [2250.0, 1500.0],
        "damping_ratios": 0.05,
        "interface": [1, 0],
        "attached": "storey",
    }

    masses: RealVector
    """Floor masses, kg, from the first floor up."""
    stiffnesses: RealVector
    """Storey stiffnesses of the numerical part, N/m, from the ground up."""
    interface: tuple[Index, ...] = (0,)
    """Floors or storeys with a specimen, from 0, one for each actuator."""
    attached: Literal["floor", "storey"] = "floor"
    """Whether a specimen follows a floor or the deformation of a storey."""

    def __post_init__(self) -> None:
        """Check that everything fits."""
        n = len(self.masses)
        self.check_one_each("stiffnesses")
        if max(self.interface, default=-1) >= n:
            raise InputError(
                "structure.interface",
                self.interface,
                f"names a {self.attached} that does not exist (there are {n})",
                f"Use indices from 0 to {n - 1}.",
            )
        self.check(*self.matrices())

    def check_one_each(self, field: str) -> None:
        """Refuse a field that has not one entry for each storey."""
        given, n = getattr(self, field), len(self.masses)
        if len(given) != n:
            raise InputError(
                f"structure.{field}",
                given,
                f"has {len(given)} entries for {n} storey(s)",
                f"Give {n}, from the ground up.",
            )

    def matrices(self) -> tuple[Vector, Vector, Vector]:
        """Give M, C, K."""
        M, k = np.diag(self.masses), np.array(self.stiffnesses)
        K = np.diag(k + np.append(k[1:], 0.0)) - np.diag(k[1:], 1) - np.diag(k[1:], -1)  # (1)
        return M, self.damping_matrix(M, K), K

    def interface_rows(self) -> Vector:
        """Give L: unit rows for floors, differences for storeys."""
        n = len(self.masses)
        rows = np.eye(n)
        if self.attached == "storey":
            rows = rows - np.eye(n, k=-1)
        return rows[list(self.interface)]
