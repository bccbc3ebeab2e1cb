"""The equation of motion that an integrator solves, whatever structure and load it came from.

    M a + C v + r(x) = B e - L' f,    r(x) = K x for a linear structure                          (1)
    d = L x                                                                                   (2)

e is the excitation, f the forces measured at the interface, d the interface displacements.
"""

from __future__ import annotations

from dataclasses import dataclass

from rths.loop.block import Block, Vector


@dataclass(frozen=True, eq=False)
class EquationOfMotion:
    """Matrices of (1) and (2), the state at t = 0, and the restoring force if it is not linear."""

    M: Vector
    C: Vector
    K: Vector
    """Stiffness; of a nonlinear structure the initial one."""
    L: Vector
    B: Vector
    displacement: Vector
    velocity: Vector
    restoring: Block | None = None
    """Displacements in, restoring forces r(x) out; None if r(x) = K x."""

    @property
    def size(self) -> int:
        """Number of degrees of freedom."""
        return int(self.M.shape[0])
