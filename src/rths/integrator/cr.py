"""Chen and Ricles: explicit, and stable whatever the step.

    w_k+1 = w_k + dt α a_k                                                                    (1)
    x_k+1 = x_k + dt w_k + dt² α a_k                                                          (2)
    M a_k = F_k - r(x_k) - C w_k                                                              (3)
    α = 4 (4 M + 2 dt C + dt² K)^-1 M                                                         (4)
    v_k = w_k + dt/2 α a_k = (x_k+1 - x_k-1)/2dt                                               (5)

F = B e - L' f; K is the initial stiffness of the whole, specimen included. The poles are those of
constant average acceleration: no numerical damping, stable for every step as long as nothing
stiffens. The paper calls w the velocity; as x_k+1 = x_k + dt w_k+1, it is that of half a step
earlier. The velocity of t_k is (5), and the start is w_0 with v_0 in (5): a start with w_0 = v_0
would be wrong by dt a_0/2, an error of first order unless the test begins at rest.

Use it for stiff structures.

[chen2008] J. Eng. Mech. 134(8), 676-683; [chen2010].
"""

from __future__ import annotations

import numpy as np

from rths.equation import EquationOfMotion
from rths.integrator._sparse import SparseScheme, sparse_pays
from rths.integrator.base import ModelBased, Scheme, describe, register
from rths.loop.block import Block, Vector


@register
@describe
class Cr(ModelBased):
    """Unconditionally stable, explicit, undamped; one force measurement a step."""

    cites = ("chen2008", "chen2010")
    example = {"interface_stiffness": 2250.0}

    def block(self, equation: EquationOfMotion, step: float, outputs: int) -> Block:
        """Yield the block of (1) to (5)."""
        if sparse_pays(equation):
            return self._sparse_block(equation, step, outputs)
        e, dt = equation, step
        M, C, K = e.M, e.C, self.total_stiffness(e)
        alpha = np.linalg.solve(4 * M + 2 * dt * C + dt**2 * K, 4 * M)  # (4)
        scheme = Scheme(e, e.displacement, e.velocity)
        x, w = scheme.memory  # before the first call w holds v_0
        F = scheme.force(x)
        right = (M + dt / 2 * C + dt**2 / 4 * K) @ w - dt / 2 * F
        w_0 = np.linalg.solve(M + dt**2 / 4 * K, right)  # (5) with (3), solved for w_0
        maps = []
        for now in (w_0, w):
            change = dt * alpha @ np.linalg.solve(M, F - C @ now)  # (3)
            after = now + change  # (1)
            x_next = x + dt * after  # (2)
            v = now + change / 2  # (5)
            response: list[Vector] = [x_next]
            if outputs > e.size:
                a = np.asarray(np.linalg.solve(M, F - C @ v), float)
                response += [x, v, a, v + change]
            maps.append(((x_next, after), response))
        return scheme.block(maps, outputs, back=1, step=dt)

    def _sparse_block(self, e: EquationOfMotion, dt: float, outputs: int) -> Block:
        """Yield the same block for many degrees of freedom: α a = 4 (4 M + ...)^-1 M a."""
        M, C, K = e.M, e.C, self.total_stiffness(e)
        scheme = SparseScheme(e, e.displacement, e.velocity)
        for first in (True, False):
            scheme.begin()
            x, now = scheme.memory
            F = scheme.force(x)
            if first:
                right = scheme.times(M + dt / 2 * C + dt**2 / 4 * K, now) - dt / 2 * F
                now = scheme.solve(M + dt**2 / 4 * K, right)  # (5) with (3)
            right = F - scheme.times(C, now)
            change = 4 * dt * scheme.solve(4 * M + 2 * dt * C + dt**2 * K, right)  # (3), (4)
            after = now + change  # (1)
            x_next = x + dt * after  # (2)
            v = now + 0.5 * change  # (5)
            response = [x_next]
            if outputs > e.size:
                a = scheme.solve(M, F - scheme.times(C, v))
                response += [x, v, a, v + change]
            scheme.finish((x_next, after), response)
        return scheme.block(outputs, back=1)
