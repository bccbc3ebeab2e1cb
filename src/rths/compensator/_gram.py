"""Gram polynomials: orthonormal on n samples, so that a fit by least squares grows by terms.

    phi_0 = 1/sqrt(n),   b_(i+1) phi_(i+1)(s) = (s + (n-1)/2) phi_i(s) - b_i phi_(i-1)(s)        (1)
    b_i = i/2 sqrt((n² - i²)/(4 i² - 1))

The samples lie at s = 0, -1, ..., -(n-1). Raising the order leaves the lower terms as they are.

[gram1883].
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from rths.errors import InputError
from rths.loop.block import Vector


def recurrence(order: int, points: int) -> list[float]:
    """Coefficients b_1...b_N of (1)."""
    n = points
    return [i / 2 * sqrt((n * n - i * i) / (4 * i * i - 1)) for i in range(1, order + 1)]


def gram(order: int, points: int, s: float) -> Vector:
    """Values phi_0(s)...phi_N(s) of (1)."""
    b = [0.0, *recurrence(order, points)]
    phi = [0.0, 1 / sqrt(points)]
    for i in range(order):
        phi.append(((s + (points - 1) / 2) * phi[-1] - b[i] * phi[-2]) / b[i + 1])  # (1)
    return np.array(phi[1:])


def check_points(order: int, points: int) -> None:
    """Refuse a fit with more coefficients than samples."""
    if points <= order:
        raise InputError(
            "compensator.points",
            points,
            f"are too few for a polynomial of order {order}",
            f"Give at least {order + 1}.",
        )
