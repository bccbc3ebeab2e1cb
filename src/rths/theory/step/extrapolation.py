"""Weights that predict a sampled signal: exact polynomial extrapolation and least-squares fit.

    x(t + ρ) ≈ Σ_j w_j x(t - jΔ),   j = 0…n-1,   ξ = ρ/Δ                                       (1)
    w = [1, ξ, …, ξᴺ] V⁺,   V_jk = (-j)ᵏ     least squares, order N from n > N points          (2)
    w_i = Π_(r≠i) (ξ + r)/(r - i)            n = N + 1: the polynomial through the points      (3)

Both reproduce polynomials up to order N: Σ w_j (-j)ᵏ = ξᵏ for k ≤ N.

[wallace2005], eq. (13). [horiuchi1999] Earthq. Eng. Struct. Dyn. 28(10), 1121-1141: ξ = 1, w = 4,
-6, 4, -1.
"""

from math import prod

import numpy as np

from rths.errors import InputError
from rths.theory.delay.equation import Reals


def polynomial_weights(order: int, ahead: float) -> Reals:
    """Equation (3), newest sample first; `ahead` = ρ/Δ."""
    if order < 0:
        raise InputError("order", order, "must not be negative", "Use 0 for no prediction")
    nodes = range(order + 1)
    return np.array([prod((ahead + r) / (r - i) for r in nodes if r != i) for i in nodes])


def least_squares_weights(order: int, points: int, ahead: float) -> Reals:
    """Equation (2), newest sample first; `ahead` = ρ/Δ."""
    if not 0 <= order < points:
        problem = f"needs more than {order} points, and has {points}"
        raise InputError("order", order, problem, "Take points > order ≥ 0")
    scale = max(points - 1, 1)  # the fit is the same in -j/scale, and far better conditioned
    vandermonde = np.vander(-np.arange(points) / scale, order + 1, increasing=True)
    powers = (ahead / scale) ** np.arange(order + 1)
    return np.asarray(powers @ np.linalg.pinv(vandermonde))
