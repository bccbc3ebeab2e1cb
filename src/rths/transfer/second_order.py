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
from rths.loop.site import Site
from rths.quantity import Delay, Hertz, Positive
from rths.transfer.base import Transfer, describe, register
from rths.transfer.dead_time import whole_and_rest


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # p = q, r, F (2x2), G_0 (2), G_1 (2);   x = ring, newest, x_m, x_m', delayed command before
    size = x.size - 4
    mask, q, r = size - 1, int(p[0]), p[1]
    k = (int(x[size]) + 1) & mask
    x[k] = u[0]
    x[size] = k
    c = (1.0 - r) * x[(k - q) & mask] + r * x[(k - q - 1) & mask]
    b, d, v = x[size + 3], x[size + 1], x[size + 2]
    x[size + 1] = p[2] * d + p[3] * v + p[6] * b + p[8] * c
    x[size + 2] = p[4] * d + p[5] * v + p[7] * b + p[9] * c
    x[size + 3] = c
    y[0] = x[size + 1]


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
        params = np.concatenate([[q, r], F.ravel(), G_0.ravel(), G_1.ravel()])
        states = np.concatenate([np.full(size, d), [0.0, d, 0.0, d]])
        return Block(step, params, states, rings=[Ring(0, size, size)])
