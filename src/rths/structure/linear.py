"""A linear structure given by its matrices.

    M a + C v + K x = B e - L' f                                                              (1)

Its damping is a matrix, a ratio for each mode, or Rayleigh's; one of them must be given.

Use it for any structure small enough to write down.
"""

from __future__ import annotations

import numpy as np

from rths.errors import InputError
from rths.loop.block import Vector
from rths.quantity import Index, Matrix, RealVector
from rths.structure.base import DampedStructure, check_matrices, describe, register


@register
@describe
class Linear(DampedStructure):
    """Mass, damping and stiffness as numbers (one degree of freedom) or as lists of rows."""

    example = {
        "mass": [[2.2, 0.0], [0.0, 1.5]],
        "stiffness": [[3750.0, -1500.0], [-1500.0, 1500.0]],
        "damping": [[25.0, -10.0], [-10.0, 10.0]],
        "interface": [0, 1],
    }

    mass: Matrix
    """Mass matrix M, kg."""
    stiffness: Matrix
    """Stiffness matrix K of the numerical part alone, N/m."""
    interface: tuple[Index, ...] = (0,)
    """Degrees of freedom at which the specimens are attached, one for each actuator."""
    rows: Matrix | None = None
    """Rows L in place of ``interface``, for specimens between two degrees of freedom."""
    influence: RealVector | None = None
    """Displacements of a unit ground motion; ones if not given."""

    def __post_init__(self) -> None:
        """Check that everything fits."""
        if self.damping is None and self.damping_ratios is None and self.rayleigh is None:
            raise InputError(
                "structure.damping",
                None,
                "is required",
                "Give damping, damping_ratios or rayleigh; damping_ratios = 0 is none at all.",
            )
        check_matrices(*self.matrices())
        n = len(self.mass)
        if self.rows is None and max(self.interface, default=-1) >= n:
            raise InputError(
                "structure.interface",
                self.interface,
                f"names a degree of freedom that does not exist (there are {n})",
                f"Use indices from 0 to {n - 1}.",
            )
        if self.rows is not None and len(self.rows[0]) != n:
            raise InputError(
                "structure.rows",
                self.rows,
                f"must have {n} columns",
                "Give one entry for each DOF.",
            )
        if self.influence is not None and len(self.influence) != n:
            raise InputError(
                "structure.influence", self.influence, f"must have {n} entries", "One for each DOF."
            )

    def matrices(self) -> tuple[Vector, Vector, Vector]:
        """Give M, C, K."""
        M, K = np.array(self.mass), np.array(self.stiffness)
        return M, self.damping_matrix(M, K), K

    def interface_rows(self) -> Vector:
        """Give L."""
        if self.rows is not None:
            return np.array(self.rows)
        return np.eye(len(self.mass))[list(self.interface)]

    def influence_vector(self) -> Vector:
        """Give the influence vector."""
        return np.ones(len(self.mass)) if self.influence is None else np.array(self.influence)
