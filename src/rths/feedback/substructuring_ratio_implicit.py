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

import numpy as np

from rths.errors import InputError
from rths.feedback import _ratio
from rths.feedback._ratio import Blend, ratio
from rths.feedback.base import describe, register
from rths.loop.block import Block, Vector, inside, kernel
from rths.loop.fields import fields, many, vectors
from rths.site import Site

HALVINGS = 52
"""Halvings of (1) down to round-off: as many as a float64 has digits."""
P = fields(
    **_ratio.P.meaning,
    stage="ticks of a stage",
    tick="h, s",
    gamma="γ of this channel, m/(N s)",
    size="n, degrees of freedom",
    loads="ne, excitations",
    rows=many("ROWS of v* over the degrees of freedom"),
    of_loads=many("row of v* over e_k"),
    inside=many("p of the estimate"),
)
X = fields(
    **_ratio.X.meaning,
    since="ticks since a boundary",
    target="target at the boundary, m",
    free_velocity="v*, m/s",
    share="1 - SR",
    computed="g, N",
    moved="displacement of the estimate, m",
    force="f_n of the estimate, N",
    before=many("x_k-1"),
    trial=many("x of the estimate as it is tried, and the code of a trial, which stops nothing"),
    inside=many("x of the estimate, and its code"),
)
ROWS = vectors(now="over x_k", before="over x_k-1")
ESTIMATE = vectors(trial="as it is tried", inside="as it is")
"""The last two of X, which are of one size."""


def estimate_places(x: Vector, p: Vector) -> tuple[int, int, int, int]:
    """Give where trial and state of the estimate begin, their size, and where its p begins."""
    n = int(p[P.size])
    first = X.before + n
    own = (x.size - first) // len(ESTIMATE)
    trial, state = first + ESTIMATE.trial * own, first + ESTIMATE.inside * own
    return trial, state, own, P.rows + len(ROWS) * n + int(p[P.loads])


@kernel
def hold(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # solves (1) at a boundary; x and p are those of ``step``
    trial, state, own, inner = estimate_places(x, p)
    target, free, share, gamma = x[X.target], x[X.free_velocity], x[X.share], p[P.gamma]
    low, high, v = free, free, free
    for k in range(HALVINGS):
        for i in range(own):
            x[trial + i] = x[state + i]
        x[X.moved] = (target + p[P.tick] * v) * p[P.length_scale]
        moved, force = x[X.moved : X.moved + 1], x[X.force : X.force + 1]
        inside(x[trial : trial + own], p[inner:], moved, force)
        w = free - gamma * share * p[P.force_scale] * x[X.force]
        if k == 0:  # f_n grows with v: the root lies between v* and this
            low, high = min(w, v), max(w, v)
        elif v > w:
            high = v
        else:
            low = v
        v = 0.5 * (low + high)
    x[X.computed] = (free - v) / gamma  # (1)


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # u = f_m, target, SR if operated, e_k, response;   y = f, SR, g
    n, ne = int(p[P.size]), int(p[P.loads])
    e, of_loads = 2 + int(p[P.operated]), P.rows + len(ROWS) * n
    _, state, _, inner = estimate_places(x, p)
    r = ratio(x, p, u)
    x[X.moved] = u[1] * p[P.length_scale]
    inside(x[state:], p[inner:], x[X.moved : X.moved + 1], x[X.force : X.force + 1])
    if x[X.since] == 0.0:
        v = -p[P.gamma] * r * u[0]
        for j in range(n):
            now, before = p[P.rows + ROWS.now * n + j], p[P.rows + ROWS.before * n + j]
            v += now * u[e + ne + j] + before * x[X.before + j]  # (2), (3)
            x[X.before + j] = u[e + ne + j]
        for j in range(ne):
            v += p[of_loads + j] * u[e + j]
        x[X.target], x[X.free_velocity], x[X.share] = u[1], v, 1.0 - r
        hold(x, p, u, y)
    x[X.since] = x[X.since] + 1.0 if x[X.since] + 1.0 < p[P.stage] else 0.0
    y[0] = x[X.computed] + r * u[0]  # (1)
    y[1] = r
    y[2] = x[X.computed]


@register
@describe
class SubstructuringRatioImplicit(Blend):
    """Blends the measured force with that of a model which may stick."""

    example = {
        "ratio": 0.7,
        "estimate": {"kind": "power_law_damper", "coefficient": 15.0, "exponent": 0.15},
    }

    def __post_init__(self) -> None:
        """Ask for the response and the excitation too."""
        Blend.__post_init__(self)
        asked = (*self.inputs, "excitation.ahead", "integrator.response")
        object.__setattr__(self, "inputs", asked)

    def preview(self, stage: float) -> int:
        """Ask for the excitation of now, which the integrator reads after this."""
        return 1

    def block(self, site: Site) -> Block:
        """Yield the block of (1) to (3)."""
        e, dt, model = site.equation, site.stage, self.model_block(site)
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
        params = P.pack(
            **self.shares(site.tick),
            stage=round(dt / site.tick),
            tick=site.tick,
            gamma=gamma,
            size=n,
            loads=ne,
            rows=ROWS.pack(now=on_x, before=on_old),
            of_loads=L @ to_x @ e.B / dt,
            inside=(),
        )
        states = X.pack(
            tick=0,
            since=0,
            target=0,
            free_velocity=0,
            share=0,
            computed=0,
            moved=0,
            force=0,
            before=e.displacement - dt * e.velocity,
            trial=np.append(model.states, 0.0),
            inside=(),
        )
        counters = [X.tick, X.since]
        parts = {"inside": model}
        return Block.around(step, params, states, parts, outputs=3, counters=counters, work=45.0)
