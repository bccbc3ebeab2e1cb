"""A beam-column that stays elastic.

    q = k v,   k^-1 = ∫ b' f b dx,   b = [1 0 0; 0 x/L - 1 x/L]                                  (1)

f is the flexibility of the section; for a plain one k has EA/L, 4EI/L and 2EI/L.
"""

from __future__ import annotations

from rths.frame.element.record import E, X
from rths.loop.block import Vector


def bend_elastic_beam(of: Vector, x: Vector, v_1: float, v_2: float, v_3: float) -> None:
    """Find the basic forces (1)."""
    k = of[E.rest : E.rest + 6]  # k_11, k_12, k_13, k_22, k_23, k_33
    x[X.axial] = k[0] * v_1 + k[1] * v_2 + k[2] * v_3
    x[X.first] = k[1] * v_1 + k[3] * v_2 + k[4] * v_3
    x[X.second] = k[2] * v_1 + k[4] * v_2 + k[5] * v_3
