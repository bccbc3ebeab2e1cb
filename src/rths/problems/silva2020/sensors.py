"""Sensors of the benchmark: one noise sequence on both, and a force that comes one tick late.

    x_m = x_k + σ_x z_k,   f_m = f_(k-1) + σ_f z_(k-1),   f_m = 0 at k = 0                       (1)
    i ← 16807 i mod (2^31 - 1),   a, b = 2 i/(2^31 - 1) - 1 in turn until s = a² + b² <= 1      (2)
    z = a sqrt(-2 ln s / s)                                                                  (3)

Both sensors start their generator (2) from the same number: the same sequence up to scale. From
1144108930 it is that of the published run.

[silva2020]; [park1988] Commun. ACM 31(10), 1192-1201 (2); [marsaglia1964] SIAM Rev. 6(3), 260-264.
"""

from __future__ import annotations

from math import log, sqrt
from typing import Any, ClassVar

from rths.description import describe
from rths.errors import InputError
from rths.feedback.base import Feedback
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields
from rths.quantity import Count, Newtons, NonNegativeMetres
from rths.site import Site

PUBLISHED_SEED = 1144108930
MULTIPLIER, MODULUS = 16807, 2**31 - 1
"""Start of the published run, and the numbers of (2)."""
DISPLACEMENT, FORCE = sqrt(6.25e-14 * 4096), sqrt(1.16e-3 * 4096)
"""Standard deviations σ_x (m) and σ_f (N)."""

P = fields(sigma="σ")
X = fields(draw="number i of the generator", force="force measured at the last tick, N")


def draw_normal(x: Vector) -> float:
    """Draw z of (3)."""
    i = int(x[X.draw])
    while True:
        i = MULTIPLIER * i % MODULUS
        a = 2.0 * i / MODULUS - 1.0
        i = MULTIPLIER * i % MODULUS
        b = 2.0 * i / MODULUS - 1.0
        s = a * a + b * b
        if 0.0 < s <= 1.0:
            break
    x[X.draw] = float(i)
    return a * sqrt(-2.0 * log(s) / s)


@kernel
def add_noise(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    y[0] = u[0] + p[P.sigma] * draw_normal(x)


@kernel
def add_noise_and_delay(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    y[0] = x[X.force]  # (1)
    x[X.force] = u[0] + p[P.sigma] * draw_normal(x)


@describe
class Sensors(Feedback):
    """Load cell and displacement transducer with the benchmark's noise."""

    cites = ("silva2020", "park1988", "marsaglia1964")
    kind: ClassVar[str] = "rths.problems.silva2020.sensors:Sensors"

    displacement: NonNegativeMetres = DISPLACEMENT
    """σ_x, m."""
    force: Newtons = FORCE
    """σ_f, N."""
    seed: Count = PUBLISHED_SEED
    """First number of the generator, below 2^31 - 1."""

    def __post_init__(self) -> None:
        """Refuse the numbers from which the generator never moves on."""
        if not 0 < self.seed < MODULUS:
            remedy = f"Use a whole number from 1 to {MODULUS - 1}."
            raise InputError("feedback.seed", self.seed, "cannot start the noise", remedy)

    def displacement_block(self, site: Site) -> Block:
        """Yield the block of (1) for the displacement."""
        told: dict[str, Any] = {"counters": [X.draw], "injects": [P.sigma], "draws": True}
        return Block(add_noise, [self.displacement], [float(self.seed)], **told)

    def block(self, site: Site) -> Block:
        """Yield the block of (1) for the force."""
        states = [float(self.seed), 0.0]
        told: dict[str, Any] = {"counters": [X.draw], "injects": [P.sigma], "draws": True}
        return Block(add_noise_and_delay, [self.force], states, **told)
