"""MR damper as friction, dashpot and spring in parallel.

    F = f_c sgn(v) + c v + k x + f_o                                                          (1)

is linear in its four parameters: one linear least-squares problem, with the usual covariance.
Between two slow reversals the model is poor, as [carrion2006] says; ``slowest`` leaves out the
samples below that speed. [carrion2006] equation (5).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from rths.identification.nonlinear_fit import Fit, fit_from_jacobian
from rths.identification.signal_pair import signal, signal_pair


def bingham_fit(
    displacement: ArrayLike,
    velocity: ArrayLike,
    force: ArrayLike,
    *,
    slowest: float = 0.0,
    confidence: float = 0.95,
) -> Fit:
    """friction (N), damping (N s/m), stiffness (N/m) and offset (N) from measured motion."""
    x, f = signal_pair(displacement, force, 1.0)
    v, _ = signal_pair(signal("velocity", velocity), f, 1.0)
    moving = np.abs(v) >= slowest
    x, v, f = x[moving], v[moving], f[moving]
    columns = np.column_stack([np.sign(v), v, x, np.ones_like(v)])
    size = np.maximum(np.abs(columns).max(axis=0, initial=0.0), np.finfo(np.float64).tiny)
    values = np.linalg.lstsq(columns / size, f, rcond=None)[0] / size
    names = ("friction", "damping", "stiffness", "offset")
    return fit_from_jacobian(names, values, columns, columns @ values - f, confidence)
