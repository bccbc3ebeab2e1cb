"""An actuator that fails: its oil pressure goes, it saturates, or it runs away.

    oil_pressure_loss   x_k = x_(k-1) + clip( a_k - x_(k-1), ± v h )                           (1)
    saturation          |x| <= v                                                             (2)
    runaway             x_k = x_(k-1) ± v h, outwards, whatever is commanded                (3)

a is what the actuator would do in good order; the fault begins at its time and stays. Use it around
any actuator to see what a loop and its guards make of it: ``actuator = {kind = "dead_time", ...}``.
"""

from __future__ import annotations

from typing import Literal

from rths.loop.block import Block, Vector, kernel
from rths.loop.site import Site
from rths.quantity import NonNegative, Seconds
from rths.transfer.base import OuterTransfer, describe, register
from rths.transfer.dead_time import step as actuator

FAULTS = ("oil_pressure_loss", "saturation", "runaway")
HEAD, ROOM = 3, 3
"""Parameters and states before those of the actuator."""


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # p = fault, first tick, v (v h for a velocity), then the actuator's
    # x = tick, displacement, side, then the actuator's
    actuator(x[ROOM:], p[HEAD:], u, y)
    if x[0] >= p[1]:
        if x[2] == 0.0:
            x[2] = -1.0 if x[1] < 0.0 else 1.0
        if p[0] == 0.0:
            y[0] = x[1] + min(max(y[0] - x[1], -p[2]), p[2])  # (1)
        elif p[0] == 1.0:
            y[0] = min(max(y[0], -p[2]), p[2])  # (2)
        else:
            y[0] = x[1] + x[2] * p[2]  # (3)
    x[0] += 1.0
    x[1] = y[0]


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
        return self.inside.inputs

    def block(self, site: Site) -> Block:
        """Yield the block of (1) to (3), at rest."""
        size = self.size if self.fault == "saturation" else self.size * site.tick
        first = round(self.start / site.tick)
        head = [float(FAULTS.index(self.fault)), float(first), size]
        return self.surround(step, head, [0.0, site.displacement, 0.0], site)
