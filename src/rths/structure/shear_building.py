"""A shear building: one mass a floor, one spring a storey, floors counted from the ground.

    K_jj = k_j + k_(j+1),   K_j,j+1 = -k_(j+1)                                                 (1)
    C = M (sum_i 2 zeta_i omega_i / m_i  phi_i phi_i') M        (modal damping)                  (2)

The specimens sit at floors (displacement of the floor) or in storeys (difference of two floors).
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from rths.errors import InputError
from rths.loop.block import Vector
from rths.quantity import Index, RealVector
from rths.structure.base import Structure, checked, described, register


@register
@described
class ShearBuilding(Structure):
    """Floors on storeys with the same damping ratio, or a given one, in each mode."""

    masses: RealVector
    """Floor masses, kg, from the first floor up."""
    stiffnesses: RealVector
    """Storey stiffnesses of the numerical part, N/m, from the ground up."""
    damping_ratios: RealVector = (0.0,)
    """Damping ratio of each mode, or one for all."""
    interface: tuple[Index, ...] = (0,)
    """Floors or storeys with a specimen, from 0, one for each actuator."""
    attached: Literal["floor", "storey"] = "floor"
    """Whether a specimen follows a floor or the deformation of a storey."""

    def __post_init__(self) -> None:
        """Check that everything fits."""
        n = len(self.masses)
        if len(self.stiffnesses) != n:
            raise InputError(
                "structure.stiffnesses",
                self.stiffnesses,
                f"has {len(self.stiffnesses)} entries for {n} floor(s)",
                "Give one stiffness for each storey.",
            )
        if len(self.damping_ratios) not in (1, n):
            raise InputError(
                "structure.damping_ratios",
                self.damping_ratios,
                f"has {len(self.damping_ratios)} entries for {n} mode(s)",
                f"Give one ratio, or {n}.",
            )
        if not all(0 <= z < 1 for z in self.damping_ratios):
            raise InputError(
                "structure.damping_ratios", self.damping_ratios, "is outside 0...1", "2 % is 0.02."
            )
        if max(self.interface, default=-1) >= n:
            raise InputError(
                "structure.interface",
                self.interface,
                f"names a {self.attached} that does not exist (there are {n})",
                f"Use indices from 0 to {n - 1}.",
            )
        checked(*self.matrices())

    def matrices(self) -> tuple[Vector, Vector, Vector]:
        """Give M, C, K by (1) and (2)."""
        M, k = np.diag(self.masses), np.array(self.stiffnesses)
        K = np.diag(k + np.append(k[1:], 0.0)) - np.diag(k[1:], 1) - np.diag(k[1:], -1)
        if np.any(M.diagonal() <= 0):
            checked(M, M, K)
        root = np.sqrt(M.diagonal())
        w2, phi = np.linalg.eigh(K / np.outer(root, root))
        omega = np.sqrt(np.maximum(w2, 0.0))
        phi = phi / root[:, None]  # unit modal masses
        zeta = np.broadcast_to(np.array(self.damping_ratios), omega.shape)
        C = M @ (phi * (2 * zeta * omega)) @ phi.T @ M  # (2)
        return M, C, K

    def interface_rows(self) -> Vector:
        """Give L: unit rows for floors, differences for storeys."""
        n = len(self.masses)
        rows = np.eye(n)
        if self.attached == "storey":
            rows = rows - np.eye(n, k=-1)
        return rows[list(self.interface)]
