"""Nonlinear least squares with confidence intervals.

    min over p of Σ r_i(p)²,   cov p = s² (JᵀJ)⁻¹,   s² = Σ r²/(n - m)                        (1)

J is the Jacobian of the n residuals r by the m parameters p at the minimum. Several starts may be
given: each is followed for a few steps, the best one to its end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from rths.errors import InputError
from rths.identification.estimate import Estimate, interval
from rths.identification.signal_pair import Array


@dataclass(frozen=True, eq=False)
class Fit:
    """Parameters by name with their intervals, their covariance, and the rms of the residuals."""

    parameters: dict[str, Estimate]
    covariance: Array
    residual: float

    def __getitem__(self, name: str) -> float:
        return self.parameters[name].value

    @property
    def values(self) -> Array:
        """The parameters in order."""
        return np.array([p.value for p in self.parameters.values()])


def nonlinear_fit(
    residuals: Callable[[Array], Array],
    starts: Sequence[Sequence[float]],
    bounds: dict[str, tuple[float, float]],
    confidence: float,
) -> Fit:
    """Best fit from any of the starts; ``bounds`` names the parameters and their ranges."""
    from scipy.optimize import least_squares

    low, high = np.array(list(bounds.values())).T
    usual = {"bounds": (low, high), "x_scale": "jac"}
    rough = [
        least_squares(residuals, np.clip(start, low, high), **usual, ftol=1e-3, max_nfev=30)
        for start in starts
    ]
    first = min(rough, key=lambda found: float(found.cost)).x
    best = least_squares(residuals, first, **usual, xtol=1e-13, ftol=1e-13, gtol=1e-13)
    return fit_from_jacobian(tuple(bounds), best.x, best.jac, best.fun, confidence)


def fit_from_jacobian(
    names: Sequence[str], values: Array, jacobian: Array, residuals: Array, confidence: float
) -> Fit:
    """The fit of equation (1) from its minimum."""
    count, unknowns = jacobian.shape
    if count <= unknowns:
        remedy = "Give more samples."
        raise InputError("samples", count, f"cannot fix {unknowns} parameters", remedy)
    # parameters of very unlike size: scale the columns before inverting
    scale = np.linalg.norm(jacobian, axis=0)
    if np.any(scale == 0.0):
        name = names[int(np.argmin(scale))]
        remedy = "Choose data in which it shows, with motion of the kind it acts on."
        raise InputError(name, float(values[np.argmin(scale)]), "has no effect on the fit", remedy)
    inverse = np.linalg.pinv((jacobian / scale).T @ (jacobian / scale), hermitian=True)
    variance = float(residuals @ residuals) / (count - unknowns)
    covariance = variance * inverse / np.outer(scale, scale)
    errors = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    parameters = {
        name: interval(value, error, count - unknowns, confidence)
        for name, value, error in zip(names, values, errors, strict=True)
    }
    return Fit(parameters, covariance, float(np.sqrt(np.mean(residuals**2))))
