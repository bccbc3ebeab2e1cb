"""Delay at which target and measured signal are most alike.

    ρ_k = corr(x_i, y_(i+k)) over the samples both have,   |k| h <= longest                   (1)

with the mean taken out of each overlap, so that a signal delayed by whole samples has ρ = 1 there,
whatever its shape. The delay is k h at the largest ρ; of equal ones the shortest. Between samples
the peak is that of the parabola through ρ at k - 1, k, k + 1.

Positive means that the measured signal comes later. The method of [londono2011] table 1.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from rths.errors import InputError
from rths.identification.signal_pair import Array, lag_range, signal_pair


def delay_by_cross_correlation(
    target: ArrayLike,
    measured: ArrayLike,
    step: float,
    *,
    interpolated: bool = False,
    longest: float = 0.1,
) -> float:
    """Delay in seconds, in whole steps or interpolated between them."""
    x, y = signal_pair(target, measured, step)
    largest = max(np.abs(x).max(), np.abs(y).max())
    if largest > 0.0:
        x, y = x / largest, y / largest  # a test that ran away must not overflow in the squares
    if np.ptp(x) == 0.0 or np.ptp(y) == 0.0:
        name = "target" if np.ptp(x) == 0.0 else "measured"
        raise InputError(name, 0.0, "does not move", "Choose a stretch of the test with motion.")
    reach = lag_range(longest, step, x.size)
    rho = correlation(x, y, reach + 1)  # one more on each side, for the parabola
    lags = np.arange(-reach - 1, reach + 2)
    inside = slice(1, -1)
    best = np.flatnonzero(rho[inside] >= rho[inside].max() - 1e-12) + 1
    at = int(best[np.argmin(np.abs(lags[best]))])
    if rho[at] < max(rho[at - 1], rho[at + 1]) - 1e-12:
        remedy = "Raise it, or check that both signals belong to one test."
        raise InputError("longest", longest, "is shorter than the delay seems to be", remedy)
    fraction = 0.0
    if interpolated:
        before, here, after = rho[at - 1 : at + 2]
        bend = before - 2.0 * here + after
        fraction = 0.5 * (before - after) / bend if bend < 0.0 else 0.0
    return float((lags[at] + fraction) * step)


def correlation(x: Array, y: Array, reach: int) -> Array:
    """ρ_k of equation (1) for k = -reach … reach."""
    rho = np.empty(2 * reach + 1)
    for i, k in enumerate(range(-reach, reach + 1)):
        a = x[max(0, -k) : x.size - max(0, k)]
        b = y[max(0, k) : y.size - max(0, -k)]
        a, b = a - np.add.reduce(a) / a.size, b - np.add.reduce(b) / b.size
        size = np.sqrt((a @ a) * (b @ b))
        rho[i] = (a @ b) / size if size > 0.0 else 0.0
    return rho
