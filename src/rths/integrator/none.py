"""No integration: the target of the next stage is the excitation of the next stage.

    x_k+1 = B e_k+1                                                                           (1)
    x'_k = (x_k+1 - x_k-1)/2 dt,   x''_k = (x_k+1 - 2 x_k + x_k-1)/dt²                          (2)

The measured force is not read, so that no loop is closed. (2) is for compensators that ask for
velocity or acceleration. It stands for a table that a plan without a structure leaves out.
"""

from __future__ import annotations

import numpy as np

from rths.equation import EquationOfMotion
from rths.integrator.base import Integrator, describe, register
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields, many

P = fields(step="dt, s", size="n", B=many("B by rows"))
X = fields(x=many("x_k-1, then x_k"))


@kernel
def prescribe(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    n, dt = int(p[P.size]), p[P.step]
    for i in range(n):
        before, now = x[i], x[n + i]
        ahead = 0.0 if u.size > 0 else now
        for j in range(u.size):
            ahead += p[P.B + i * u.size + j] * u[j]  # (1)
        x[i], x[n + i] = now, ahead
        y[i] = ahead
        if y.size > n:
            v = (ahead - before) / (2.0 * dt)  # (2)
            a = (ahead - 2.0 * now + before) / (dt * dt)
            y[n + i] = now
            y[2 * n + i] = v
            y[3 * n + i] = a
            y[4 * n + i] = v + dt * a


@register
@describe
class NoIntegration(Integrator):
    """Hands the excitation on as the target."""

    example = {}
    prescribes = True

    def block(self, equation: EquationOfMotion, step: float, outputs: int) -> Block:
        """Yield the block of (1) and (2), at rest."""
        e = equation
        before = e.displacement - step * e.velocity
        states = X.pack(x=np.concatenate([before, e.displacement]))
        return Block(prescribe, P.pack(step=step, size=e.size, B=e.B.ravel()), states, outputs)
