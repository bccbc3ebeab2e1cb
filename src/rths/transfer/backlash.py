"""Backlash between an actuator and its specimen: inside the gap the specimen stays where it is.

    x_k = min( max( x_(k-1), a_k - g/2 ), a_k + g/2 )                                          (1)

a is the displacement of the actuator, x that of the specimen, g the gap. After each reversal the
actuator crosses the gap alone: a sine of amplitude A arrives with amplitude A - g/2 and late, the
more so the smaller it is. Use it for pinned joints and worn threads, around any actuator:
``actuator = {kind = "second_order", ...}``.

[londono2011] (backlash of the rig); [visintin1994] (the play operator).
"""

from __future__ import annotations

from rths.loop.block import Block, Vector, inside, kernel
from rths.loop.fields import fields, many
from rths.quantity import PositiveMetres
from rths.site import Site
from rths.transfer.base import OuterTransfer, describe, register

P = fields(half_gap="g/2, m", inside=many("p of the actuator"))
X = fields(displacement="x of the specimen, m", inside=many("x of the actuator"))


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    inside(x[X.inside :], p[P.inside :], u, y)
    g = p[P.half_gap]
    y[0] = x[X.displacement] = min(max(x[X.displacement], y[0] - g), y[0] + g)  # (1)


@register
@describe
class Backlash(OuterTransfer):
    """A gap in the joint between actuator and specimen."""

    cites = ("londono2011", "visintin1994")
    example = {
        "gap": 0.0001,
        "actuator": {"kind": "second_order", "frequency": 31.24, "damping": 0.765, "delay": 0.0043},
    }

    gap: PositiveMetres
    """Width g of the gap, m."""

    @property
    def inputs(self) -> tuple[str, ...]:  # type: ignore[override]
        """Signals of the actuator inside."""
        return self.inner_transfer.inputs

    def block(self, site: Site) -> Block:
        """Yield the block of (1), with the specimen at rest in the middle of the gap."""
        params = P.pack(half_gap=self.gap / 2, inside=())
        states = X.pack(displacement=site.displacement, inside=())
        inside, outputs = {"inside": self.inner_transfer.block(site)}, 1 + len(self.ports)
        return Block.around(step, params, states, inside, outputs)
