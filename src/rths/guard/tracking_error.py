"""A limit on the distance between where the specimen is and where it should be.

    value = x_m(t_k) - x_t(t_k - τ)                                                            (1)

With the delay τ that is known and lived with, the level can be as small as the rest of the error.
While the command fades in, the target is not yet followed: let the target be safety.command then.
"""

from __future__ import annotations

from rths.guard.base import BOUNDS, Guard, describe, judge, register
from rths.loop.block import Block, Ring, Vector, kernel, ring_size
from rths.loop.fields import fields, many
from rths.quantity import Delay
from rths.site import Site

P = fields(**BOUNDS.meaning, late="τ/T, whole samples")
X = fields(ring=many("targets"), newest="place of the newest")


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # u = x_m, x_t
    mask = x.size - 2
    k = (int(x[X.newest]) + 1) & mask
    x[k], x[X.newest] = u[1], k
    judge(u[0] - x[(k - int(p[P.late])) & mask], p, y)  # (1)


@register
@describe
class TrackingError(Guard):
    """Bounds on the tracking error of a channel."""

    example = {"warn": 1e-05, "trip": 0.01}

    signal: str = "feedback.displacement"
    """The measured displacement."""
    target: str = "integrator.target"
    """The displacement it should have."""
    delay: Delay = 0.0
    """Delay τ that is no error, s; rounded to whole ticks."""

    @property
    def watches(self) -> tuple[str, ...]:
        """Name the measured displacement and the target."""
        return (self.signal, self.target)

    def block(self, site: Site) -> Block:
        """Yield the block of (1), at rest where the actuator stands."""
        late = round(self.delay / site.interval)
        size = ring_size(late + 2)
        states = X.pack(ring=[site.displacement] * size, newest=0)
        ring = [Ring(X.ring, size, size)]
        return Block(step, P.pack(**self.bounds, late=late), states, outputs=2, rings=ring)
