"""Model-based prediction with a stiffness that learns from the last increment of the force.

    K_i = K_i-1 + (Δr - K_i-1 Δx) Δx'/(Δx'Δx),   Δx = x_i - x_i-1,   Δr = R_i - R_i-1            (1)
    (M/dt² + C/2dt) x_k+1 = B e_k - R_k + 2M/dt² x_k - (M/dt² - C/2dt) x_k-1,   k = i+1, ...     (2)
    R_k+1 = R_k + K_i (x_k+1 - x_k),   R_i = r(x_i) + L' f_i measured                            (3)

(1) is the least change of K for which K Δx = Δr; a step no longer than ``least_increment`` teaches
nothing and is passed over. The rest is ``model_based``.

Use it for a specimen that yields or stiffens much; its increments must be well above the noise.

[carrion2006] eqs (2) to (4); [broyden1965] Math. Comput. 19, 577-593.
"""

from __future__ import annotations

import numpy as np

from rths.compensator.base import describe, register
from rths.compensator.model_based import ModelBased, central_differences, horizon, parabola
from rths.loop.block import Block, Vector, kernel
from rths.loop.site import Site
from rths.quantity import NonNegativeMetres

OWN_PARAMS = 9


def dot(a: Vector, i: int, b: Vector, j: int, n: int) -> float:
    """Multiply n numbers of a from i with those of b from j."""
    s = 0.0
    for k in range(n):
        s += a[i + k] * b[j + k]
    return s


@kernel
def learn(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # x = K by rows;   u = Δx, Δr;   p[5] = least Δx'Δx
    n = u.size // 2
    square = dot(u, 0, u, 0, n)
    if square > p[5]:
        for i in range(n):
            s = (u[n + i] - dot(x, i * n, u, 0, n)) / square
            for j in range(n):
                x[i * n + j] += s * u[j]  # (1)


@kernel
def predict(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # x = K, x_i, ..., and from 5n on: x_k, x_k-1, x_k-2, R_k, x_k+1;   u = e_i+1, ...
    n, ne, steps = int(p[0]), int(p[3]), int(p[4])
    on_x, load, R = OWN_PARAMS, OWN_PARAMS + 4 * n * n + n * int(p[2]), n * n + 8 * n
    now, old, new = n * n + 5 * n, n * n + 6 * n, n * n + 9 * n
    for k in range(steps):
        for j in range(n):  # until x_k+1 is known its place holds x_k - x_k-1
            x[new + j] = x[now + j] - x[old + j]
        for i in range(n):
            x[R + i] += dot(x, i * n, x, new, n)  # (3)
        for j in range(n):  # and that of x_k-2, no longer needed, the force
            x[old + n + j] = dot(p, load + j * ne, u, k * ne, ne) - x[R + j]
        for i in range(n):
            x[new + i] = (
                dot(p, on_x + i * n, x, now, n)
                + dot(p, on_x + n * n + i * n, x, old, n)
                + dot(p, on_x + 2 * n * n + i * n, x, old + n, n)
            )  # (2)
        for j in range(n):
            x[old + n + j] = x[old + j]
            x[old + j] = x[now + j]
            x[now + j] = x[new + j]


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # u = response (x_i+1 first), r_i if nonlinear, f_i, e_i+1, ...
    # x = K by rows, x_i, x_i-1, R_i-1, Δx, Δr, x_k, x_k-1, x_k-2, R_k, x_k+1, whether at t = 0
    # p = n, nr, m, ne, steps, least Δx'Δx, weights of x_k-2, x_k-1, x_k;   by rows the matrices of
    #     (2) on x_k, x_k-1 and the force, K of the structure, L', B, L;   L x at t = 0
    n, nr, m = int(p[0]), int(p[1]), int(p[2])
    rows, xi = OWN_PARAMS + 3 * n * n, n * n
    f = u.size - m - int(p[3]) * int(p[4])
    if x[-1] != 0.0:  # no force has been measured yet: stay where the actuator is
        for c in range(m):
            y[c] = p[p.size - m + c]
        x[-1] = 0.0
        return
    for i in range(n):
        R = dot(p, rows + n * n + i * m, u, f, m)
        R += u[f - n + i] if nr > 0 else dot(p, rows + i * n, x, xi, n)
        x[xi + 8 * n + i] = R
        x[xi + 3 * n + i] = x[xi + i] - x[xi + n + i]
        x[xi + 4 * n + i] = R - x[xi + 2 * n + i]
    for i in range(n):
        x[xi + n + i] = x[xi + i]
        x[xi + 2 * n + i] = x[xi + 8 * n + i]
        x[xi + 5 * n + i] = u[i]
        x[xi + 6 * n + i] = x[xi + i]
        x[xi + 7 * n + i] = x[xi + i]
        x[xi + i] = u[i]
    learn(x, p, x[xi + 3 * n : xi + 5 * n], y)
    predict(x, p, u[f + m :], y)
    L = p.size - m - m * n
    for c in range(m):
        y[c] = (
            p[6] * dot(p, L + c * n, x, xi + 7 * n, n)
            + p[7] * dot(p, L + c * n, x, xi + 6 * n, n)
            + p[8] * dot(p, L + c * n, x, xi + 5 * n, n)
        )


@register
@describe
class ModelBroyden(ModelBased):
    """Predictor with the tangent stiffness of the whole test, as the test itself shows it."""

    cites = ("carrion2006", "broyden1965")
    example = {"delay": 0.006, "interface_stiffness": 2250.0}
    adapts = True

    least_increment: NonNegativeMetres = 0.0
    """Length of the displacement increment from which on it teaches the stiffness, m."""

    def block(self, site: Site) -> Block:
        """Yield the block of (1) to (3), with a structure that has stood still before."""
        e = site.equation
        assert e is not None
        n, (m, ne) = e.size, (e.L.shape[0], e.B.shape[1])
        steps, place = horizon(self.delay, site.interval)
        nr = 0 if e.restoring is None else n
        matrices = [*central_differences(e, site.interval), e.K, e.L.T, e.B, e.L]
        head = [n, nr, m, ne, steps, self.least_increment**2, *parabola(place)]
        params = np.concatenate([head, *(a.ravel() for a in matrices), e.L @ e.displacement])
        at_zero = float(site.stage <= 1.5 * site.tick)  # then the first call comes at t = 0
        before = [e.displacement, e.displacement, np.zeros(8 * n), [at_zero]]
        states = np.concatenate([self.total_stiffness(e).ravel(), *before])
        return Block(step, params, states, outputs=m, counters=(states.size - 1,))
