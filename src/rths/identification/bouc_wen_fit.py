"""Bouc-Wen hysteresis with a dashpot.

    F  = a k x + (1 - a) k z + c v                                                            (1)
    z' = v (1 - |z/d|^n (b sgn(v z) + 1 - b))                                                 (2)

k: stiffness before yield, a: share of it that remains, d: yield displacement, b: shape (1/2:
straight unloading), n: sharpness of the knee. In the usual letters b/dⁿ is β and (1 - b)/dⁿ is γ.
With 0 < b <= 1 the hysteretic displacement stays within |z| <= d.

Equation (2) does not depend on the speed: from sample to sample it is integrated over the path x by
Runge-Kutta steps no longer than a tenth of d.

Y. K. Wen, J. Eng. Mech. Div. ASCE 102(2), 1976, 249-263.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from rths.identification.nonlinear_fit import Fit, nonlinear_fit
from rths.identification.signal_pair import Array, signal, signal_pair


def bouc_wen_force(
    displacement: ArrayLike,
    velocity: ArrayLike,
    stiffness: float,
    ratio: float,
    yielding: float,
    shape: float = 0.5,
    sharpness: float = 1.0,
    damping: float = 0.0,
) -> Array:
    """Force of equations (1) and (2), from z = 0 at the first sample."""
    x, v = signal_pair(displacement, velocity, 1.0)
    z = _compile_force()(x, yielding, shape, sharpness)
    return np.asarray(ratio * stiffness * x + (1.0 - ratio) * stiffness * z + damping * v)


def bouc_wen_fit(
    displacement: ArrayLike,
    velocity: ArrayLike,
    force: ArrayLike,
    *,
    confidence: float = 0.95,
) -> Fit:
    """The six parameters, lengths in m, from a test that starts unloaded."""
    x, f = signal_pair(displacement, force, 1.0)
    v, _ = signal_pair(signal("velocity", velocity), f, 1.0)
    scale, reach, speed = (float(np.abs(s).max()) for s in (f, x, v))

    def residuals(p: Array) -> Array:
        return (bouc_wen_force(x, v, *(p * size)) - f) / scale

    # the fit sees numbers near one: forces by the largest force, lengths by the longest travel
    size = np.array([scale / reach, 1.0, reach, 1.0, 1.0, scale / speed])
    bounds = {
        "stiffness": (1e-3, 1e4),
        "ratio": (0.0, 1.0),
        "yielding": (1e-4, 1e2),
        "shape": (0.01, 1.0),
        "sharpness": (0.5, 20.0),
        "damping": (0.0, 1e2),
    }
    starts = [[1.0 / d, 0.1, d, 0.5, 1.5, 0.05] for d in (0.05, 0.2, 0.6)]
    fit = nonlinear_fit(residuals, starts, bounds, confidence)
    parameters = {
        name: p.scale(float(s)) for (name, p), s in zip(fit.parameters.items(), size, strict=True)
    }
    return Fit(parameters, fit.covariance * np.outer(size, size), fit.residual * scale)


def _hysteretic_part(x: Array, d: float, b: float, n: float) -> Array:
    """z at every sample, by equation (2) along the path."""
    z = np.zeros_like(x)
    for i in range(1, x.size):
        travel = (x[i] - x[i - 1]) / d
        parts = int(abs(travel) / 0.1) + 1
        dx = travel / parts
        u = z[i - 1] / d
        for _ in range(parts):
            k1 = dx * (1.0 - abs(u) ** n * (b * np.sign(dx * u) + 1.0 - b))
            w = u + 0.5 * k1
            k2 = dx * (1.0 - abs(w) ** n * (b * np.sign(dx * w) + 1.0 - b))
            w = u + 0.5 * k2
            k3 = dx * (1.0 - abs(w) ** n * (b * np.sign(dx * w) + 1.0 - b))
            w = u + k3
            k4 = dx * (1.0 - abs(w) ** n * (b * np.sign(dx * w) + 1.0 - b))
            u += (k1 + 2.0 * k2 + 2.0 * k3 + k4) / 6.0
        z[i] = d * u
    return z


@cache
def _compile_force() -> Callable[[Array, float, float, float], Array]:
    from numba import njit

    kernel: Callable[[Array, float, float, float], Array] = njit(_hysteretic_part)
    return kernel
