"""Linear systems between ticks, for inputs that run straight from tick to tick.

    s' = A s + B c,   c linear on [t_k, t_k+1]:   s_k+1 = F s_k + G_0 c_k + G_1 c_k+1            (1)

F, G_0 and G_1 come from one matrix exponential and are exact for such inputs.

[vanloan1978] IEEE Trans. Autom. Control 23(3), 395-404.
"""

from __future__ import annotations

import numpy as np

from rths.loop.block import Vector


def first_order_hold(A: Vector, B: Vector, h: float) -> tuple[Vector, Vector, Vector]:
    """Give F, G_0, G_1 of (1)."""
    from scipy.linalg import expm

    n, m = B.shape
    block = np.zeros((n + 2 * m, n + 2 * m))
    block[:n, :n] = A * h
    block[:n, n : n + m] = B * h
    block[n : n + m, n + m :] = np.eye(m)
    E = expm(block)
    G_1 = E[:n, n + m :]
    return E[:n, :n], E[:n, n : n + m] - G_1, G_1
