"""Central differences: explicit, second order, no numerical damping.

    (M/dt² + C/2dt) x_k+1 = F_k - r(x_k) + 2M/dt² x_k - (M/dt² - C/2dt) x_k-1                    (1)
    v_k = (x_k+1 - x_k-1)/2dt,   a_k = (x_k+1 - 2 x_k + x_k-1)/dt²                               (2)
    x_1 = x_0 + dt v_0 + dt²/2 M^-1 (F_0 - r(x_0) - C v_0)                                       (3)

F = B e - L' f. Stable for omega dt <= 2, omega the highest frequency of the whole with specimen.
(3) is (1) with x_-1 taken from (2); it keeps the second order from the first step on.

[newmark1959] J. Eng. Mech. Div. ASCE 85(3), 67-94 (beta = 0); [carrion2006] eq. (2).
"""

from __future__ import annotations

import numpy as np

from rths.equation import EquationOfMotion
from rths.integrator._sparse import SparseScheme, sparse_pays
from rths.integrator.base import Integrator, describe, input_matrix, register
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields, many

P = fields(step="dt, s", rows=many("weights of u and (x_k-1, x_k) by (1), then of 1 and u by (3)"))
X = fields(motion=many("x_k, then x_k-1 (v_0 at first)"), started="whether (3) is done")


@kernel
def advance(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    n, nu = (x.size - 1) // 2, u.size
    if x[X.started] == 0.0:
        start(x, p, u, y)
        return
    row = P.rows
    for i in range(n):
        s = 0.0
        for j in range(nu):
            s += p[row] * u[j]  # (1), the newest displacement last: the next step waits for it
            row += 1
        for j in range(2 * n - 1, -1, -1):
            s += p[row] * x[j]
            row += 1
        y[i] = s
    if y.size > n:
        dt = p[P.step]
        for i in range(n):
            y[n + i] = x[i]
            y[2 * n + i] = (y[i] - x[n + i]) / (2.0 * dt)  # (2)
            y[3 * n + i] = (y[i] - 2.0 * x[i] + x[n + i]) / (dt * dt)
            y[4 * n + i] = y[2 * n + i] + dt * y[3 * n + i]
    for i in range(n):
        x[n + i] = x[i]
        x[i] = y[i]


def start(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    """Take the first step (3)."""
    n, nu, dt = (x.size - 1) // 2, u.size, p[P.step]
    row = P.rows + n * (2 * n + nu)
    for i in range(n):
        y[i] = p[row]
        for j in range(nu):
            y[i] += p[row + 1 + j] * u[j]
        row += 1 + nu
        if y.size > n:
            y[n + i] = x[i]
            y[2 * n + i] = x[n + i]
            y[3 * n + i] = 2.0 * (y[i] - x[i] - dt * x[n + i]) / (dt * dt)
            y[4 * n + i] = y[2 * n + i] + dt * y[3 * n + i]
    for i in range(n):
        x[n + i] = x[i]
        x[i] = y[i]
    x[X.started] = 1.0


def sparse_block(e: EquationOfMotion, dt: float, outputs: int) -> Block:
    """Yield the block of (1) to (3) for many degrees of freedom."""
    scheme = SparseScheme(e, e.displacement, e.velocity)
    for first in (True, False):
        scheme.begin()
        x, past = scheme.memory  # v_0 at first, x_k-1 later
        F = scheme.force(x)
        if first:
            move = scheme.solve(e.M, F - scheme.times(e.C, past))
            x_next = x + dt * past + dt**2 / 2 * move  # (3)
            v, a = past, move
        else:
            right = F + scheme.times(2 / dt**2 * e.M, x)
            right = right - scheme.times(e.M / dt**2 - e.C / (2 * dt), past)
            x_next = scheme.solve(e.M / dt**2 + e.C / (2 * dt), right)  # (1)
            v = 1 / (2 * dt) * (x_next - past)  # (2)
            a = 1 / dt**2 * (x_next - 2.0 * x + past)
        response = [x_next, x, v, a, v + dt * a]
        scheme.finish((x_next, x), response[: outputs // e.size])
    return scheme.block(outputs, back=1)


@register
@describe
class CentralDifference(Integrator):
    """The standard of hybrid testing: one force measurement a step, exact work for small steps."""

    cites = ("newmark1959", "carrion2006")
    example = {}
    stability_limit = 2.0

    def block(self, equation: EquationOfMotion, step: float, outputs: int) -> Block:
        """Yield the block of (1) to (3)."""
        if sparse_pays(equation):
            return sparse_block(equation, step, outputs)
        e, dt = equation, step
        U = input_matrix(e)
        K = e.K if e.restoring is None else np.zeros_like(e.K)
        left = np.linalg.inv(e.M / dt**2 + e.C / (2 * dt))
        past = np.hstack([2 * e.M / dt**2 - K, e.C / (2 * dt) - e.M / dt**2])
        A = left @ np.hstack([U, past[:, ::-1]])
        half = dt**2 / 2 * np.linalg.inv(e.M)
        rest = e.displacement + dt * e.velocity - half @ (K @ e.displacement + e.C @ e.velocity)
        start = np.column_stack([rest, half @ U])
        params = P.pack(step=dt, rows=[*A.ravel(), *start.ravel()])
        states = X.pack(motion=[e.displacement, e.velocity], started=0)
        return Block(advance, params, states, outputs, counters=[states.size + X.started])
