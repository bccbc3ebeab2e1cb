"""Adaptive time series (ATS): least squares over a moving window, as if of the actuator's inverse.

    u_k = a_0 d_k + a_1 d'_k + ... + a_n d^(n)_k                                              (1)
    a = (X' X)^-1 X' U,   X = (x_m, x_m', ..., x_m^(n)), U = u over the last T = 1 s             (2)

Command and measurement pass the same low-pass first, (ω_c/(s + ω_c))^(n+2), whose states give the
derivatives of (2). Four rules keep (2) in bounds, as published: a is kept while the mean motion is
below ``quiet``; each a_i stays within its range, and changes at a limited rate; and a is kept while
X' X says nothing about one of its columns. X' X and X' U are carried along: the newest sample is
added, the one that leaves the window taken off. ``low_pass`` smooths the command by two equal
lags; (2) sees the command before them, so that they are made up for.

Use it with an actuator that is close to second order, and a target without high modes; a window
forgets all within T, so that after a quiet second it learns anew.

[chae2013] Earthq. Eng. Struct. Dyn. 42(11), 1697-1715: n = 2, T = 1 s.
"""

from __future__ import annotations

from math import pi, sqrt
from typing import Literal

import numpy as np

from rths.compensator.base import Compensator, describe, register
from rths.compensator.inverse_model import coefficients, derivatives, lead_of, smoothing
from rths.compensator.inverse_rls import command, low_pass, regression
from rths.loop.block import Block, Ring, Vector, kernel, ring_size
from rths.loop.port import Port
from rths.loop.site import Site
from rths.quantity import Delay, Duration, Hertz, Positive, PositiveMetres, RealVector, Seconds

POOR = 1e-8
"""Share of a column of X that must be its own for (2) to be solved."""


def solve(S: Vector, b: Vector, R: Vector, m: int) -> bool:
    """Solve S z = b by Cholesky's method into b; R is room for the factor. False if S is poor."""
    for i in range(m):
        for j in range(i + 1):
            s = S[i * m + j]
            for k in range(j):
                s -= R[i * m + k] * R[j * m + k]
            if i == j:
                if not s > POOR * S[i * m + i]:
                    return False
                R[i * m + i] = sqrt(s)
            else:
                R[i * m + j] = s / R[j * m + j]
    for i in range(m):
        for k in range(i):
            b[i] -= R[i * m + k] * b[k]
        b[i] /= R[i * m + i]
    for i in range(m - 1, -1, -1):
        for k in range(i + 1, m):
            b[i] -= R[k * m + i] * b[k]
        b[i] /= R[i * m + i]
    return True


def move_window(S: Vector, s: Vector, window: Vector, k: int, old: int, m: int) -> None:
    """Add row k of the window to the sums and take off row ``old``; rows are φ_0...φ_n, F u."""
    size = window.size // (m + 1)
    new_u, old_u = window[m * size + k], window[m * size + old]
    for i in range(m):
        a, c = window[i * size + k], window[i * size + old]
        s[i] += a * new_u - c * old_u
        for j in range(m):
            S[i * m + j] += a * window[j * size + k] - c * window[j * size + old]


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # p = n + 1, fresh, c of low_pass, quiet² times T, T in samples, E of the command, range, rate,
    #     weights of a_i d^(i), weights of φ_i over the lags
    # x = θ, b, X'U, X'X, room, velocities, lags of u and x_m, command and two lags of it, window,
    #     newest
    # u = target, velocity at its time, measured displacement;   y = command, θ
    m, lags, mm = int(p[0]), int(p[0]) + 1, int(p[0]) * int(p[0])
    weights, to_phi = p[8 : 8 + mm], p[8 + mm :]
    at = 3 * m + 2 * mm
    t, b, s = x[:m], x[m : 2 * m], x[2 * m : 3 * m]
    S, room, v = x[3 * m : 3 * m + mm], x[3 * m + mm : at], x[at : at + m - 2]
    of_u, of_x = x[at + m - 2 : at + 2 * m], x[at + 2 * m : at + 3 * m + 2]
    sent, window = x[at + 3 * m + 2 : at + 3 * m + 5], x[at + 3 * m + 5 : x.size - 1]
    size = window.size // (m + 1)
    if p[1] == 0.0:  # measured at the tick of the last command
        low_pass(of_u, p[2], sent[0], lags)
        low_pass(of_x, p[2], u[2], lags)
    k = (int(x[x.size - 1]) + 1) & (size - 1)
    x[x.size - 1] = k
    for i in range(m):
        r = 0.0
        for j in range(i + 1):
            r += to_phi[i * m + j] * of_x[lags - j]
        window[i * size + k] = r
    window[m * size + k] = of_u[lags]
    move_window(S, s, window, k, (k - int(p[4])) & (size - 1), m)
    if S[0] > p[3]:
        for i in range(m):
            b[i] = s[i]
        if solve(S, b, room, m):  # (2)
            for i in range(m):
                a = min(max(b[i], 1.0 - p[6]), 1.0 + p[6])
                t[i] += min(max(a - t[i], -p[7]), p[7])
    c = command(t, weights, v, u, y)  # (1)
    sent[0] = c
    sent[1] = c + p[5] * (sent[1] - c)
    sent[2] = sent[1] + p[5] * (sent[2] - sent[1])
    if p[1] != 0.0:  # measured at this tick
        low_pass(of_u, p[2], c, lags)
        low_pass(of_x, p[2], u[2], lags)
    y[0] = sent[2]


@register
@describe
class AdaptiveTimeSeries(Compensator):
    """Inverse of second or third order, identified anew in each tick."""

    inputs = ("integrator.target", "integrator.next_velocity", "feedback.displacement")
    cites = ("chae2013",)
    ports = tuple(Port(f"{w}_share") for w in ("gain", "velocity", "acceleration", "jerk"))
    example = {"delay": 0.006}
    adapts = True

    delay: Delay
    """Identified delay at low frequency, s; a_0...a_n start from it."""
    coefficients: RealVector | None = None
    """a_0...a_n of an identified model in s^i, if there is one."""
    order: Literal[2, 3] = 2
    """Order n of the series."""
    window: Duration = 1.0
    """Length T of the moving window, s."""
    lead: Seconds | None = None
    """Lead, s, for what is lost elsewhere in the loop; if not given, 1.2 ticks where the actuator
    holds its command over a tick, none otherwise."""
    edge: Hertz | None = None
    """Edge of the low-pass on both signals, Hz; 1/(2 delay) if not given."""
    low_pass: Hertz | None = None
    """Edge of each of two lags on the command, Hz; none if not given."""
    quiet: PositiveMetres = 1e-4
    """Root mean square of the motion in the window below which nothing changes, m."""
    bound: Positive = 0.9
    """Range of each coefficient, as a share of its first value to either side."""
    rate: Positive = 5.0
    """Largest rate of a coefficient, in first values a second."""

    def __post_init__(self) -> None:
        """Refuse a model that is not complete; a_i of its order alone are estimated."""
        _ = self.model
        object.__setattr__(self, "ports", self.ports[: self.order + 1])

    @property
    def model(self) -> Vector:
        """a_0...a_n at the start."""
        delay = self.delay if self.coefficients is None else None
        return coefficients(self.coefficients, delay, self.order)

    def block(self, site: Site) -> Block:
        """Yield the block of (1) and (2), at rest."""
        h, m = site.interval, self.order + 1
        forget, a = smoothing(self.model, self.low_pass, h)
        w_c = 2 * pi * (1 / (2 * self.delay) if self.edge is None else self.edge)
        c = w_c * h / 2 / (1 + w_c * h / 2)
        T = max(2, round(self.window / h))
        weights = a[:, None] * derivatives(self.order, lead_of(self.lead, site), h)
        to_phi = regression(a, w_c)
        level = (a[0] * self.quiet) ** 2 * T
        params = [m, float(site.fresh), c, level, T, forget, self.bound, self.rate * h]
        d, size = site.displacement, ring_size(T + 1)
        lags, window = np.full(m + 2, d), np.zeros((m + 1, size))
        window[0] = window[m] = a[0] * d
        states = np.concatenate([
            np.ones(m), np.zeros(m), *_sums(a[0] * d, T, m), np.zeros(m * m + m - 2),
            a[0] * lags, lags, np.full(3, a[0] * d), window.ravel(), [0.0],
        ])  # fmt: skip
        first = states.size - 1 - window.size
        rings = [Ring(first + i * size, size, states.size - 1) for i in range(m + 1)]
        known = np.concatenate([params, weights.ravel(), to_phi.ravel()])
        return Block(step, known, states, outputs=1 + m, rings=rings)


def _sums(rest: float, T: int, m: int) -> tuple[Vector, Vector]:
    """X'U and X'X of a window at rest."""
    s, S = np.zeros(m), np.zeros(m * m)
    s[0] = S[0] = T * rest * rest
    return s, S
