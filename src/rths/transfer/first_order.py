"""A first-order lag: the simplest actuator with dynamics.

    T x_m' + x_m = g u                                                                       (1)
    x_m,k = E x_m,k-1 + b_0 u_k-1 + b_1 u_k,   E = exp(-h/T)                                   (2)
    b_1 = g (1 - (1 - E) T/h),   b_0 = g (1 - E) - b_1

(2) is exact for a command that runs straight between ticks. At low frequency the lag is T.

[wu2013] section 5; [chen2010].
"""

from __future__ import annotations

from math import exp

from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields
from rths.quantity import Delay, Positive
from rths.site import Site
from rths.transfer.base import Transfer, describe, register

P = fields(E="E", b_0="b_0", b_1="b_1")
X = fields(displacement="x_m, m", command="command of the last tick, m")


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    x_m, command = x[X.displacement], x[X.command]
    x[X.displacement] = p[P.E] * x_m + p[P.b_0] * command + p[P.b_1] * u[0]  # (2)
    x[X.command] = u[0]
    y[0] = x[X.displacement]


@register
@describe
class FirstOrder(Transfer):
    """Lag with time constant T and gain g."""

    cites = ("wu2013", "chen2010")
    example = {"time_constant": 0.006}

    time_constant: Delay
    """Time constant T, s."""
    gain: Positive = 1.0
    """Static gain g."""

    def block(self, site: Site) -> Block:
        """Yield the block of (2), at rest."""
        h, T, g = site.tick, self.time_constant, self.gain
        E = exp(-h / T) if T > 0 else 0.0
        b_1 = g * (1 - (1 - E) * T / h)
        params = P.pack(E=E, b_0=g * (1 - E) - b_1, b_1=b_1)
        states = X.pack(displacement=g * site.displacement, command=site.displacement)
        return Block(step, params, states)
