"""Explicit Newmark: beta = 0, gamma = 1/2, with the velocity carried along.

    (M + dt/2 C) a_k = F_k - r(x_k) - C w_k,   w_k = v_k-1 + dt/2 a_k-1                          (1)
    v_k = w_k + dt/2 a_k                                                                      (2)
    x_k+1 = x_k + dt v_k + dt²/2 a_k                                                          (3)
    M a_0 = F_0 - r(x_0) - C v_0                                                              (4)

Without damping the displacements are those of central differences; velocity and acceleration at
t_k are known as soon as the force at t_k is. Stable for omega dt <= 2, whatever the damping.

[newmark1959] J. Eng. Mech. Div. ASCE 85(3), 67-94.
"""

from __future__ import annotations

import numpy as np

from rths.equation import EquationOfMotion
from rths.integrator.base import Integrator, describe, input_matrix, register
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields, many

P = fields(step="dt, s", rows=many("a_k from (x, w, u) by (1), then a_0 by (4)"))


@kernel
def advance(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # x = x_k, w_k, started, w_k+1
    n, nu = (x.size - 1) // 3, u.size
    dt, w = p[P.step], 2 * n + nu
    started, later = 2 * n, 2 * n + 1
    first = P.rows if x[started] != 0.0 else P.rows + n * w
    for i in range(n):
        a = 0.0
        for j in range(2 * n):
            a += p[first + i * w + j] * x[j]  # (1), (4)
        for j in range(nu):
            a += p[first + i * w + 2 * n + j] * u[j]
        v = x[n + i] + (0.5 * dt * a if x[started] != 0.0 else 0.0)  # (2); at the start w is v_0
        y[i] = x[i] + dt * v + 0.5 * dt * dt * a  # (3)
        if y.size > n:
            y[n + i], y[2 * n + i], y[3 * n + i] = x[i], v, a
            y[4 * n + i] = v + dt * a
        x[later + i] = v + 0.5 * dt * a
    for i in range(n):
        x[i] = y[i]
        x[n + i] = x[later + i]
    x[started] = 1.0


@register
@describe
class ExplicitNewmark(Integrator):
    """As central differences, for compensators that want the velocity of now."""

    cites = ("newmark1959",)
    example = {}
    stability_limit = 2.0

    def block(self, equation: EquationOfMotion, step: float, outputs: int) -> Block:
        """Yield the block of (1) to (4)."""
        e, dt, n = equation, step, equation.size
        K = e.K if e.restoring is None else np.zeros_like(e.K)
        right = np.hstack([-K, -e.C, input_matrix(e)])
        rows = np.stack([np.linalg.solve(e.M + dt / 2 * e.C, right), np.linalg.solve(e.M, right)])
        params = P.pack(step=dt, rows=rows)
        states = np.concatenate([e.displacement, e.velocity, [0.0], np.zeros(n)])
        return Block(advance, params, states, outputs, counters=(2 * n,))
