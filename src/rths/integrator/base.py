"""What every integrator has: a block that turns the force of now into the displacement of next.

At a stage boundary t_k the block reads the nonlinear restoring forces (if any), the measured
forces f and the excitation e, in this order, and writes

    y = x(t_k+1)   [, x(t_k), x'(t_k), x''(t_k), x'(t_k+1)]                                     (1)

The response in brackets is written when the signal has room for it. The last velocity is the one
the scheme itself goes on with; where it is not known before the force at t_k+1 is, it is
x'(t_k) + dt x''(t_k).
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from rths.description import described
from rths.equation import EquationOfMotion
from rths.loop.block import Block, Vector
from rths.registry import register

__all__ = ["Integrator", "described", "input_matrix", "register"]

RESPONSE = ("displacement", "velocity", "acceleration", "next_velocity")
"""What follows the next displacement in (1), in its order."""


@described
class Integrator:
    """Base of all integrators."""

    role: ClassVar[str] = "integrator"
    kind: ClassVar[str]
    stages: ClassVar[int] = 1
    """Targets for each step of the integrator."""

    def block(self, equation: EquationOfMotion, step: float, outputs: int) -> Block:
        """Yield the block (1) for a step; ``outputs`` is n, or 5n if the response is wanted."""
        raise NotImplementedError


def input_matrix(equation: EquationOfMotion) -> Vector:
    """Stack what the inputs of a block do to the right side: -r (if nonlinear), -L' f, +B e."""
    parts = [-equation.L.T, equation.B]
    if equation.restoring is not None:
        parts.insert(0, -np.eye(equation.size))
    return np.hstack(parts)
