"""Inverse model whose coefficients are learnt by recursive least squares while the test runs.

    u = sum_i θ_i a_i d^(i)(t + ℓ),   i = 0...n,   derivatives as in `inverse_model`           (1)
    F u = sum_i θ_i φ_i + ε,   φ_i = a_i s^i F x_m,   F = (ω_c/(s + ω_c))^(n+2)                 (2)
    g = P φ/(λ R + φ' P φ),   θ += g (F u - φ' θ),   P = (P - g φ' P)/λ                         (3)

Command and measured displacement pass the same low-pass F, and the derivatives of the latter are
combinations of the states of F: nothing is differentiated, and nothing beyond f_c is learnt. (3)
is the estimate of least squares that starts from θ = 1 with the spread P = σ². What keeps it safe:

* no update while |F x_m| has been below ``quiet`` for a while: there is nothing but noise;
* no coefficient is less known than at the start: where P_ii would pass σ_i², its row and column are
  scaled back, so that without persistent excitation P stays bounded;
* θ_i stays within 1 ± ``bound`` σ_i.

All settings follow from the delay τ and the tick: a_i by `inverse_model` (3), f_c = 1/(2 τ), the
memory 1000 τ, the lead in ticks. The noise of the displacement sensor sets R and ``quiet``. Give
``coefficients`` if the actuator was identified: the start is then closer.

Its gain grows like ω^n up to half the tick rate, and its settings were chosen on one plant of five
poles: a dead time with a mass behind it is lost. Use it where the actuator rolls off and its
specimen is light; `bounded_inverse` elsewhere.

[astrom1995] chapter 2 (3); [chae2013] the use of such coefficients; settings and guards our own.
"""

from __future__ import annotations

from math import exp, sqrt
from typing import Literal

import numpy as np

from rths.compensator import _regression
from rths.compensator._regression import (
    LAGS,
    ROWS,
    LearningInverse,
    command,
    low_pass,
    regressor,
)
from rths.compensator.base import describe, register
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields, many
from rths.loop.port import Port
from rths.quantity import Duration, Positive, PositiveMetres, RealVector
from rths.site import Site

SPREAD = (0.03, 0.15, 0.4, 0.6, 0.6)
"""σ_i of θ_i at the start, if the coefficients follow from the delay; a tenth if they are given."""
LEARNING = fields(
    forgetting="λ",
    noise="R, m²",
    variances=many("σ_i²"),
    bounds=many("bounds of |θ_i - 1|"),
)
P = fields(
    **_regression.P.meaning,
    quiet="level of |F x_m| below which nothing is learnt, m",
    level="share of the newest |F x_m| in its level",
    learning=many("p of learn"),
    **ROWS.meaning,
)
X = fields(
    command="last command, m",
    level="level of |F x_m|, m",
    theta=many("θ"),
    covariance=many("P of (3), by rows"),
    phi=many("φ"),
    gain=many("g"),
    **LAGS.meaning,
)


def learn(t: Vector, P: Vector, phi: Vector, g: Vector, p: Vector, wanted: float) -> None:
    """Take (3) one tick further; p as LEARNING says."""
    n, forgetting = t.size, p[LEARNING.forgetting]
    variance = p[LEARNING.variances : LEARNING.variances + n]
    bound = p[LEARNING.variances + n :]
    scale, error = forgetting * p[LEARNING.noise], wanted
    for i in range(n):
        s = 0.0
        for j in range(n):
            s += P[i * n + j] * phi[j]
        g[i] = s
        scale += phi[i] * s
        error -= phi[i] * t[i]
    for i in range(n):
        t[i] = min(max(t[i] + g[i] * error / scale, 1.0 - bound[i]), 1.0 + bound[i])
    for i in range(n):
        for j in range(n):
            P[i * n + j] = (P[i * n + j] - g[i] * g[j] / scale) / forgetting
    for i in range(n):  # a row and a column shrink together: P stays positive
        g[i] = sqrt(variance[i] / P[i * n + i]) if P[i * n + i] > variance[i] else 1.0
    for i in range(n):
        for j in range(n):
            P[i * n + j] *= g[i] * g[j]


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # u = target, velocity at its time, measured displacement;   y = command, θ
    m, c = int(p[P.size]), p[P.lag]
    at = P.learning + LEARNING.variances + 2 * m
    learning, weights, to_phi = p[P.learning : at], p[at : at + m * m], p[at + m * m :]
    at = X.theta
    t, at = x[at : at + m], at + m
    covariance, at = x[at : at + m * m], at + m * m
    phi, at = x[at : at + m], at + m
    g, at = x[at : at + m], at + m
    v, at = x[at : at + m - 2], at + m - 2
    of_u, of_x = x[at : at + m + 2], x[at + m + 2 :]
    if p[P.fresh] == 0.0:  # measured at the tick of the last command
        low_pass(of_u, c, x[X.command])
        low_pass(of_x, c, u[2])
    x[X.level] += p[P.level] * (abs(of_x[m + 1]) - x[X.level])
    if x[X.level] > p[P.quiet]:
        for i in range(m):
            phi[i] = regressor(i, to_phi, of_x)  # (2)
        learn(t, covariance, phi, g, learning, of_u[m + 1])
    s = command(t, weights, v, u, y)
    x[X.command] = s
    if p[P.fresh] != 0.0:  # measured at this tick
        low_pass(of_u, c, s)
        low_pass(of_x, c, u[2])
    y[0] = s


@register
@describe
class InverseRls(LearningInverse):
    """Inverse model that learns; the best of the published problem, for actuators that roll off."""

    cites = ("astrom1995", "chae2013")
    ports = tuple(Port(f"{w}_share") for w in ("gain", "velocity", "acceleration", "jerk", "snap"))
    example = {"delay": 0.006}
    adapts = True

    order: Literal[2, 3, 4] = 4
    """Order n of the inverse: the higher, the less gain a light mode of the actuator is left."""
    memory: Duration | None = None
    """Time in which what was learnt fades to a third, s; 1000 τ if not given."""
    noise: PositiveMetres = 2e-5
    """Standard deviation of the displacement sensor, m."""
    quiet: PositiveMetres = 1e-4
    """Mean size of the motion below which nothing is learnt, m."""
    bound: Positive = 6.0
    """Largest change of θ_i in units of σ_i."""
    spread: RealVector | None = None
    """σ_i, how far each θ_i may be off at the start; by experience if not given."""

    def __post_init__(self) -> None:
        """Refuse a model that is not complete; θ_i of its order alone are estimated."""
        super().__post_init__()
        object.__setattr__(self, "ports", self.ports[: self.order + 1])

    def block(self, site: Site) -> Block:
        """Yield the block of (1) to (3), at rest and with nothing learnt."""
        h, m, a = site.interval, self.order + 1, self.model
        spread = self.spread or [s / (1 if self.coefficients is None else 10) for s in SPREAD[:m]]
        variance = np.square(np.asarray(spread, float))
        memory = 1000 * self.delay if self.memory is None else self.memory
        learning = LEARNING.pack(
            forgetting=exp(-h / memory),
            noise=self.noise**2,
            variances=variance,
            bounds=[self.bound * s for s in spread],
        )
        params = P.pack(
            **self.observation(a, site),
            quiet=self.quiet,
            level=1 - exp(-h / (4 * self.delay)),
            learning=learning,
        )
        states = X.pack(
            command=a[0] * site.displacement,
            level=0,
            theta=np.ones(m),
            covariance=np.diag(variance),
            phi=np.zeros(m),
            gain=np.zeros(m),
            **self.rest(a, site),
        )
        return Block(step, params, states, outputs=1 + m)
