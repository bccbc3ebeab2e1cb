"""Kolay and Ricles: as CR, with numerical damping of the high modes set by one number.

    w_k+1 = w_k + dt α_1 a_k                                                                  (1)
    x_k+1 = x_k + dt w_k + dt² α_2 a_k                                                        (2)
    M (I - α_3) a_k+1 + M α_3 a_k + (1 - α_f) q_k+1 + α_f q_k = 0,   q = C w + r(x) - F         (3)
    M a_0 = -q_0                                                                              (4)
    D = M + γ dt C + β dt² K,   α_1 = D^-1 M,   α_2 = (1/2 + γ) α_1                            (5)
    α_3 = D^-1 (α_m M + α_f γ dt C + α_f β dt² K)
    α_m = (2ρ - 1)/(ρ + 1),   α_f = ρ/(ρ + 1),   γ = 1/2 - α_m + α_f,   β = (1/2 + γ)²/4         (6)
    v_k = w_k + γ dt α_1 a_k                                                                  (7)

With many degrees of freedom the same is calculated without inverses, s for M (I - α_3) a:

    s_k = -(1 - α_f) q_k - last_k,   G = (1 - α_m) M + (1 - α_f) (D - M)                       (8)
    α_1 a = G^-1 s,   M a = s/(1 - α_f) + (1 - (1 - α_m)/(1 - α_f)) M G^-1 s                   (9)

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
from rths.integrator._sparse import SparseScheme, sparse_pays
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
        if sparse_pays(equation):
            return self._sparse_block(equation, step, outputs)
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

    def _sparse_block(self, e: EquationOfMotion, dt: float, outputs: int) -> Block:
        """Yield the block of (1) to (9) for many degrees of freedom."""
        rho = self.rho_infinity
        M, C, K = e.M, e.C, self.total_stiffness(e)
        alpha_m, alpha_f = (2 * rho - 1) / (rho + 1), rho / (rho + 1)  # (6)
        gamma = 0.5 - alpha_m + alpha_f
        beta = (0.5 + gamma) ** 2 / 4
        stiff = gamma * dt * C + beta * dt**2 * K
        G = (1 - alpha_m) * M + (1 - alpha_f) * stiff  # (8)
        share = 1 - (1 - alpha_m) / (1 - alpha_f)
        scheme = SparseScheme(e, e.displacement, e.velocity, np.zeros(e.size))
        for first in (True, False):
            scheme.begin()
            x, now, last = scheme.memory
            F = scheme.force(x)
            if first:
                right = scheme.times(M + stiff, now) - gamma * dt * F
                now = scheme.solve(M + beta * dt**2 * K, right)  # (7) with (4)
            Q = F - scheme.times(C, now)
            if first:
                z = scheme.solve(M + stiff, Q)
                carried = alpha_f * Q + (alpha_m - alpha_f) * scheme.times(M, z)
            else:
                s = (1 - alpha_f) * Q - last  # (8)
                z = scheme.solve(G, s)
                carried = alpha_f / (1 - alpha_f) * s + share * scheme.times(M, z)  # (9), less s
            after = now + dt * z  # (1)
            x_next = x + dt * now + dt**2 * (0.5 + gamma) * z  # (2)
            v = now + gamma * dt * z  # (7)
            response = [x_next]
            if outputs > e.size:
                true_a = scheme.solve(M, F - scheme.times(C, v))
                response += [x, v, true_a, v + dt * z]
            scheme.finish((x_next, after, carried - alpha_f * Q), response)
        return scheme.block(outputs, back=1)
