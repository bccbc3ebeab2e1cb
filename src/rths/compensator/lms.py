"""Adaptive filter: learn to predict the target from its own past, then predict ahead.

    u_k = sum_i w_i d_(k-i),   i = 0...N-1                                                     (1)
    e = sum_i w_i d_(k-m-i) - d_k                            how well d_k was predicted          (2)
    w_i <- w_i - mu e d_(k-m-i) / (eps + sum_j d_(k-m-j)²)     normalised                       (3)
    w_i <- w_i - 2 mu e d_(k-m-i)                             plain                            (4)

m is the delay in ticks; new weights serve from the next tick on. (3) converges for 0 < mu < 2
whatever the size of the motion; (4) only for mu < 1/(N mean square of d), and its speed depends on
the unit. Weights start at (1, 0, ...), no compensation. The filter learns the spectrum of the
target, not the actuator: the delay must be known. Use it for nearly periodic motion with noise.

[londono2011] eqs (1) to (4), where (4) is printed with three faults: the sign of e, the buffer
(it must be the one that was filtered in (2)) and a factor (1 - mu) on w, which pulls the weights to
zero. As printed it diverges. [nagumo1967] for (3).
"""

from __future__ import annotations

import numpy as np

from rths.compensator.base import Compensator, describe, register
from rths.errors import InputError
from rths.loop.block import Block, Ring, Vector, kernel, ring_size
from rths.loop.fields import fields, many
from rths.quantity import Count, Delay, Positive, PositiveMetres
from rths.site import Site

P = fields(
    taps="N",
    delay="m, ticks",
    rate="mu",
    least_power="eps, m²; below 0 for the plain law",
)
X = fields(
    newest="place of the newest target",
    weights=many("w_0...w_(N-1)"),
    targets=many("ring of targets, m"),
)


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    n, m, mu, eps = int(p[P.taps]), int(p[P.delay]), p[P.rate], p[P.least_power]
    w, d = x[X.weights : X.weights + n], x[X.weights + n :]
    mask = d.size - 1
    k = (int(x[X.newest]) + 1) & mask
    d[k] = u[0]
    x[X.newest] = k
    s = 0.0
    e = -u[0]
    power = eps
    for i in range(n):
        past = d[(k - m - i) & mask]
        s += w[i] * d[(k - i) & mask]  # (1)
        e += w[i] * past  # (2)
        power += past * past
    y[0] = s
    rate = 2.0 * mu * e if eps < 0.0 else mu * e / power
    for i in range(n):
        w[i] -= rate * d[(k - m - i) & mask]  # (3), (4)


@register
@describe
class Lms(Compensator):
    """Prediction by an adaptive filter (least mean squares)."""

    clock = "tick"
    cites = ("londono2011", "nagumo1967")
    example = {"delay": 0.006}
    adapts = True

    delay: Delay
    """Delay to be made up for, s, rounded to whole ticks m."""
    taps: Count = 10
    """Number N of targets that the filter uses."""
    rate: Positive = 0.1
    """Learning rate mu: for the normalised law between 0 and 2, for the plain one in 1/m²."""
    normalised: bool = True
    """Whether the normalised law (3) is used, or the plain one (4)."""
    quiet_amplitude: PositiveMetres = 1e-4
    """Amplitude of the target below which (3) learns only slowly, m; eps is N times its square."""

    def __post_init__(self) -> None:
        """Refuse a rate with which the normalised law diverges."""
        if self.normalised and self.rate >= 2:
            raise InputError(
                "compensator.rate",
                self.rate,
                "makes the normalised law diverge",
                "Give a rate between 0 and 2, such as 0.1.",
            )

    def block(self, site: Site) -> Block:
        """Yield the block of (1) to (4), with a history at rest."""
        n, m = self.taps, round(self.delay / site.interval)
        size = ring_size(m + n)
        eps = n * self.quiet_amplitude**2 if self.normalised else -1.0
        targets = np.full(size, site.displacement)
        params = P.pack(taps=n, delay=m, rate=self.rate, least_power=eps)
        states = X.pack(newest=0, weights=np.eye(1, n), targets=targets)
        return Block(step, params, states, rings=[Ring(X.weights + n, size, X.newest)])
