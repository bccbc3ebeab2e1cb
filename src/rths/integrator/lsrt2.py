"""LSRT2, a Rosenbrock method of two stages: L-stable, so that high modes die out by themselves.

    y = (x, v),   y' = f(y, t) = (v, M^-1 (F - r(x) - C v))                                    (1)
    k_1 = B f(y_i, t_i) dt,   y_i+1/2 = y_i + k_1/2                                           (2)
    k_2 = B (f(y_i+1/2, t_i+1/2) - γ J k_1) dt,   y_i+1 = y_i + k_2                            (3)
    B = (I - γ dt J)^-1,   γ = 1 - √2/2,   J = [[0, I], [-M^-1 K, -M^-1 C]]                     (4)

F = B e - L' f; K is the stiffness of the whole. Each stage, half a step long, sends a target and
takes a force, so a step is an even number of ticks. Without delay a mode grows by

    R(z) = (1 + (1 - 2γ) z)/(1 - γ z)²,   z = λ dt                                            (5)

a step: R → 0 for z → ∞. The order is two whatever J is; the stability is that of (5) only with the
specimen's stiffness in J. Displacement and velocity of the target are both known.

Use it for stiff structures, with compensators that take displacement and velocity of stages.

[bursi2008] Earthq. Eng. Struct. Dyn. 37(3), 339-360; [wu2013] eqs (1)-(5).
"""

from __future__ import annotations

from math import sqrt
from typing import ClassVar

import numpy as np

from rths.equation import EquationOfMotion
from rths.integrator.base import ModelBased, Scheme, describe, register
from rths.loop.block import Block

GAMMA = 1 - sqrt(2) / 2
"""γ of (4)."""


@register
@describe
class Lsrt2(ModelBased):
    """Two forces a step; the strongest damping of high modes among the explicit schemes."""

    stages: ClassVar[int] = 2
    cites = ("bursi2008", "wu2013")
    example = {"interface_stiffness": 2250.0}

    def block(self, equation: EquationOfMotion, step: float, outputs: int) -> Block:
        """Yield the block of (1) to (4), called at t_i and at t_i+1/2 in turn."""
        e, dt, n = equation, step, equation.size
        accelerate = np.linalg.solve(e.M, np.hstack([-self.total_stiffness(e), -e.C]))
        J = np.vstack([np.eye(n, 2 * n, n), accelerate])
        B = np.linalg.inv(np.eye(2 * n) - GAMMA * dt * J)  # (4)

        scheme = Scheme(e, e.displacement, e.velocity, e.displacement, e.velocity)
        x, v, x_i, v_i = scheme.memory  # at this stage, and where the step began
        a = np.linalg.solve(e.M, scheme.force(x) - e.C @ v)
        y, y_i, f = np.vstack([x, v]), np.vstack([x_i, v_i]), np.vstack([v, a])  # (1)
        half = y + dt * B @ f / 2  # (2)
        k_1 = 2 * (y - y_i)
        full = y_i + dt * B @ (f - GAMMA * J @ k_1)  # (3)
        first = ((half[:n], half[n:], x, v), (half[:n], x, v, a, half[n:]))
        second = ((full[:n], full[n:], full[:n], full[n:]), (full[:n], x, v, a, full[n:]))
        return scheme.block([first, second], outputs)
