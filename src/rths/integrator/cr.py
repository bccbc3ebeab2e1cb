"""Chen and Ricles: explicit in displacement *and* velocity, stable whatever the step.

    v_k+1 = v_k + dt α a_k                                                                    (1)
    x_k+1 = x_k + dt v_k + dt² α a_k                                                          (2)
    M a_k+1 = F_k+1 - r(x_k+1) - C v_k+1,   M a_0 = F_0 - r(x_0) - C v_0                        (3)
    α = 4 (4 M + 2 dt C + dt² K)^-1 M                                                         (4)

F = B e - L' f; K is the initial stiffness of the whole, specimen included. The poles are those of
constant average acceleration: no numerical damping, stable for every step as long as the specimen
and the structure do not stiffen. Target and its velocity are both known one step ahead.

Use it for stiff structures and for compensators that want the velocity of the target.

[chen2008] J. Eng. Mech. 134(8), 676-683; [chen2010].
"""

from __future__ import annotations

import numpy as np

from rths.equation import EquationOfMotion
from rths.integrator.base import ModelBased, Scheme, described, register
from rths.loop.block import Block


@register
@described
class Cr(ModelBased):
    """Unconditionally stable, explicit, undamped; one force measurement a step."""

    cites = ("chen2008", "chen2010")

    def block(self, equation: EquationOfMotion, step: float, outputs: int) -> Block:
        """Yield the block of (1) to (4)."""
        e, dt = equation, step
        K = self.total_stiffness(e)
        alpha = np.linalg.solve(4 * e.M + 2 * dt * e.C + dt**2 * K, 4 * e.M)  # (4)
        scheme = Scheme(e, e.displacement, e.velocity)
        x, v = scheme.memory
        a = np.linalg.solve(e.M, scheme.force(x) - e.C @ v)  # (3)
        v_next = v + dt * alpha @ a  # (1)
        x_next = x + dt * v + dt**2 * alpha @ a  # (2)
        return scheme.block([((x_next, v_next), (x_next, x, v, a, v_next))], outputs)
