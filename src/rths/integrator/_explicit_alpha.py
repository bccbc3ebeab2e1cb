"""Explicit schemes with the poles of the generalised-α method, KR-α and MKR-α among them.

    w_k+1 = w_k + dt α_1 a_k,   x_k+1 = x_k + dt w_k + dt² (1/2 + γ) α_1 a_k                   (1)
    M (I - α_3) a_k+1 + M α_3 a_k + (1 - α_f) q_k+1 + α_f q_k = 0,   q = C w + r(x) - F         (2)
    M a_0 = -q_0                                                                              (3)
    D = M + γ dt C + β dt² K,   α_1 = D^-1 M,   α_3 = D^-1 (α_m M + α_f (γ dt C + β dt² K))     (4)
    v_k = w_k + γ dt α_1 a_k                                                                  (5)

With many degrees of freedom the same is calculated without inverses, s for M (I - α_3) a:

    s_k = -(1 - α_f) q_k - last_k,   G = (1 - α_m) M + (1 - α_f) (D - M)                       (6)
    α_1 a = G^-1 s,   M a = s/(1 - α_f) + (1 - (1 - α_m)/(1 - α_f)) M G^-1 s                   (7)

α_m, α_f, γ and β are the four numbers of a method; K is the initial stiffness of the whole. The w
that the papers call the velocity is that of γ dt earlier, as (1) shows: the velocity of t_k is (5),
and the start is w_0 with v_0 in (5).

[kolay2014]; [kolay2019].
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rths.equation import EquationOfMotion
from rths.integrator._sparse import SparseScheme, sparse_pays
from rths.integrator.base import Scheme
from rths.loop.block import Block, Vector


class Weights(NamedTuple):
    """The four numbers of a method."""

    alpha_m: float
    alpha_f: float
    gamma: float
    beta: float


def explicit_alpha(
    equation: EquationOfMotion, stiffness: Vector, step: float, outputs: int, weights: Weights
) -> Block:
    """Yield the block of (1) to (5), with K of (4) as ``stiffness``."""
    if sparse_pays(equation):
        return _sparse_alpha(equation, stiffness, step, outputs, weights)
    e, dt, (alpha_m, alpha_f, gamma, beta) = equation, step, weights
    M, C, K = e.M, e.C, stiffness
    stiff = gamma * dt * C + beta * dt**2 * K
    alpha_1 = np.linalg.solve(M + stiff, M)  # (4)
    alpha_3 = np.linalg.solve(M + stiff, alpha_m * M + alpha_f * stiff)

    scheme = Scheme(e, e.displacement, e.velocity, np.zeros(e.size))
    x, w, last = scheme.memory  # last = M α_3 a_k-1 + α_f q_k-1; before the first call w = v_0
    F = scheme.force(x)
    right = (M + stiff) @ w - gamma * dt * F
    w_0 = np.linalg.solve(M + beta * dt**2 * K, right)  # (5) with (3), solved for w_0
    a_0 = np.linalg.solve(M, F - C @ w_0)  # (3)
    a_k = np.linalg.solve(M - M @ alpha_3, (1 - alpha_f) * (F - C @ w) - last)  # (2)
    maps = []
    for now, a in ((w_0, a_0), (w, a_k)):
        change = dt * alpha_1 @ a
        after = now + change  # (1)
        x_next = x + dt * now + dt * (0.5 + gamma) * change
        v = now + gamma * change  # (5)
        memory = (x_next, after, M @ alpha_3 @ a - alpha_f * (F - C @ now))
        true_a = np.linalg.solve(M, F - C @ v)
        maps.append((memory, (x_next, x, v, true_a, v + change)))
    return scheme.block(maps, outputs, back=1)


def _sparse_alpha(
    e: EquationOfMotion, K: Vector, dt: float, outputs: int, weights: Weights
) -> Block:
    """Yield the block of (1) to (7) for many degrees of freedom."""
    M, C, (alpha_m, alpha_f, gamma, beta) = e.M, e.C, weights
    stiff = gamma * dt * C + beta * dt**2 * K
    G = (1 - alpha_m) * M + (1 - alpha_f) * stiff  # (6)
    share = 1 - (1 - alpha_m) / (1 - alpha_f)
    scheme = SparseScheme(e, e.displacement, e.velocity, np.zeros(e.size))
    for first in (True, False):
        scheme.begin()
        x, now, last = scheme.memory
        F = scheme.force(x)
        if first:
            right = scheme.times(M + stiff, now) - gamma * dt * F
            now = scheme.solve(M + beta * dt**2 * K, right)  # (5) with (3)
        Q = F - scheme.times(C, now)
        if first:
            z = scheme.solve(M + stiff, Q)
            carried = alpha_f * Q + (alpha_m - alpha_f) * scheme.times(M, z)
        else:
            s = (1 - alpha_f) * Q - last  # (6)
            z = scheme.solve(G, s)
            carried = alpha_f / (1 - alpha_f) * s + share * scheme.times(M, z)  # (7), less s
        after = now + dt * z  # (1)
        x_next = x + dt * now + dt**2 * (0.5 + gamma) * z
        v = now + gamma * dt * z  # (5)
        response = [x_next]
        if outputs > e.size:
            true_a = scheme.solve(M, F - scheme.times(C, v))
            response += [x, v, true_a, v + dt * z]
        scheme.finish((x_next, after, carried - alpha_f * Q), response)
    return scheme.block(outputs, back=1)
