"""What every structure has: matrices, the rows that pick the interface, and an influence vector."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from rths.description import described
from rths.errors import InputError
from rths.loop.block import Block, Vector
from rths.registry import register

__all__ = ["Structure", "described", "register"]


@described
class Structure:
    """Base of all numerical substructures."""

    role: ClassVar[str] = "structure"
    kind: ClassVar[str]

    def matrices(self) -> tuple[Vector, Vector, Vector]:
        """Give mass, damping and (initial) stiffness matrix."""
        raise NotImplementedError

    def interface_rows(self) -> Vector:
        """Give L: interface displacements are L x, interface forces act as -L' f."""
        raise NotImplementedError

    def influence_vector(self) -> Vector:
        """Give the displacements of a unit motion of the ground."""
        return np.ones(self.matrices()[0].shape[0])

    def restoring(self) -> Block | None:
        """Yield the block x -> r(x) of a nonlinear structure; None if r(x) = K x."""
        return None


def checked(M: Vector, C: Vector, K: Vector) -> None:
    """Refuse matrices whose shapes do not fit, a singular or a negative mass."""
    n = M.shape[0]
    for name, matrix in (("mass", M), ("damping", C), ("stiffness", K)):
        if matrix.shape != (n, n):
            shape = "x".join(map(str, matrix.shape))
            raise InputError(
                f"structure.{name}",
                matrix.tolist(),
                f"is {shape} where {n}x{n} is needed",
                "Give square matrices of one size.",
            )
    eigenvalues = np.linalg.eigvalsh((M + M.T) / 2)
    if eigenvalues[0] <= 1e-14 * max(abs(eigenvalues[-1]), 1e-300):
        raise InputError(
            "structure.mass",
            M.tolist(),
            "is singular or negative",
            "Give every degree of freedom a mass, or condense the massless ones out.",
        )
    if np.any(np.diag(C) < 0):
        raise InputError(
            "structure.damping",
            C.tolist(),
            "has a negative diagonal entry, which would drive the structure",
            "Check the sign.",
        )
