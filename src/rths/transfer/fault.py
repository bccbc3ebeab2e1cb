"""An actuator that fails: its oil pressure goes, it saturates, or it runs away.

    oil_pressure_loss   x_k = x_(k-1) + clip( a_k - x_(k-1), ± v h )                           (1)
    saturation          |x| <= v                                                             (2)
    runaway             x_k = x_(k-1) ± v h, outwards, whatever is commanded                (3)

a is what the actuator would do in good order; the fault begins at its time and stays. Use it around
any actuator to see what a loop and its guards make of it: ``actuator = {kind = "dead_time", ...}``.
"""

from __future__ import annotations

from typing import Literal

from rths.loop.block import Block, Vector, inside, kernel
from rths.loop.fields import fields, many
from rths.quantity import NonNegative, Seconds
from rths.site import Site
from rths.transfer.base import OuterTransfer, describe, register

FAULTS = ("oil_pressure_loss", "saturation", "runaway")
OIL_PRESSURE_LOSS, SATURATION, RUNAWAY = range(3)
P = fields(
    fault="which of FAULTS",
    first="first tick of the fault",
    size="v h, m, of a velocity; v, m, of a stroke",
    inside=many("p of the actuator"),
)
X = fields(
    tick="ticks so far",
    displacement="x_k-1, m",
    side="side to which it runs away, 0 before the fault",
    inside=many("x of the actuator"),
)


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    inside(x[X.inside :], p[P.inside :], u, y)
    old, v = x[X.displacement], p[P.size]
    if x[X.tick] >= p[P.first]:
        if x[X.side] == 0.0:
            x[X.side] = -1.0 if old < 0.0 else 1.0
        if p[P.fault] == OIL_PRESSURE_LOSS:
            y[0] = old + min(max(y[0] - old, -v), v)  # (1)
        elif p[P.fault] == SATURATION:
            y[0] = min(max(y[0], -v), v)  # (2)
        else:
            y[0] = old + x[X.side] * v  # (3)
    x[X.tick] += 1.0
    x[X.displacement] = y[0]


@register
@describe
class Fault(OuterTransfer):
    """One fault of an actuator."""

    example = {
        "fault": "oil_pressure_loss",
        "start": 0.1,
        "size": 0.001,
        "actuator": {"kind": "first_order", "time_constant": 0.006},
    }

    fault: Literal["oil_pressure_loss", "saturation", "runaway"]
    """What happens."""
    start: Seconds
    """Time at which it begins, s."""
    size: NonNegative
    """Velocity v that is left, or with which it runs away, m/s; for saturation the stroke, m."""

    @property
    def inputs(self) -> tuple[str, ...]:  # type: ignore[override]
        """Signals of the actuator inside."""
        return self.inner_transfer.inputs

    def block(self, site: Site) -> Block:
        """Yield the block of (1) to (3), at rest."""
        size = self.size if self.fault == "saturation" else self.size * site.tick
        first = round(self.start / site.tick)
        params = P.pack(fault=FAULTS.index(self.fault), first=first, size=size, inside=())
        states = X.pack(tick=0, displacement=site.displacement, side=0, inside=())
        inside, outputs = {"inside": self.inner_transfer.block(site)}, 1 + len(self.ports)
        return Block.around(step, params, states, inside, outputs, counters=[X.tick])
