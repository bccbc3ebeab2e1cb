"""The nine criteria of the single-actuator benchmark.

    rms(a; b) = 100 std(a - b)/std(b),   peak(a; b) = 100 max|a - b|/max|b|                     (1)
    J1 = lag j h (ms), j = 0...49, at which x_m(t + j h) and y_1(t) correlate best             (2)
    J2, J3 = rms, peak (x_m; y_1)        J4, J5 = rms, peak (x_m; r_1)                         (3)
    J6, J7 = rms (y_2; r_2), (y_3; r_3)  J8, J9 = peak (y_2; r_2), (y_3; r_3)                  (4)

y are the numerical displacements of the floors, r those of the reference structure, x_m the noisy
measurement. The standard deviation takes the mean off. This is how the published table was
computed; the text of the paper numbers J5 to J7 otherwise and writes sums of squares. J1 never
sees a response that leads.

[silva2020] section 6.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rths.errors import InputError

NAMES = ("J1", "J2", "J3", "J4", "J5", "J6", "J7", "J8", "J9")
LAGS = 50
"""Lags j = 0...49 of (2), as in the published program."""


def silva2020(
    measured: ArrayLike, floors: ArrayLike, reference: ArrayLike, step: float
) -> NDArray[np.float64]:
    """J1 (ms) to J9 (%) from x_m, and from rows of three floors."""
    x, y, r = (np.asarray(s, float) for s in (measured, floors, reference))
    x = np.ascontiguousarray(x)  # a column of a record is slow to go through fifty times
    if y.shape != (x.size, 3) or r.shape != y.shape or x.size <= LAGS:
        shapes = f"{x.shape}, {y.shape}, {r.shape}"
        remedy = f"Give n, n by 3 and n by 3 samples, n above {LAGS}."
        raise InputError("floors", shapes, "do not match", remedy)
    if not (np.isfinite(x).all() and np.isfinite(y).all() and np.isfinite(r).all()):
        raise InputError("floors", None, "are not all finite", "Score stable runs only.")
    y1, r1 = np.ascontiguousarray(y[:, 0]), np.ascontiguousarray(r[:, 0])
    J = [1e3 * step * best_lag(x, y1)]
    J += [_rms(x, y1), _peak(x, y1), _rms(x, r1), _peak(x, r1)]  # (3)
    J += [_rms(y[:, i], r[:, i]) for i in (1, 2)]  # (4)
    J += [_peak(y[:, i], r[:, i]) for i in (1, 2)]
    return np.array(J)


def best_lag(late: NDArray[np.float64], early: NDArray[np.float64]) -> int:
    """Lag (2) in samples; sums over parts of a record come from those over the whole."""
    n, room = late.size, np.empty_like(late)  # no matrix product: it would call its own threads
    after = [late.sum(), np.multiply(late, late, out=room).sum()]
    before = [early.sum(), np.multiply(early, early, out=room).sum()]
    best, found = -np.inf, 0
    for j in range(LAGS):
        if j:
            gone, left = late[j - 1], early[n - j]
            after = [after[0] - gone, after[1] - gone * gone]
            before = [before[0] - left, before[1] - left * left]
        m = n - j
        product = np.multiply(late[j:], early[:m], out=room[:m]).sum() - after[0] * before[0] / m
        spread = (after[1] - after[0] ** 2 / m) * (before[1] - before[0] ** 2 / m)
        value = product / np.sqrt(spread) if spread > 0 else -np.inf
        if value > best:
            best, found = value, j
    return found


def _rms(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    return float(100 * np.std(a - b) / np.std(b))  # (1)


def _peak(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    return float(100 * np.abs(a - b).max() / np.abs(b).max())  # (1)
