"""Oil that the actuators of one pump would take together.

    value = Σ A_c |s_c,k - s_c,(k-1)| / T   over all channels of the signal                    (1)

Each actuator may be within its velocity while the pump cannot feed them all: the pressure then
falls, and none of them follows.
"""

from __future__ import annotations

from typing import ClassVar

from rths.guard.base import BOUNDS, Guard, describe, judge, register
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields, many
from rths.quantity import RealVector
from rths.site import Site

P = fields(**BOUNDS.meaning, interval="T, s", areas=many("A of each channel, m²"))
X = fields(before=many("s of the sample before"), begun="whether there was one")


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # u = s of each channel
    flow = 0.0
    for c in range(u.size):
        flow += p[P.areas + c] * abs(u[c] - x[X.before + c])
        x[X.before + c] = u[c]
    value = flow / p[P.interval] if x[X.begun] != 0.0 else 0.0  # (1)
    x[X.begun] = 1.0
    judge(value, p, y)


@register
@describe
class Flow(Guard):
    """Bound on the oil that all actuators take together."""

    example = {"warn": 1e-6, "trip": 0.01, "areas": [0.002]}

    one_sided: ClassVar[bool] = True
    joint: ClassVar[bool] = True

    areas: RealVector
    """Area A of the piston of each actuator, m²."""
    signal: str = "compensator.command"
    """The commands, or what is measured of them."""

    @property
    def watches(self) -> tuple[str, ...]:
        """Name the signal."""
        return (self.signal,)

    def block(self, site: Site) -> Block:
        """Yield the block of (1)."""
        params = P.pack(**self.bounds, interval=site.interval, areas=self.areas)
        states = X.pack(before=[0.0] * len(self.areas), begun=0)
        return Block(step, params, states, outputs=2, counters=[states.size + X.begun])
