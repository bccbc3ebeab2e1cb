"""Sensor noise: independent Gaussian numbers on the measured force and displacement.

    f_m = f + σ_f z_k,   x_m = x + σ_x z'_k                                                    (1)
    z_k = sqrt(-2 ln u) cos 2πw,   (u, w) from block k of a counter-based generator            (2)

The generator (Philox 4x32, ten rounds) makes its k-th block from k and a key alone: the count of
ticks is its whole state, so that a snapshot, a restore and every loop give the same numbers. The
key comes from the seed of the test and differs by channel and sensor. The noise is white up to half
the tick rate, with the density 2 σ² h.

Use it to see how much noise a compensator hands on to the structure.

[salmon2011] Proc. SC11; [boxmuller1958] Ann. Math. Stat. 29(2), 610-611.
"""

from __future__ import annotations

from math import cos, log, pi, sqrt

from rths.feedback._philox import LOW, philox
from rths.feedback.base import Feedback, describe, register
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields
from rths.quantity import Newtons, NonNegativeMetres
from rths.site import Site

P = fields(
    sigma="σ", seed="first half of the key", sensor="second half of the key: 0 force, 1 path"
)
X = fields(tick="ticks so far")


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    k = int(x[X.tick])
    x[X.tick] += 1.0
    a, b, c, _ = philox(k & LOW, k >> 32, int(p[P.seed]), int(p[P.sensor]))
    uniform = ((a << 21) + (b >> 11) + 0.5) * 2.0**-53
    y[0] = u[0] + p[P.sigma] * sqrt(-2.0 * log(uniform)) * cos(2.0 * pi * 2.0**-32 * c)  # (1), (2)


@register
@describe
class Noise(Feedback):
    """White noise of load cell and displacement transducer."""

    cites = ("salmon2011", "boxmuller1958")
    example = {"force": 0.01, "displacement": 1e-06}
    silent = False  # noise is added to nothing as well

    force: Newtons = 0.0
    """Standard deviation sigma_f of the force, N."""
    displacement: NonNegativeMetres = 0.0
    """Standard deviation sigma_x of the displacement, m."""

    def displacement_block(self, site: Site) -> Block | None:
        """Yield the block of (1) for the displacement."""
        return _block(self.displacement, site.seed, 1)

    def block(self, site: Site) -> Block | None:
        """Yield the block of (1) for the force."""
        return _block(self.force, site.seed, 0)


def _block(sigma: float, seed: int, sensor: int) -> Block | None:
    if sigma == 0.0:
        return None
    params = P.pack(sigma=sigma, seed=seed & LOW, sensor=sensor)
    return Block(step, params, X.pack(tick=0), counters=[X.tick], injects=[P.sigma], draws=True)
