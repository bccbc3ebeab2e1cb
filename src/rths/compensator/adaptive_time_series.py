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

from math import sqrt
from typing import Literal

import numpy as np

from rths.compensator import _regression
from rths.compensator._derivatives import smoothing
from rths.compensator._regression import (
    LAGS,
    ROWS,
    LearningInverse,
    command,
    low_pass,
    regressor,
)
from rths.compensator.base import describe, register
from rths.loop.block import Block, Ring, Vector, kernel, ring_size
from rths.loop.fields import fields, many
from rths.loop.port import Port
from rths.quantity import Duration, Hertz, Positive, PositiveMetres
from rths.site import Site

POOR = 1e-8
"""Share of a column of X that must be its own for (2) to be solved."""
P = fields(
    **_regression.P.meaning,
    quiet="sum of φ_0² in the window below which nothing changes, m²",
    window="T in samples",
    smoothing="share E of the low-pass on the command",
    bound="range of θ_i to either side of 1",
    rate="largest change of θ_i in a tick",
    **ROWS.meaning,
)
X = fields(
    newest="place of the newest row of the window",
    command="last command before its low-pass, m",
    smooth="first lag of it, m",
    smoother="second lag, m",
    theta=many("θ"),
    solution=many("solution of (2)"),
    products=many("X'U"),
    squares=many("X'X, by rows"),
    room=many("room for the factor of X'X"),
    **LAGS.meaning,
    window=many("φ_0, ..., φ_n and F u, a ring each"),
)


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
    # u = target, velocity at its time, measured displacement;   y = command, θ
    m, c, E = int(p[P.size]), p[P.lag], p[P.smoothing]
    weights, to_phi = p[P.weights : P.weights + m * m], p[P.weights + m * m :]
    at = X.theta
    t, at = x[at : at + m], at + m
    b, at = x[at : at + m], at + m
    s, at = x[at : at + m], at + m
    S, at = x[at : at + m * m], at + m * m
    room, at = x[at : at + m * m], at + m * m
    v, at = x[at : at + m - 2], at + m - 2
    of_u, at = x[at : at + m + 2], at + m + 2
    of_x, window = x[at : at + m + 2], x[at + m + 2 :]
    size = window.size // (m + 1)
    if p[P.fresh] == 0.0:  # measured at the tick of the last command
        low_pass(of_u, c, x[X.command])
        low_pass(of_x, c, u[2])
    k = (int(x[X.newest]) + 1) & (size - 1)
    x[X.newest] = k
    for i in range(m):
        window[i * size + k] = regressor(i, to_phi, of_x)
    window[m * size + k] = of_u[m + 1]
    move_window(S, s, window, k, (k - int(p[P.window])) & (size - 1), m)
    if S[0] > p[P.quiet]:
        for i in range(m):
            b[i] = s[i]
        if solve(S, b, room, m):  # (2)
            for i in range(m):
                a = min(max(b[i], 1.0 - p[P.bound]), 1.0 + p[P.bound])
                t[i] += min(max(a - t[i], -p[P.rate]), p[P.rate])
    sent = command(t, weights, v, u, y)  # (1)
    x[X.command] = sent
    x[X.smooth] = sent + E * (x[X.smooth] - sent)
    x[X.smoother] = x[X.smooth] + E * (x[X.smoother] - x[X.smooth])
    if p[P.fresh] != 0.0:  # measured at this tick
        low_pass(of_u, c, sent)
        low_pass(of_x, c, u[2])
    y[0] = x[X.smoother]


@register
@describe
class AdaptiveTimeSeries(LearningInverse):
    """Inverse of second or third order, identified anew in each tick."""

    cites = ("chae2013",)
    ports = tuple(Port(f"{w}_share") for w in ("gain", "velocity", "acceleration", "jerk"))
    example = {"delay": 0.006}
    adapts = True

    order: Literal[2, 3] = 2
    """Order n of the series."""
    window: Duration = 1.0
    """Length T of the moving window, s."""
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
        super().__post_init__()
        object.__setattr__(self, "ports", self.ports[: self.order + 1])

    def block(self, site: Site) -> Block:
        """Yield the block of (1) and (2), at rest."""
        h, m = site.interval, self.order + 1
        forget, a = smoothing(self.model, self.low_pass, h)
        T = max(2, round(self.window / h))
        size, rest = ring_size(T + 1), a[0] * site.displacement
        params = P.pack(
            **self.observation(a, site),
            quiet=(a[0] * self.quiet) ** 2 * T,
            window=T,
            smoothing=forget,
            bound=self.bound,
            rate=self.rate * h,
        )
        window = np.zeros((m + 1, size))
        window[0] = window[m] = rest
        held = T * rest * rest * np.eye(m, 1)  # of a window at rest
        states = X.pack(
            newest=0,
            command=rest,
            smooth=rest,
            smoother=rest,
            theta=np.ones(m),
            solution=np.zeros(m),
            products=held,
            squares=np.hstack([held, np.zeros((m, m - 1))]),
            room=np.zeros((m, m)),
            **self.rest(a, site),
            window=window,
        )
        first = states.size - window.size
        rings = [Ring(first + i * size, size, X.newest) for i in range(m + 1)]
        return Block(step, params, states, outputs=1 + m, rings=rings)
