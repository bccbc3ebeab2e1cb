"""A sensor that is stuck: it repeats itself bit for bit while the target moves on.

    value = samples since s changed, if the target has moved more than a since then, else 0     (1)

A sensor in good order always shows some noise or motion; one that rests while the target rests is
no fault. Use it on measured displacement and force.
"""

from __future__ import annotations

from rths.guard.base import BOUNDS, describe, judge, register
from rths.guard.limit import Limit
from rths.loop.block import Block, Vector, kernel
from rths.loop.site import Site
from rths.quantity import NonNegativeMetres


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # p = bounds, a;   u = s, target;   x = s, target when s last changed, samples since, begun
    if x[3] == 0.0 or u[0] != x[0]:
        x[0], x[1], x[2], x[3] = u[0], u[1], 0.0, 1.0
    else:
        x[2] += 1.0
    judge(x[2] if abs(u[1] - x[1]) > p[BOUNDS] else 0.0, p, y)  # (1)


@register
@describe
class Stuck(Limit):
    """Bounds on the number of samples without a change."""

    example = {"signal": "feedback.displacement", "trip": 50, "moved": 0.001}

    moved: NonNegativeMetres
    """Distance a that the target must have moved, m."""
    target: str = "integrator.target"
    """The signal that moves when the sensor should."""

    @property
    def watches(self) -> tuple[str, ...]:
        """Name the sensor and the target."""
        return (self.signal, self.target)

    def block(self, site: Site) -> Block:
        """Yield the block of (1)."""
        return Block(step, [*self.bounds, self.moved], 4, outputs=2, counters=(2, 3))
