"""Points and weights along an element, over 0...1.

    ∫ g dξ ≈ Σ w_i g(ξ_i)                                                                      (1)

Gauss and Legendre's n points are exact for polynomials up to degree 2n - 1; Lobatto's have both
ends among them, where moments are largest, and are exact up to 2n - 3.
"""

from __future__ import annotations

import numpy as np
from numpy.polynomial import Legendre, legendre

from rths.loop.block import Vector


def points_of(rule: str, count: int) -> tuple[Vector, Vector]:
    """Give points and weights of (1)."""
    if rule == "legendre":
        x, w = legendre.leggauss(count)
    else:
        P = Legendre.basis(count - 1)
        x = np.concatenate([[-1.0], np.sort(P.deriv().roots().real), [1.0]])
        x = (x - x[::-1]) / 2  # symmetric to the last bit
        w = 2.0 / (count * (count - 1) * P(x) ** 2)
    return (1.0 + x) / 2.0, w / 2.0
