"""Central differences with a dead time of whole steps and any polynomial extrapolation.

    (1+ζΩ) x_(i+1) = 2 x_i - (1-ζΩ) x_(i-1) - Ω² ((1-r) x_i + r m_i),   Ω = ω_0 dt             (1)
    m_i = c_(i-d),   c_i = Σ_j w_j x_(i-js)                                                    (2)

d is the dead time and s the spacing of the extrapolation points, both in steps; w predicts d
steps ahead. The command c_i is reached at t_i, so a dead time of whole steps returns commands
exactly, with a ramp or without.

[carrion2006], eqs (1), (2), with their kp/(kp+kn) = r.
"""

from math import pi

import numpy as np

from rths.errors import InputError
from rths.theory.delay.equation import Reals
from rths.theory.step.amplification import spectral_radius
from rths.theory.step.extrapolation import polynomial_weights


def delayed_central_difference(
    omega: float, damping_ratio: float, share: float, dead: int, order: int = 0, spacing: int = 1
) -> Reals:
    """Companion matrix of (1), (2); state x_i, x_(i-1), …. Order 0 means no compensation."""
    if dead < 0 or spacing < 1:
        raise InputError(
            "dead", dead, "and spacing must be whole steps", "Give dead ≥ 0, spacing ≥ 1"
        )
    z = damping_ratio * omega
    row = np.zeros(max(2, dead + order * spacing + 1))
    row[:2] = 2 - omega**2 * (1 - share), -(1 - z)
    for j, weight in enumerate(polynomial_weights(order, dead / spacing)):
        row[dead + j * spacing] -= omega**2 * share * weight
    return np.vstack([row / (1 + z), np.eye(row.size)[:-1]])


def first_unstable_frequency(
    dt: float,
    damping_ratio: float,
    share: float,
    dead: int,
    order: int = 0,
    spacing: int = 1,
    step: float = 0.02,
) -> float:
    """Natural frequency f_0 in Hz where (1) loses stability: scanned in `step` Hz, then bisected.

    The integrator's own limit 1/(π dt) is returned if nothing comes first.
    """

    def is_stable(f0: float) -> bool:
        matrix = delayed_central_difference(
            2 * pi * f0 * dt, damping_ratio, share, dead, order, spacing
        )
        return spectral_radius(matrix) <= 1 + 1e-12

    low, high = 0.0, step
    while is_stable(high) and high < 1 / (pi * dt):
        low, high = high, high + step
    while high - low > 1e-10 * high:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if is_stable(middle) else (low, middle)
    return low
