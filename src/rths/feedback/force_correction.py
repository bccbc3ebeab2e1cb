"""Force correction: the force of now is taken from where the recent ones lead, a delay ahead.

    f(t) ≈ Σ_j w_j f_m(t - j h),   j = 0...n-1                                                 (1)
    w = (1, δ/h, ..., (δ/h)^N) V^+,   V_jk = (-j)^k                                            (2)

A specimen that is late by δ gives its force late by δ. (1) fits a polynomial of order N to the last
n forces and reads it δ ahead; with δ < 0 (a specimen that is early) it reads back. A polynomial
force of that order is corrected exactly; noise is magnified by sqrt(Σ w²), the more the further
ahead and the shorter the fit.

Use it for the small delay that is left behind a compensator, once it has been measured.

[ahmadizadeh2008] Earthq. Eng. Struct. Dyn. 37(1), 21-42; [wu2013] section 1.1.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from rths.errors import InputError
from rths.feedback.base import Feedback, describe, register
from rths.loop.block import Block, Ring, Vector, kernel, ring_size
from rths.loop.fields import fields, many
from rths.quantity import Duration, Order, Range
from rths.site import Site

Lag = Annotated[float, Range("s", "a time", low=-1, high=1, remark="below 0 if early")]
P = fields(weights=many("w_0...w_n-1, newest first"))
X = fields(ring=many("forces"), newest="place of the newest", begun="whether there was one")


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    size = x.size - 2
    mask = size - 1
    k = (int(x[X.newest]) + 1) & mask
    if x[X.begun] == 0.0:  # the specimen has stood there before
        for j in range(size):
            x[X.ring + j] = u[0]
        x[X.begun] = 1.0
    x[X.ring + k] = u[0]
    x[X.newest] = k
    s = p[P.weights] * u[0]
    for j in range(1, p.size):
        s += p[P.weights + j] * x[X.ring + ((k - j) & mask)]  # (1)
    y[0] = s


def weights(ahead: float, samples: int, order: int) -> Vector:
    """Weights (2), newest force first; ``ahead`` in ticks."""
    V = np.vander(-np.arange(samples, dtype=float), order + 1, increasing=True)
    w: Vector = ahead ** np.arange(order + 1.0) @ np.linalg.pinv(V)
    return w


@register
@describe
class ForceCorrection(Feedback):
    """Extrapolates the measured force over a known residual delay."""

    cites = ("ahmadizadeh2008", "wu2013")
    example = {"delay": 0.003, "span": 0.01}

    delay: Lag
    """Delay delta by which the specimen is late, s; negative if it is early."""
    span: Duration
    """Length of the force history that is fitted, s."""
    order: Order = 2
    """Order N of the polynomial."""

    def block(self, site: Site) -> Block:
        """Yield the block of (1), with a specimen that has stood still before."""
        n = round(self.span / site.tick) + 1
        if n <= self.order:
            raise InputError(
                "feedback.span",
                self.span,
                f"holds {n} force(s), too few for order {self.order}",
                f"Give at least {self.order * site.tick:g} s.",
            )
        w = weights(self.delay / site.tick, n, self.order)
        size = ring_size(n)
        states = X.pack(ring=np.zeros(size), newest=0, begun=0)
        ring, counters = Ring(X.ring, size, size), [states.size + X.begun]
        return Block(step, P.pack(weights=w), states, rings=[ring], counters=counters)
