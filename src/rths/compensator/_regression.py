"""What an inverse that learns from the measured displacement has: its filters and its regression.

    u = sum_i θ_i a_i d^(i)(t + ℓ),   i = 0...n                                               (1)
    F u = sum_i θ_i φ_i + ε,   φ_i = a_i s^i F x_m,   F = L^(n+2),   L = ω_c/(s + ω_c)          (2)
    s^i F = ω_c^i (1 - L)^i L^(n+2-i)                                                         (3)

Command and measured displacement pass the same low-pass F of equal lags L, and by (3) the
derivatives of the latter are sums of what the lags hold: nothing is differentiated, and nothing
beyond ω_c is learnt. How θ follows from (2) is what the kinds differ in.
"""

from __future__ import annotations

from math import comb, pi
from typing import Any, Literal

import numpy as np

from rths.compensator._derivatives import coefficients, derivatives, lead_of
from rths.compensator.base import Compensator, describe
from rths.loop.block import Vector
from rths.loop.fields import fields, many
from rths.quantity import Delay, Hertz, RealVector, Seconds
from rths.site import Site

P = fields(
    size="m = n + 1, how many coefficients there are",
    fresh="whether x_m is that of the same tick",
    lag="c of low_pass",
)
ROWS = fields(
    weights=many("weights of d, v_k, ... in a_i d^(i), by rows"),
    regressors=many("weights of the lags, last first, in φ_i, by rows"),
)
LAGS = fields(
    velocities=many("v_(k-1)...v_(k-n+1), m/s"),
    of_command=many("lags of u: last input, outputs"),
    of_measured=many("lags of x_m: last input, outputs"),
)


def low_pass(y: Vector, c: float, value: float) -> None:
    """Pass a value through equal lags L (Tustin); y = last input, outputs of the lags."""
    old = y[0]
    y[0] = value
    for i in range(1, y.size):
        kept = y[i]
        y[i] = c * (y[i - 1] + old) + (1.0 - 2.0 * c) * kept
        old = kept


def regressor(i: int, to_phi: Vector, lags: Vector) -> float:
    """Give φ_i of (2) from the lags of x_m."""
    m, s = lags.size - 2, 0.0
    for j in range(i + 1):
        s += to_phi[i * m + j] * lags[m + 1 - j]
    return s


def command(t: Vector, weights: Vector, v: Vector, u: Vector, y: Vector) -> float:
    """Give (1) and remember the velocity; u = target, velocity, ...; θ is written behind y[0]."""
    m, c = t.size, 0.0
    for i in range(m):
        r = weights[i * m] * u[0] + weights[i * m + 1] * u[1]
        for j in range(m - 2):
            r += weights[i * m + 2 + j] * v[j]
        c += t[i] * r  # (1)
        y[1 + i] = t[i]
    for j in range(m - 3, 0, -1):
        v[j] = v[j - 1]
    v[0] = u[1]
    return c


def regression(a: Vector, w_c: float) -> Vector:
    """Weights of the lags, last first, in φ_i by (3)."""
    m = a.size
    to_phi = np.zeros((m, m))
    for i in range(m):
        for j in range(i + 1):
            to_phi[i, i - j] = a[i] * w_c**i * (-1) ** j * comb(i, j)
    return to_phi


@describe
class LearningInverse(Compensator):
    """Base of inverse models whose coefficients are learnt from the measured displacement."""

    inputs = ("integrator.target", "integrator.next_velocity", "feedback.displacement")

    delay: Delay
    """Identified delay τ at low frequency, s: what is not given follows from it."""
    coefficients: RealVector | None = None
    """a_0...a_n of an identified model in s^i, if there is one."""
    order: Literal[2, 3, 4] = 2
    """Order n of the inverse."""
    lead: Seconds | None = None
    """ℓ, s, for what is lost elsewhere in the loop; if not given, 1.2 ticks where the actuator
    holds its command over a tick, none otherwise."""
    edge: Hertz | None = None
    """Edge ω_c/2π of the low-pass F, Hz; 1/(2 τ) if not given."""

    def __post_init__(self) -> None:
        """Refuse a model that is not complete."""
        _ = self.model

    @property
    def model(self) -> Vector:
        """a_0...a_n at the start."""
        delay = self.delay if self.coefficients is None else None
        return coefficients(self.coefficients, delay, self.order)

    def observation(self, a: Vector, site: Site) -> dict[str, Any]:
        """Give the parameters of P and ROWS for a model a."""
        h = site.interval
        w_c = 2 * pi * (1 / (2 * self.delay) if self.edge is None else self.edge)
        return {
            "size": a.size,
            "fresh": float(site.fresh),
            "lag": w_c * h / 2 / (1 + w_c * h / 2),
            "weights": a[:, None] * derivatives(a.size - 1, lead_of(self.lead, site), h),
            "regressors": regression(a, w_c),
        }

    def rest(self, a: Vector, site: Site) -> dict[str, Any]:
        """Give the states of LAGS for a model a at rest."""
        lags = np.full(a.size + 2, site.displacement)
        return {
            "velocities": np.zeros(a.size - 2),
            "of_command": a[0] * lags,
            "of_measured": lags,
        }
