"""A linear structure given by its matrices.

    M a + C v + K x = B e - L' f                                                              (1)

Its damping is a matrix, a ratio for each mode, or Rayleigh's; one of them must be given.

A matrix stands in the plan, or in a file beside it that a finite-element program wrote: "fe.mat:M"
(MATLAB 5 to 7.3, variable M), "fe.npz:M", "M.npy", "M.csv" or "M.mtx" (Matrix Market), full or
sparse. From a file M, C and K must be symmetric up to round-off. The file travels with the record.

Use it for any structure small enough to write down, or whose matrices are in a file.
"""

from __future__ import annotations

import numpy as np

from rths.errors import InputError
from rths.loop.block import Vector
from rths.quantity import Index, MatrixOrFile, RealVector
from rths.structure.base import DampedStructure, describe, register


@register
@describe
class Linear(DampedStructure):
    """Mass, damping and stiffness as numbers (one degree of freedom), lists of rows, or files."""

    example = {
        "mass": [[2.2, 0.0], [0.0, 1.5]],
        "stiffness": [[3750.0, -1500.0], [-1500.0, 1500.0]],
        "damping": [[25.0, -10.0], [-10.0, 10.0]],
        "interface": [0, 1],
    }

    mass: MatrixOrFile
    """Mass matrix M, kg: numbers, or a file beside the plan as "fe.mat:M"."""
    stiffness: MatrixOrFile
    """Stiffness matrix K of the numerical part alone, N/m: numbers, or a file as "fe.mat:K"."""
    interface: tuple[Index, ...] = (0,)
    """Degrees of freedom at which the specimens are attached, one for each actuator."""
    rows: MatrixOrFile | None = None
    """Rows L in place of ``interface``, for specimens between two degrees of freedom; numbers, or
    a file as "fe.mat:L"."""
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
        self.check(*self.matrices())
        n = self.size
        if self.rows is None and max(self.interface, default=-1) >= n:
            raise InputError(
                "structure.interface",
                self.interface,
                f"names a degree of freedom that does not exist (there are {n})",
                f"Use indices from 0 to {n - 1}.",
            )
        if self.rows is not None and self.matrix("rows").shape[1] != n:
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

    @property
    def size(self) -> int:
        """Number of degrees of freedom that the plan counts."""
        return len(self.matrix("mass"))

    def matrices(self) -> tuple[Vector, Vector, Vector]:
        """Give M, C, K."""
        M, K = self.matrix("mass"), self.matrix("stiffness")
        return M, self.damping_matrix(M, K), K

    def interface_rows(self) -> Vector:
        """Give L."""
        if self.rows is not None:
            return self.matrix("rows")
        return np.eye(self.size)[list(self.interface)]

    def influence_vector(self) -> Vector:
        """Give the influence vector."""
        return np.ones(self.size) if self.influence is None else np.array(self.influence)
