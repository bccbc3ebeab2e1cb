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
from rths.quantity import Duration, Order, Range
from rths.site import Site

Lag = Annotated[float, Range("s", "a time", low=-1, high=1, remark="below 0 if early")]


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # p = w_0...w_n-1;   x = ring of forces, the place of the newest, whether begun
    size = x.size - 2
    mask = size - 1
    k = (int(x[size]) + 1) & mask
    if x[size + 1] == 0.0:  # the specimen has stood there before
        for j in range(size):
            x[j] = u[0]
        x[size + 1] = 1.0
    x[k] = u[0]
    x[size] = k
    s = p[0] * u[0]
    for j in range(1, p.size):
        s += p[j] * x[(k - j) & mask]  # (1)
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
        return Block(step, w, size + 2, rings=[Ring(0, size, size)], counters=(size + 1,))
