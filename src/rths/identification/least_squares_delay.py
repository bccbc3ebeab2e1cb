"""The shift between target and measured signal that leaves the smallest squares.

    min over τ of  C(τ) = (1/n) Σ (x_c(t_i - τ) - x_m(t_i))²                                  (1)
    dC/dτ = 0:     Σ (x_c(t_i - τ) - x_m(t_i)) x_c'(t_i - τ) = 0                              (2)

Between samples x_c is a cubic spline: the target is computed and smooth, the measured signal is
noisy, and noise that is interpolated would draw the estimate to half samples. The sum runs over
the points whose shifted partner exists for every τ looked at. The smallest C on whole samples is
refined by (2). The interval comes from the linearised fit: var τ = C n/(n - 1) / Σ x_c'².

A lag that is not a pure delay gives the delay of its phase where the signal has its power: for a
first order T and one frequency atan(ωT)/ω.

[wu2013] equation (11), there with the shift on the other signal, printed x_m(t_i - τ): with a
lagging specimen it must be x_m(t_i + τ).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from rths.errors import InputError
from rths.identification.estimate import Estimate, interval
from rths.identification.signal_pair import Array, lag_range, signal_pair


def delay_by_least_squares(
    target: ArrayLike,
    measured: ArrayLike,
    step: float,
    *,
    longest: float = 0.1,
    confidence: float = 0.95,
) -> Estimate:
    """Delay in seconds with its confidence interval; positive if the measured signal lags."""
    from scipy.interpolate import CubicSpline
    from scipy.optimize import brentq

    x, y = signal_pair(target, measured, step)
    reach = lag_range(longest, step, x.size)
    inner = slice(reach, x.size - reach)
    lags = range(-reach, reach + 1)
    costs = [_cost(x[inner.start - k : inner.stop - k], y[inner]) for k in lags]
    best = int(np.argmin(costs))
    if best in (0, 2 * reach):
        remedy = "Raise it, or check that both signals belong to one test and move."
        raise InputError("longest", longest, "is shorter than the delay seems to be", remedy)
    places = np.arange(x.size, dtype=np.float64)  # in steps: well scaled at any rate
    curve = CubicSpline(places, x)
    slope = curve.derivative()

    def balance(shift: float) -> float:  # (2)
        at = places[inner] - shift
        return float((curve(at) - y[inner]) @ slope(at))

    whole = float(best - reach)
    ends = balance(whole - 1.0), balance(whole + 1.0)
    shift = whole
    if ends[0] * ends[1] < 0.0:
        shift = float(brentq(balance, whole - 1.0, whole + 1.0, xtol=1e-13))
    at = places[inner] - shift
    freedom = at.size - 1
    variance = _cost(curve(at), y[inner]) * at.size / freedom
    error = np.sqrt(variance / max(float(np.sum(slope(at) ** 2)), np.finfo(float).tiny))
    return interval(shift * step, float(error) * step, freedom, confidence)


def _cost(x: Array, y: Array) -> float:
    return float(np.mean((x - y) ** 2))  # (1)
