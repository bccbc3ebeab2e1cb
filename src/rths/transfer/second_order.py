"""Second order and dead time: what the frequency response of most servo-hydraulic rigs looks like.

    x_m'' + 2 zeta w0 x_m' + w0² x_m = w0² u(t - tau),   w0 = 2 pi f0                            (1)

The phase lag at low frequency is that of a delay of 2 zeta/w0 + tau. Discretised exactly for a
command that runs straight between ticks.

[carrion2006] Fig. 4: f0 = 31.24 Hz, zeta = 0.765, tau = 4.262 ms.
"""

from __future__ import annotations

from math import pi

import numpy as np

from rths.discretisation import first_order_hold
from rths.loop.block import Block, Ring, Vector, kernel, ring_size
from rths.loop.fields import fields, many
from rths.quantity import Delay, Hertz, Positive
from rths.site import Site
from rths.transfer._delay import whole_and_rest
from rths.transfer.base import Transfer, describe, register

P = fields(
    ticks="q, whole ticks of the delay",
    rest="r, the rest of a tick",
    F=many("F by rows, then G_0, then G_1"),
)
X = fields(
    newest="place of the newest command in the ring",
    displacement="x_m, m",
    velocity="x_m', m/s",
    command="delayed command of the last tick, m",
    ring=many("commands"),
)


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    ring, M = x[X.ring :], p[P.F :]
    mask, q, r = ring.size - 1, int(p[P.ticks]), p[P.rest]
    k = (int(x[X.newest]) + 1) & mask
    ring[k] = u[0]
    x[X.newest] = k
    c = (1.0 - r) * ring[(k - q) & mask] + r * ring[(k - q - 1) & mask]
    b, d, v = x[X.command], x[X.displacement], x[X.velocity]
    x[X.displacement] = M[0] * d + M[1] * v + M[4] * b + M[6] * c
    x[X.velocity] = M[2] * d + M[3] * v + M[5] * b + M[7] * c
    x[X.command] = c
    y[0] = x[X.displacement]


@register
@describe
class SecondOrder(Transfer):
    """Resonance f0, damping zeta and a dead time."""

    cites = ("carrion2006",)
    example = {"frequency": 31.24, "damping": 0.765, "delay": 0.0043}

    frequency: Hertz
    """Natural frequency f0 of the actuator with its controller, Hz."""
    damping: Positive
    """Damping ratio zeta; above 1 the actuator does not overshoot at all."""
    delay: Delay = 0.0
    """Dead time tau, s."""

    def block(self, site: Site) -> Block:
        """Yield the block of (1), at rest."""
        w0 = 2 * pi * self.frequency
        A = np.array([[0.0, 1.0], [-(w0**2), -2 * self.damping * w0]])
        F, G_0, G_1 = first_order_hold(A, np.array([[0.0], [w0**2]]), site.tick)
        q, r = whole_and_rest(self.delay, site.tick)
        size, d = ring_size(q + 2), site.displacement
        params = P.pack(ticks=q, rest=r, F=[*F.ravel(), *G_0.ravel(), *G_1.ravel()])
        ring = np.full(size, d)
        states = X.pack(newest=0, displacement=d, velocity=0, command=d, ring=ring)
        return Block(step, params, states, rings=[Ring(X.ring, size, X.newest)])
