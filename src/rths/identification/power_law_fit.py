"""Nonlinear viscous damper: a power of the velocity.

    F = c |v|^α sgn(v),   0 <= α <= 2                                                         (1)

The fit starts from the straight line of log F over log v, which gives too much weight to the small
forces, and ends at the least squares of the forces themselves. [londono2011] section 2.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from rths.errors import InputError
from rths.identification.nonlinear_fit import Fit, nonlinear_fit
from rths.identification.signal_pair import Array, signal_pair


def power_law_force(velocity: ArrayLike, coefficient: float, exponent: float) -> Array:
    """Force of equation (1)."""
    v = np.asarray(velocity, dtype=np.float64)
    return np.asarray(coefficient * np.sign(v) * np.abs(v) ** exponent)


def power_law_fit(velocity: ArrayLike, force: ArrayLike, *, confidence: float = 0.95) -> Fit:
    """coefficient (N (s/m)^α) and exponent from measured motion."""
    v, f = signal_pair(velocity, force, 1.0)
    both = v * f > 0.0
    if np.count_nonzero(both) < 3:
        remedy = "Check the signs: force and velocity of a damper point the same way."
        raise InputError("force", int(np.count_nonzero(both)), "samples resist the motion", remedy)
    speed, size = np.abs(v[both]), np.abs(f[both])
    slope, intercept = np.polyfit(np.log(speed), np.log(size), 1)
    scale = float(size.max())

    def residuals(p: Array) -> Array:
        return (power_law_force(v, p[0], p[1]) - f) / scale

    bounds = {"coefficient": (0.0, np.inf), "exponent": (0.0, 2.0)}
    start = [float(np.exp(intercept)), float(np.clip(slope, 0.05, 1.95))]
    fit = nonlinear_fit(residuals, [start, [scale, 0.5]], bounds, confidence)
    return Fit(fit.parameters, fit.covariance, fit.residual * scale)
