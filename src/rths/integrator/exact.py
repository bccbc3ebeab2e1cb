"""The exact solution of a linear structure whose load runs straight between steps.

    s = (x, v),   s' = A s + B p,   p = B e - L' (f - K_e d) - (r(x) - K x)                     (1)
    s_k+1 = F s_k + G_0 p_k + G_1 p_k+1                                                        (2)
    x̃_k+1 = first half of F s_k + (G_0 + G_1) p_k                                              (3)

A holds M, C and the stiffness of the whole, K + L' K_e L, with K_e = ``interface_stiffness``; p is
what is left on the right side. The target (3) takes the load as it stands at t_k; (2) corrects it
when force and excitation of t_k+1 have come. With a linear structure, a linear specimen of
stiffness K_e and a load that is straight between steps the response is exact for every step, and
in free vibration the target too. Anything else enters through p: second order, small steps only.

Use it as a reference against which other integrators are measured.

[vanloan1978] IEEE Trans. Autom. Control 23(3), 395-404.
"""

from __future__ import annotations

import numpy as np

from rths.discretisation import first_order_hold
from rths.equation import EquationOfMotion
from rths.integrator.base import ModelBased, Scheme, describe, register
from rths.loop.block import Block


@register
@describe
class Exact(ModelBased):
    """Matrix exponential; no error but that of interpolating the load."""

    cites = ("vanloan1978",)
    example = {"interface_stiffness": 2250.0}

    def block(self, equation: EquationOfMotion, step: float, outputs: int) -> Block:
        """Yield the block of (1) to (3)."""
        e, n, K = equation, equation.size, self.total_stiffness(equation)
        A = np.vstack([np.eye(n, 2 * n, n), np.linalg.solve(e.M, np.hstack([-K, -e.C]))])
        B = np.vstack([np.zeros((n, n)), np.linalg.inv(e.M)])
        F, G_0, G_1 = first_order_hold(A, B, step)

        scheme = Scheme(e, e.displacement, e.displacement, e.velocity)
        x_p, *known = scheme.memory  # x̃_k, and F s_k-1 + G_0 p_k-1; at the start x_0, x_0, v_0
        p = scheme.force(x_p) + K @ x_p  # (1)
        w = np.vstack(known)
        maps = []
        for s in (w, w + G_1 @ p):  # (2)
            x, v = s[:n], s[n:]
            after = F @ s + G_0 @ p
            ahead = after + G_1 @ p  # (3)
            a = np.linalg.solve(e.M, p - K @ x - e.C @ v)
            memory = (ahead[:n], after[:n], after[n:])
            maps.append((memory, (ahead[:n], x, v, a, ahead[n:])))
        return scheme.block(maps, outputs, back=1)
