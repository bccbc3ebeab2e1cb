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

Use it wherever the displacement is measured, with an actuator that is linear in a wide sense: its
coefficients may drift, but not jump within a period.

[astrom1995] chapter 2 (3); [chae2013] the use of such coefficients; settings and guards our own.
"""

from __future__ import annotations

from math import comb, exp, pi, sqrt
from typing import Literal

import numpy as np

from rths.compensator.base import Compensator, describe, register
from rths.compensator.inverse_model import coefficients, derivatives, lead_of
from rths.loop.block import Block, Vector, kernel
from rths.loop.port import Port
from rths.loop.site import Site
from rths.quantity import Delay, Duration, Hertz, Positive, PositiveMetres, RealVector, Seconds

SPREAD = (0.03, 0.15, 0.4, 0.6, 0.6)
"""σ_i of θ_i at the start, if the coefficients follow from the delay; a tenth if they are given."""


def low_pass(y: Vector, c: float, value: float, n: int) -> None:
    """Pass a value through n equal lags (Tustin); y = last input, outputs of the lags."""
    old = y[0]
    y[0] = value
    for i in range(1, n + 1):
        kept = y[i]
        y[i] = c * (y[i - 1] + old) + (1.0 - 2.0 * c) * kept
        old = kept


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
    """Weights of the lags, last first, in φ_i: s^i F = w_c^i (1 - L)^i L^(m+1-i), L one lag."""
    m = a.size
    to_phi = np.zeros((m, m))
    for i in range(m):
        for j in range(i + 1):
            to_phi[i, i - j] = a[i] * w_c**i * (-1) ** j * comb(i, j)
    return to_phi


def learn(t: Vector, P: Vector, phi: Vector, g: Vector, p: Vector, wanted: float) -> None:
    """Take (3) one tick further; p = λ, R, σ_i², bounds of |θ_i - 1|."""
    n = t.size
    scale, error = p[0] * p[1], wanted
    for i in range(n):
        s = 0.0
        for j in range(n):
            s += P[i * n + j] * phi[j]
        g[i] = s
        scale += phi[i] * s
        error -= phi[i] * t[i]
    for i in range(n):
        far = p[2 + n + i]
        t[i] = min(max(t[i] + g[i] * error / scale, 1.0 - far), 1.0 + far)
    for i in range(n):
        for j in range(n):
            P[i * n + j] = (P[i * n + j] - g[i] * g[j] / scale) / p[0]
    for i in range(n):  # a row and a column shrink together: P stays positive
        g[i] = sqrt(p[2 + i] / P[i * n + i]) if P[i * n + i] > p[2 + i] else 1.0
    for i in range(n):
        for j in range(n):
            P[i * n + j] *= g[i] * g[j]


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # p = n + 1, fresh, c of low_pass, quiet, share of the level, p of learn, weights of a_i d^(i),
    #     weights of φ_i over the lags
    # x = θ, P, φ, gain, velocities, lags of u and of x_m, last command, level of |F x_m|
    # u = target, velocity at its time, measured displacement;   y = command, θ
    m, lags = int(p[0]), int(p[0]) + 1
    first = 7 + 2 * m
    weights, to_phi = p[first : first + m * m], p[first + m * m :]
    at = 3 * m + m * m
    t, P, phi, g = x[:m], x[m : m + m * m], x[m + m * m : 2 * m + m * m], x[2 * m + m * m : at]
    v = x[at : at + m - 2]
    of_u = x[at + m - 2 : at + 2 * m]
    of_x = x[at + 2 * m : at + 3 * m + 2]
    if p[1] == 0.0:  # measured at the tick of the last command
        low_pass(of_u, p[2], x[x.size - 2], lags)
        low_pass(of_x, p[2], u[2], lags)
    x[x.size - 1] += p[4] * (abs(of_x[lags]) - x[x.size - 1])
    if x[x.size - 1] > p[3]:
        for i in range(m):
            s = 0.0
            for j in range(i + 1):
                s += to_phi[i * m + j] * of_x[lags - j]
            phi[i] = s  # (2)
        learn(t, P, phi, g, p[5:first], of_u[lags])
    s = command(t, weights, v, u, y)
    x[x.size - 2] = s
    if p[1] != 0.0:  # measured at this tick
        low_pass(of_u, p[2], s, lags)
        low_pass(of_x, p[2], u[2], lags)
    y[0] = s


@register
@describe
class InverseRls(Compensator):
    """Inverse model that learns: the package's recommendation."""

    inputs = ("integrator.target", "integrator.next_velocity", "feedback.displacement")
    cites = ("astrom1995", "chae2013")
    ports = tuple(Port(f"{w}_share") for w in ("gain", "velocity", "acceleration", "jerk", "snap"))
    example = {"delay": 0.006}
    adapts = True

    delay: Delay
    """Identified delay τ at low frequency, s: all settings follow from it."""
    coefficients: RealVector | None = None
    """a_0...a_n of an identified model in s^i, if there is one."""
    order: Literal[2, 3, 4] = 4
    """Order n of the inverse: the higher, the less gain a light mode of the actuator is left."""
    lead: Seconds | None = None
    """ℓ, s, for what is lost elsewhere in the loop; if not given, 1.2 ticks where the actuator
    holds its command over a tick, none otherwise."""
    edge: Hertz | None = None
    """Edge f_c of the low-pass F, Hz; 1/(2 τ) if not given."""
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
        _ = self.model
        object.__setattr__(self, "ports", self.ports[: self.order + 1])

    @property
    def model(self) -> Vector:
        """a_0...a_n at the start."""
        delay = self.delay if self.coefficients is None else None
        return coefficients(self.coefficients, delay, self.order)

    def block(self, site: Site) -> Block:
        """Yield the block of (1) to (3), at rest and with nothing learnt."""
        h, m, a = site.interval, self.order + 1, self.model
        w_c = 2 * pi * (1 / (2 * self.delay) if self.edge is None else self.edge)
        c = w_c * h / 2 / (1 + w_c * h / 2)
        spread = self.spread or [s / (1 if self.coefficients is None else 10) for s in SPREAD[:m]]
        variance = np.square(np.asarray(spread, float))
        memory = 1000 * self.delay if self.memory is None else self.memory
        weights = a[:, None] * derivatives(self.order, lead_of(self.lead, site), h)
        to_phi = regression(a, w_c)
        level = 1 - exp(-h / (4 * self.delay))
        learning = [exp(-h / memory), self.noise**2, *variance]
        learning += [self.bound * s for s in spread]
        params = [m, float(site.fresh), c, self.quiet, level, *learning]
        d = site.displacement
        lags = np.full(m + 2, d)
        states = [np.ones(m), np.diag(variance).ravel(), np.zeros(2 * m), np.zeros(m - 2)]
        states += [a[0] * lags, lags, np.array([a[0] * d, 0.0])]
        return Block(
            step,
            np.concatenate([params, weights.ravel(), to_phi.ravel()]),
            np.concatenate(states),
            outputs=1 + m,
        )
