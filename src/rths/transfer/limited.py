"""Limits of stroke, velocity and force around an actuator.

    x_k = x_(k-1) + clip( a_k - x_(k-1), -h V_-, h V_+ ),   then  |x_k| <= S                     (1)
    V_+ = V sqrt(1 - f/F),   V_- = V sqrt(1 + f/F),   0 where the root is not real              (2)

a is what the actuator would do without limits, f the force of its specimen. (2) is the flow through
a valve that is fully open: against a force the actuator is slower, at the force F it stalls, and
with a force behind it it is faster. A saturated actuator falls behind and then catches up at full
speed. Use it to see before a test whether the actuator is strong and fast enough, around any
actuator: ``actuator = {kind = "second_order", ...}``.

[merritt1967] (flow and load pressure).
"""

from __future__ import annotations

from math import sqrt

from rths.errors import InputError
from rths.loop.block import FINITE, Block, Vector, inside, kernel
from rths.loop.fields import fields, many
from rths.quantity import PositiveMetres, PositiveMetresPerSecond, PositiveNewtons
from rths.site import Site
from rths.transfer.base import OuterTransfer, describe, register

P = fields(
    stroke="S, m",
    speed="h V, m: the way of a tick without load",
    weakness="1/F, 1/N; 0 if no force stalls it",
    inside=many("p of the actuator"),
)
X = fields(displacement="x_k-1, m", inside=many("x of the actuator"))


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # u = inputs of the actuator, force of the specimen
    inside(x[X.inside :], p[P.inside :], u[:-1], y)
    load, S, moved = p[P.weakness] * u[-1], p[P.stroke], x[X.displacement]
    ahead = p[P.speed] * sqrt(max(1.0 - load, 0.0))  # (2)
    back = p[P.speed] * sqrt(max(1.0 + load, 0.0))
    moved += min(max(y[0] - moved, -back), ahead)  # (1)
    y[0] = x[X.displacement] = min(max(moved, -S), S)


@register
@describe
class Limited(OuterTransfer):
    """An actuator that is not infinitely long, fast and strong."""

    cites = ("merritt1967",)
    example = {"velocity": 0.05, "actuator": {"kind": "first_order", "time_constant": 0.006}}

    stroke: PositiveMetres | None = None
    """Largest displacement S to either side, m; none if not given."""
    velocity: PositiveMetresPerSecond | None = None
    """Largest velocity V without load, m/s; none if not given."""
    force: PositiveNewtons | None = None
    """Force F at which the actuator stalls, N; none if not given. Needs a velocity."""

    def __post_init__(self) -> None:
        """Refuse a stall force without a velocity: (2) would jump from no limit to a full stop."""
        _ = self.inner_transfer
        if self.force is not None and self.velocity is None:
            raise InputError(
                "transfer.force",
                self.force,
                "limits the velocity, which has no limit yet",
                "Give the velocity of the unloaded actuator too.",
            )

    @property
    def inputs(self) -> tuple[str, ...]:  # type: ignore[override]
        """Signals of the actuator inside, then the force of the specimen."""
        return (*self.inner_transfer.inputs, "specimen.force")

    def block(self, site: Site) -> Block:
        """Yield the block of (1) and (2), at rest."""
        stroke = FINITE if self.stroke is None else self.stroke
        speed = FINITE if self.velocity is None else self.velocity * site.tick
        weakness = 0.0 if self.force is None else 1 / self.force
        params = P.pack(stroke=stroke, speed=speed, weakness=weakness, inside=())
        states = X.pack(displacement=site.displacement, inside=())
        inside, outputs = {"inside": self.inner_transfer.block(site)}, 1 + len(self.ports)
        return Block.around(step, params, states, inside, outputs)
