"""Growth rate and frequency of the dominant oscillation in a simulated free response.

A signal with one dominant pair σ ± iω obeys, for any lag s,

    x(t+2s) = 2 e^(σs) cos(ωs) x(t+s) - e^(2σs) x(t)                                           (1)

The two coefficients are fitted by least squares with s near a quarter period, where they are best
determined. The transients of other roots must have died out before the part that is given.

[kay1988] Modern Spectral Estimation, section 11.4 (Prony).
"""

from math import acos, log, pi

import numpy as np
from numpy.typing import ArrayLike

from rths.errors import InputError


def growth_rate(signal: ArrayLike, step: float) -> complex:
    """σ + iω of (1) from samples `step` apart."""
    x = np.asarray(signal, float)
    crossings = np.flatnonzero(np.diff(np.signbit(x)))
    if crossings.size < 4:
        problem = f"crosses zero {crossings.size} times"
        raise InputError("signal", x, problem, "Give at least two periods of a free oscillation")
    half = (crossings[-1] - crossings[0]) / (crossings.size - 1)
    lag = max(1, round(half / 2))
    then, now, later = x[: -2 * lag], x[lag:-lag], x[2 * lag :]
    (a, b), *_ = np.linalg.lstsq(np.column_stack([now, then]), later, rcond=None)
    if not b < 0:
        raise InputError("signal", x, "is no oscillation", "Give the settled part of the response")
    grown = (-b) ** 0.5
    angle = acos(min(1.0, max(-1.0, a / (2 * grown))))
    return complex(log(grown) / (lag * step), (angle if angle <= pi else pi) / (lag * step))
