"""Newmark's constant average acceleration: the implicit yardstick of structural dynamics.

    x_k+1 = x_k + dt v_k + dt²/4 (a_k + a_k+1)                                                (1)
    v_k+1 = v_k + dt/2 (a_k + a_k+1)                                                          (2)
    M a_k+1 + C v_k+1 + r(x_k+1) + L' f(d_k+1) = B e_k+1                                       (3)

(3) holds the force at a displacement that is not known when the actuator must move. In the loop
the target is therefore the explicit part x̃ of (1), the force is measured there, and what (1) adds
enters with the known stiffness: r(x) + L' f = [r + L' f](x̃) + (K + L' K_e L)(x - x̃). For a linear
structure with a linear specimen of the stiffness given as ``interface_stiffness`` this *is*
constant average acceleration, to round-off; for any other it is operator splitting, α-OS with
α = 0. No numerical damping; the period grows by (omega dt)²/12.

Use it as a reference, in emulated runs with the specimen's stiffness given.

[newmark1959] J. Eng. Mech. Div. ASCE 85(3), 67-94; [nakashima1990].
"""

from __future__ import annotations

from rths.equation import EquationOfMotion
from rths.integrator._splitting import split
from rths.integrator.base import ModelBased, describe, register
from rths.loop.block import Block


@register
@describe
class NewmarkAverage(ModelBased):
    """Implicit reference; exact trapezoidal rule for a linear specimen of known stiffness."""

    cites = ("newmark1959", "nakashima1990")
    example = {"interface_stiffness": 2250.0}

    def block(self, equation: EquationOfMotion, step: float, outputs: int) -> Block:
        """Yield the block of (1) to (3)."""
        stiffness = self.total_stiffness(equation)
        return split(equation, stiffness, step, outputs, alpha=0.0)
