"""Kolay and Ricles: as CR, with numerical damping of the high modes set by one number.

    w_k+1 = w_k + dt α_1 a_k                                                                  (1)
    x_k+1 = x_k + dt w_k + dt² α_2 a_k                                                        (2)
    M (I - α_3) a_k+1 + M α_3 a_k + (1 - α_f) q_k+1 + α_f q_k = 0,   q = C w + r(x) - F         (3)
    M a_0 = -q_0                                                                              (4)
    D = M + γ dt C + β dt² K,   α_1 = D^-1 M,   α_2 = (1/2 + γ) α_1                            (5)
    α_3 = D^-1 (α_m M + α_f γ dt C + α_f β dt² K)
    α_m = (2ρ - 1)/(ρ + 1),   α_f = ρ/(ρ + 1),   γ = 1/2 - α_m + α_f,   β = (1/2 + γ)²/4         (6)
    v_k = w_k + γ dt α_1 a_k                                                                  (7)

F = B e - L' f; K is the initial stiffness of the whole. ρ is the spectral radius at infinite
frequency: 1 gives CR, 0 removes the highest modes in one step. The poles are those of the
generalised-α method with the same ρ. The w that the paper calls the velocity is that of γ dt
earlier, as (2) shows: the velocity of t_k is (7), and the start is w_0 with v_0 in (7); with
w_0 = v_0 displacements would be of first order only unless the test begins at rest.

Use it where noise or spurious high modes of a stiff structure disturb a test.

[kolay2014] Earthq. Eng. Struct. Dyn. 43(9), 1361-1380.
"""

from __future__ import annotations

import numpy as np

from rths.equation import EquationOfMotion
from rths.integrator.base import ModelBased, Scheme, describe, register
from rths.loop.block import Block
from rths.quantity import Ratio


@register
@describe
class KrAlpha(ModelBased):
    """Unconditionally stable, explicit, with numerical damping where it is wanted."""

    cites = ("kolay2014",)
    example = {"interface_stiffness": 2250.0}

    rho_infinity: Ratio = 0.75
    """Spectral radius ρ at infinite frequency: 1 for no numerical damping, 0 for the most."""

    def block(self, equation: EquationOfMotion, step: float, outputs: int) -> Block:
        """Yield the block of (1) to (7)."""
        e, dt, rho = equation, step, self.rho_infinity
        M, C, K = e.M, e.C, self.total_stiffness(e)
        alpha_m, alpha_f = (2 * rho - 1) / (rho + 1), rho / (rho + 1)  # (6)
        gamma = 0.5 - alpha_m + alpha_f
        beta = (0.5 + gamma) ** 2 / 4
        stiff = gamma * dt * C + beta * dt**2 * K
        alpha_1 = np.linalg.solve(M + stiff, M)  # (5)
        alpha_3 = np.linalg.solve(M + stiff, alpha_m * M + alpha_f * stiff)

        scheme = Scheme(e, e.displacement, e.velocity, np.zeros(e.size))
        x, w, last = scheme.memory  # last = M α_3 a_k-1 + α_f q_k-1; before the first call w = v_0
        F = scheme.force(x)
        right = (M + stiff) @ w - gamma * dt * F
        w_0 = np.linalg.solve(M + beta * dt**2 * K, right)  # (7) with (4), solved for w_0
        a_0 = np.linalg.solve(M, F - C @ w_0)  # (4)
        a_k = np.linalg.solve(M - M @ alpha_3, (1 - alpha_f) * (F - C @ w) - last)  # (3)
        maps = []
        for now, a in ((w_0, a_0), (w, a_k)):
            change = dt * alpha_1 @ a
            after = now + change  # (1)
            x_next = x + dt * now + dt * (0.5 + gamma) * change  # (2)
            v = now + gamma * change  # (7)
            memory = (x_next, after, M @ alpha_3 @ a - alpha_f * (F - C @ now))
            true_a = np.linalg.solve(M, F - C @ v)
            maps.append((memory, (x_next, x, v, true_a, v + change)))
        return scheme.block(maps, outputs, back=1)
