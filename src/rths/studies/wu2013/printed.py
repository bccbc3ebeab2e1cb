"""Matrices and polynomials as Appendix A prints them, k_e = k_n; highest power first.

[wu2013] (A.7), (A.8), (A.9), (A.11), (A.13).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rths.theory.step.predicted_integrator import GAMMA

Reals = NDArray[np.float64]


def a7(omega: float) -> Reals:
    """Amplification of explicit Newmark with linear-acceleration prediction."""
    o2 = omega**2
    return np.array([
        [1, 1, 1 / 2, 0, 0],
        [-o2 / 4, 1 - o2 / 4, 1 / 2 - o2 / 8, 0, -o2 / 4],
        [-o2 / 2, -o2 / 2, -o2 / 4, 0, -o2 / 2],
        [0, 0, 1, 0, 0],
        [1, 2, 10 / 3, -4 / 3, 0],
    ])  # fmt: skip


def a8(omega: float) -> Reals:
    """Characteristic polynomial of (A.7), times 6."""
    o2 = omega**2
    return np.array([6, -12 + 3 * o2, 13 * o2 + 6, -21 * o2, 15 * o2, -4 * o2])


def a9(omega: float) -> Reals:
    """(A.8) mapped to the half plane."""
    o2 = omega**2
    return np.array([12 + 25 * o2, 36 - 41 * o2, 36 - 2 * o2, 12 + 6 * o2, 9 * o2, 3 * o2])


def a11(omega: float) -> float:
    """Element d_1 of the Routh array of (A.9)."""
    o2 = omega**2
    above = 64 * (262 * o2**2 - 183 * o2 + 18) * o2**2
    return above / (1551 * o2**3 - 1288 * o2**2 + 2208 * o2 - 1152)


def a13(omega: float) -> Reals:
    """Characteristic polynomial of LSRT2 with third-order Hermite prediction."""
    g, o2, o4 = GAMMA, omega**2, omega**4
    return np.array([
        4 * g**4 * o4 + 8 * g**2 * o2 + 4,
        -8 * g**4 * o4 + 12 * g**3 * o4 - 5 / 2 * o4 * g**2 + 2 * o2 - 16 * g**2 * o2 - 8,
        219 / 2 * o4 * g**2 - 36 * g**3 * o4 + 4 * g**4 * o4 - 30 * o4 * g + 8 * g**2 * o2
        + o4 / 4 + 84 * o2 * g - 18 * o2 + 4,
        -54 * o4 + 52 * g**3 * o4 + 42 * o2 + 324 * o4 * g - 168 * o2 * g - 987 / 2 * o4 * g**2,
        -28 * g**3 * o4 + 1589 / 2 * o4 * g**2 - 22 * o2 + 84 * o2 * g + 201 / 4 * o4
        - 392 * o4 * g,
        202 * o4 * g - 392 * o4 * g**2 - 53 / 2 * o4,
    ])  # fmt: skip
