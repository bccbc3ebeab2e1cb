"""Exact response of a stable second order to a signal that is a straight line between samples.

    1/(1 + a_1 s + a_2 s²) = Σ_j r_j/(s - p_j),   p = (-a_1 ± D)/(2 a_2),   r = ±1/D          (1)
    D = sqrt(a_1² - 4 a_2)

Each part w' = p w + u moves over a step h by

    w_(k+1) = e^z w_k + h (φ_1 - φ_2) u_k + h φ_2 u_(k+1),   z = p h                          (2)
    φ_1 = (e^z - 1)/z,   φ_2 = (e^z - 1 - z)/z²

and the response is Σ r_j w_j. Equal poles are drawn apart by 1e-4 of themselves, which changes the
response by 1e-8.
"""

from __future__ import annotations

from math import factorial

import numpy as np

from rths.identification.signal_pair import Array


def ramp_response(signal: Array, step: float, a1: float, a2: float) -> Array:
    """Response from rest; with a2 = 0 that of a first order."""
    from scipy.signal import lfilter

    if a2 > 0.0:
        spread = np.sqrt(complex(a1**2 - 4.0 * a2))
        if abs(spread) < 1e-4 * a1:
            spread = complex(1e-4 * a1)
        parts = [((-a1 + d) / (2.0 * a2), 1.0 / d) for d in (spread, -spread)]  # (1)
    else:
        parts = [(complex(-1.0 / a1), complex(1.0 / a1))]
    response = np.zeros_like(signal)
    for pole, residue in parts:
        z = pole * step
        phi1, phi2 = _phi(z)
        moving = step * residue * np.array([phi2, phi1 - phi2])  # (2)
        response += lfilter(moving, [1.0, -np.exp(z)], signal).real
    return response


def _phi(z: complex) -> tuple[complex, complex]:
    if abs(z) < 0.5:  # the differences below would cancel
        terms = range(15)
        return sum(z**k / factorial(k + 1) for k in terms), sum(
            z**k / factorial(k + 2) for k in terms
        )
    return (np.exp(z) - 1.0) / z, (np.exp(z) - 1.0 - z) / z**2
