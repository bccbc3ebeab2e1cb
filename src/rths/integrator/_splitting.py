"""Operator splitting, of which constant average acceleration is a case.

    x̃_k+1 = x_k + dt v_k + (1/2 - β) dt² a_k,   ṽ_k+1 = v_k + (1 - γ) dt a_k                     (1)
    r_k+1 = r(x̃_k+1) + K (x_k+1 - x̃_k+1)                                                      (2)
    M a_k+1 = -(1 + α) q_k+1 + α q_k,   q = C v + r - F,   M a_0 = -q_0                         (3)
    x_k+1 = x̃_k+1 + β dt² a_k+1,   v_k+1 = ṽ_k+1 + γ dt a_k+1                                  (4)
    β = (1 - α)²/4,   γ = 1/2 - α                                                             (5)

With α = 0 and the true K it is the trapezoidal rule.

[combescure1997]; [nakashima1990].
"""

from __future__ import annotations

import numpy as np

from rths.equation import EquationOfMotion
from rths.integrator.base import Scheme
from rths.loop.block import Block, Vector


def split(
    equation: EquationOfMotion, stiffness: Vector, step: float, outputs: int, alpha: float
) -> Block:
    """Yield the block of (1) to (5), with K of (2) as ``stiffness``."""
    e, dt = equation, step
    beta, gamma = (1 - alpha) ** 2 / 4, 0.5 - alpha  # (5)
    implicit = gamma * dt * e.C + beta * dt**2 * stiffness

    scheme = Scheme(e, e.displacement, e.velocity, np.zeros(e.size))
    x_p, v_p, q_last = scheme.memory  # x̃, ṽ; at the start they are x_0, v_0
    q_p = e.C @ v_p - scheme.force(x_p)  # q before the correction by a
    a_0 = np.linalg.solve(e.M, -q_p)
    right = -(1 + alpha) * q_p + alpha * q_last
    a_k = np.linalg.solve(e.M + (1 + alpha) * implicit, right)  # (3) with (2)
    x_k, v_k = x_p + beta * dt**2 * a_k, v_p + gamma * dt * a_k  # (4)
    maps = []
    for x, v, a, q in ((x_p, v_p, a_0, q_p), (x_k, v_k, a_k, q_p + implicit @ a_k)):
        x_next = x + dt * v + (0.5 - beta) * dt**2 * a  # (1)
        v_next = v + (1 - gamma) * dt * a
        response = (x_next, x, v, np.linalg.solve(e.M, -q), v + dt * a)  # a_k is that of t_k+α
        maps.append(((x_next, v_next, q), response))
    return scheme.block(maps, outputs, back=1)
