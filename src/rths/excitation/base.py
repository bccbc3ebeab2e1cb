"""What every excitation has: a signal, and the way it acts on the structure.

B e = -M i a_g            ground acceleration a_g, i the influence vector                   (1)
B e = b F                 force F on one degree of freedom                                  (2)
B e = K i r + C i r'      motion r of the support, response in absolute coordinates         (3)
"""

from __future__ import annotations

from typing import ClassVar, Literal

import numpy as np

from rths.description import described
from rths.loop.block import Block, Vector
from rths.loop.site import Site
from rths.quantity import Index
from rths.registry import register

__all__ = ["Acting", "Excitation", "described", "register"]

Acting = Literal["ground_acceleration", "force", "support_displacement"]
UNIT = {"ground_acceleration": "m/s²", "force": "N", "support_displacement": "m"}


@described
class Excitation:
    """Base of all excitations."""

    role: ClassVar[str] = "excitation"
    kind: ClassVar[str]

    acting: Acting = "ground_acceleration"
    """How the signal drives the structure: (1) in m/s², (2) in N, or (3) in m."""
    dof: Index = 0
    """Degree of freedom on which a force acts, from 0."""

    @property
    def outputs(self) -> int:
        """Width of the signal: a support motion needs its velocity too."""
        return 2 if self.acting == "support_displacement" else 1

    def load(self, M: Vector, C: Vector, K: Vector, influence: Vector) -> Vector:
        """Give the matrix B of the equation of motion."""
        if self.acting == "ground_acceleration":
            return -(M @ influence)[:, None]  # (1)
        if self.acting == "force":
            return np.eye(M.shape[0])[:, [self.dof]]  # (2)
        return np.column_stack([K @ influence, C @ influence])  # (3)

    def initial(self, size: int) -> tuple[Vector, Vector]:
        """Give displacements and velocities at t = 0."""
        return np.zeros(size), np.zeros(size)

    def block(self, site: Site) -> Block | None:
        """Yield the block of the signal, called once a stage; its first state counts the calls."""
        raise NotImplementedError
