"""Substructuring ratio with a computed share that can hold a mass still.

    f = g + SR f_m,   v = v* - γ g,   g = (1 - SR) f_n(v)                                      (1)
    v* = L (x* - x_k)/dt,   γ = dt L (M + dt/2 C)^-1 L'                                        (2)
    (M/dt² + C/2dt) x* = B e_k - K x_k - L' SR f_m + 2M/dt² x_k - (M/dt² - C/2dt) x_k-1          (3)

v is the velocity over the next step, v* what it would be without the computed share g. An
explicit share of friction chatters about rest; (1) is solved for v by bisection, so that g is
whatever keeps v at zero as long as friction can. With a late friction-like damper the loop then
oscillates only for SR > 1/2, with a peak velocity of about (2 SR - 1) f τ/m: below, the computed
share exceeds the late one and stops it. Beside that cycle a rest which friction can hold remains.

Use it for friction and fluid dampers. (3) is the step of central differences and of explicit
Newmark; with other integrators it holds up to their difference from those.

[londono2011] eq. (40).
"""

from __future__ import annotations

from functools import cache

import numpy as np

from rths.errors import InputError
from rths.feedback.base import describe, register
from rths.feedback.substructuring_ratio import SubstructuringRatio, ratio
from rths.loop.block import Block, Kernel, Ring, Vector, kernel, stop_code
from rths.loop.site import Site

OWN_PARAMS, ROOM, HALVINGS = 8, 6, 52
"""Parameters and states before those that depend on sizes; halvings down to round-off."""


@kernel
def estimate(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    y[0] = 0.0  # stands for the specimen until it is known


@kernel
def hold(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # x = input and output of the estimate, its states twice
    # p = force scale, 1/length scale, h, γ, p of the estimate;   u = target, v*, 1 - SR;   y = g
    n, gamma = (x.size - 2) // 2, p[3]
    low, high, v = u[1], u[1], u[1]
    for k in range(HALVINGS):
        for i in range(n):
            x[2 + n + i] = x[2 + i]
        x[0] = (u[0] + p[2] * v) * p[1]
        estimate(x[2 + n :], p[4:], x[0:1], x[1:2])
        w = u[1] - gamma * u[2] * p[0] * x[1]
        if k == 0:  # f_n grows with v: the root lies between v* and this
            low, high = min(w, v), max(w, v)
        elif v > w:
            high = v
        else:
            low = v
        v = 0.5 * (low + high)
    y[0] = (u[1] - v) / gamma  # (1)


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> int:
    # p = whether operated, SR_0, SR, start and length of the ramp, ticks of a stage, n, ne, row of
    #     v* over x_k, x_k-1, e_k, p of hold;   u = f_m, target, SR if operated, e_k, response
    # x = ticks, ticks since a boundary, u and y of hold, x_k-1, x of hold;   y = f, SR, g
    n, ne = int(p[6]), int(p[7])
    e = 2 + int(p[0])
    own, inner = ROOM + n, OWN_PARAMS + 2 * n + ne
    half = (x.size - own - 2) // 2
    r = ratio(x, p, u)
    x[own] = u[1] * p[inner + 1]
    inside = x[own + 2 : own + 2 + half]
    code = stop_code(estimate(inside, p[inner + 4 :], x[own : own + 1], x[own + 1 : own + 2]))
    if x[1] == 0.0:
        v = -p[inner + 3] * r * u[0]
        for j in range(n):
            v += p[OWN_PARAMS + j] * u[e + ne + j] + p[OWN_PARAMS + n + j] * x[ROOM + j]  # (2), (3)
            x[ROOM + j] = u[e + ne + j]
        for j in range(ne):
            v += p[OWN_PARAMS + 2 * n + j] * u[e + j]
        x[2] = u[1]
        x[3] = v
        x[4] = 1.0 - r
        hold(x[own:], p[inner:], x[2:5], x[5:6])
    x[1] = x[1] + 1.0 if x[1] + 1.0 < p[5] else 0.0
    y[0] = x[5] + r * u[0]  # (1)
    y[1] = r
    y[2] = x[5]
    return int(code)


@cache
def embed_specimen(specimen: Kernel) -> Kernel:
    """Put the kernel of a specimen in the place of the estimate."""
    return step.calling(estimate=specimen, hold=hold.calling(estimate=specimen))


@register
@describe
class SubstructuringRatioImplicit(SubstructuringRatio):
    """Blends the measured force with that of a model which may stick."""

    example = {
        "ratio": 0.7,
        "estimate": {"kind": "power_law_damper", "coefficient": 15.0, "exponent": 0.15},
    }

    def __post_init__(self) -> None:
        """Ask for the response and the excitation too."""
        SubstructuringRatio.__post_init__(self)
        asked = (*self.inputs, "excitation.ahead", "integrator.response")
        object.__setattr__(self, "inputs", asked)

    def preview(self, stage: float) -> int:
        """Ask for the excitation of now, which the integrator reads after this."""
        return 1

    def block(self, site: Site) -> Block:
        """Yield the block of (1) to (3)."""
        e, dt, inside = site.equation, site.stage, self.estimate_block(site)
        assert e is not None
        if e.restoring is not None:
            raise InputError(
                "feedback.kind",
                self.kind,
                "needs a linear structure",
                "Use substructuring_ratio, with a step that resolves the damper.",
            )
        L, n, ne = e.L[site.channel], e.size, e.B.shape[1]
        to_x = np.linalg.inv(e.M / dt**2 + e.C / (2 * dt))
        on_x = L @ (to_x @ (2 * e.M / dt**2 - e.K) - np.eye(n)) / dt
        on_old = L @ to_x @ (e.C / (2 * dt) - e.M / dt**2) / dt
        gamma = L @ to_x @ L / dt
        head, rows = self.ratio_params(site.tick), [*on_x, *on_old, *(L @ to_x @ e.B / dt)]
        params = [*head[:5], round(dt / site.tick), n, ne, *rows]
        params += [*head[5:], site.tick, gamma, *inside.params]
        before = e.displacement - dt * e.velocity
        states = [*np.zeros(ROOM), *before, 0.0, 0.0, *inside.states, *inside.states]
        own = ROOM + n + 2
        return Block(
            embed_specimen(inside.kernel),
            params,
            states,
            outputs=3,
            rings=[Ring(r.first + own, r.size, r.position + own) for r in inside.rings],
            counters=[0, 1, *(c + own for c in inside.counters)],
        )
