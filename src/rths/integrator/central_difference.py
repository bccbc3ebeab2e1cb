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
from rths.integrator.base import Integrator, described, input_matrix, register
from rths.loop.block import Block, Vector, kernel


@kernel
def advance(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # x = x_k, x_k-1, started;   p = dt, then by rows A (n x 2n+nu) of (1), then of (3) (n x nu+1)
    n, nu = (x.size - 1) // 2, u.size
    dt, w = p[0], 2 * n + nu
    for i in range(n):
        s = 0.0
        if x[2 * n] == 0.0:
            row = 1 + n * w + i * (nu + 1)
            s = p[row + nu]
            for j in range(nu):
                s += p[row + j] * u[j]  # (3)
        else:
            row = 1 + i * w
            for j in range(2 * n):
                s += p[row + j] * x[j]  # (1)
            for j in range(nu):
                s += p[row + 2 * n + j] * u[j]
        y[i] = s
    if y.size > n:
        for i in range(n):
            y[n + i] = x[i]
            if x[2 * n] == 0.0:
                y[2 * n + i] = x[n + i]  # holds v_0 until the first step is done
                y[3 * n + i] = 2.0 * (y[i] - x[i] - dt * x[n + i]) / (dt * dt)
            else:
                y[2 * n + i] = (y[i] - x[n + i]) / (2.0 * dt)  # (2)
                y[3 * n + i] = (y[i] - 2.0 * x[i] + x[n + i]) / (dt * dt)
            y[4 * n + i] = y[2 * n + i] + dt * y[3 * n + i]
    for i in range(n):
        x[n + i] = x[i]
        x[i] = y[i]
    x[2 * n] = 1.0


@register
@described
class CentralDifference(Integrator):
    """The standard of hybrid testing: one force measurement a step, exact work for small steps."""

    cites = ("newmark1959", "carrion2006")

    def block(self, equation: EquationOfMotion, step: float, outputs: int) -> Block:
        """Yield the block of (1) to (3)."""
        e, dt = equation, step
        n, U = e.size, input_matrix(e)
        K = e.K if e.restoring is None else np.zeros_like(e.K)
        left = np.linalg.inv(e.M / dt**2 + e.C / (2 * dt))
        A = left @ np.hstack([2 * e.M / dt**2 - K, e.C / (2 * dt) - e.M / dt**2, U])
        half = dt**2 / 2 * np.linalg.inv(e.M)
        rest = e.displacement + dt * e.velocity - half @ (K @ e.displacement + e.C @ e.velocity)
        start = np.column_stack([half @ U, rest])
        params = np.concatenate([[dt], A.ravel(), start.ravel()])
        states = np.concatenate([e.displacement, e.velocity, [0.0]])
        return Block(advance, params, states, outputs, counters=(2 * n,))
