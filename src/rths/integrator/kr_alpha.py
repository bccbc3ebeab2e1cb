"""Kolay and Ricles: as CR, with numerical damping of the high modes set by one number.

    v_k+1 = v_k + dt α_1 a_k                                                                  (1)
    x_k+1 = x_k + dt v_k + dt² α_2 a_k                                                        (2)
    M (I - α_3) a_k+1 + M α_3 a_k + (1 - α_f) q_k+1 + α_f q_k = 0,   q = C v + r(x) - F         (3)
    M a_0 = -q_0                                                                              (4)
    D = M + γ dt C + β dt² K,   α_1 = D^-1 M,   α_2 = (1/2 + γ) α_1                            (5)
    α_3 = D^-1 (α_m M + α_f γ dt C + α_f β dt² K)
    α_m = (2ρ - 1)/(ρ + 1),   α_f = ρ/(ρ + 1),   γ = 1/2 - α_m + α_f,   β = (1/2 + γ)²/4         (6)

F = B e - L' f; K is the initial stiffness of the whole. ρ is the spectral radius at infinite
frequency: 1 gives CR, 0 removes the highest modes in one step. The poles are those of the
generalised-α method with the same ρ; displacements are of second order for each ρ.

Use it where noise or spurious high modes of a stiff structure disturb a test.

[kolay2014] Earthq. Eng. Struct. Dyn. 43(9), 1361-1380.
"""

from __future__ import annotations

import numpy as np

from rths.equation import EquationOfMotion
from rths.integrator.base import ModelBased, Scheme, described, register
from rths.loop.block import Block
from rths.quantity import Ratio


@register
@described
class KrAlpha(ModelBased):
    """Unconditionally stable, explicit, with numerical damping where it is wanted."""

    cites = ("kolay2014",)

    rho_infinity: Ratio = 0.75
    """Spectral radius ρ at infinite frequency: 1 for no numerical damping, 0 for the most."""

    def block(self, equation: EquationOfMotion, step: float, outputs: int) -> Block:
        """Yield the block of (1) to (6)."""
        e, dt, rho = equation, step, self.rho_infinity
        M, C, K = e.M, e.C, self.total_stiffness(e)
        alpha_m, alpha_f = (2 * rho - 1) / (rho + 1), rho / (rho + 1)  # (6)
        gamma = 0.5 - alpha_m + alpha_f
        beta = (0.5 + gamma) ** 2 / 4
        stiff = gamma * dt * C + beta * dt**2 * K
        alpha_1 = np.linalg.solve(M + stiff, M)  # (5)
        alpha_2 = (0.5 + gamma) * alpha_1
        alpha_3 = np.linalg.solve(M + stiff, alpha_m * M + alpha_f * stiff)

        scheme = Scheme(e, e.displacement, e.velocity, np.zeros(e.size))
        x, v, w = scheme.memory  # w = M α_3 a_k-1 + α_f q_k-1
        q = C @ v - scheme.force(x)
        left = M @ (np.eye(e.size) - alpha_3)
        maps = []
        for a in (
            np.linalg.solve(M, -q),
            np.linalg.solve(left, -w - (1 - alpha_f) * q),
        ):  # (4), (3)
            v_next = v + dt * alpha_1 @ a  # (1)
            x_next = x + dt * v + dt**2 * alpha_2 @ a  # (2)
            w_next = M @ alpha_3 @ a + alpha_f * q
            maps.append(((x_next, v_next, w_next), (x_next, x, v, a, v_next)))
        return scheme.block(maps, outputs, back=1)
