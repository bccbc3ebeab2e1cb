"""A sensor that is stuck: it repeats itself bit for bit while the target moves on.

    value = samples without a change of s while the target is more than a from where it was     (1)
            when s changed last

A sensor in good order always shows some noise or motion; one that rests while the target rests is
no fault, and such a rest does not count when the target begins to move before the actuator. A
sample for which no reply came repeats the last one by the link's doing and is not counted, nor is
the way of the target meanwhile: the guards on the link judge that. Use it on measured displacement
and force. What ``rths guards`` suggests watches the force for a whole period of the motion: a model
that yields without hardening repeats its force, bit for bit, until the motion turns, and a test
that goes a little further than its rehearsal may be the first to yield.
"""

from __future__ import annotations

from typing import Any

from rths.guard._rehearsal import MEASURED, NEVER, SENT, Rehearsal, Suggestion, round_up
from rths.guard.base import BOUNDS, describe, judge, register
from rths.guard.limit import Limit
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields
from rths.quantity import NonNegativeMetres
from rths.site import Site

MOST = 0.1
"""Largest share of a period that a force may repeat itself in a rehearsal: one that rests for
longer says nothing by resting."""
MOVED = 0.1
"""Suggested a as a share of the largest motion."""
P = fields(**BOUNDS.meaning, moved="a, m")
X = fields(
    last="s_k-1",
    target="target when s last changed, and the way it went without replies, m",
    before="target of the sample before, m",
    since="samples that count since then",
    begun="whether there was a sample",
)


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # u = s, target, replies missed in a row
    if u[2] > 0.0:
        x[X.target] += u[1] - x[X.before]
    elif x[X.begun] == 0.0 or u[0] != x[X.last]:
        x[X.last], x[X.target], x[X.since], x[X.begun] = u[0], u[1], 0.0, 1.0
    elif abs(u[1] - x[X.target]) > p[P.moved]:
        x[X.since] += 1.0
    x[X.before] = u[1]
    judge(x[X.since] if abs(u[1] - x[X.target]) > p[P.moved] else 0.0, p, y)  # (1)


@register
@describe
class Stuck(Limit):
    """Bounds on the number of samples without a change."""

    example = {"signal": "feedback.displacement", "trip": 50, "moved": 0.001}

    moved: NonNegativeMetres
    """Distance a that the target must have moved, m."""
    target: str = "integrator.target"
    """The signal that moves when the sensor should."""
    missed: str = "hardware.missed"
    """The signal that counts missed replies."""

    @property
    def watches(self) -> tuple[str, ...]:
        """Name sensor, target and missed replies."""
        return (self.signal, self.target, self.missed)

    @classmethod
    def suggest(cls, seen: Rehearsal) -> tuple[Suggestion, ...]:
        """Watch a force that hardly ever repeats itself in good order."""
        if not seen.peak > 0.0:
            return ()
        moved = round_up(MOVED * seen.peak)
        given: dict[str, Any] = {"signal": MEASURED[0], "moved": moved, "target": SENT}
        repeated = seen.furthest(cls(warn=NEVER, **given))
        if repeated * seen.tick > MOST * seen.period:
            return ()
        reason = f"a period of the motion; in the rehearsal {repeated:g} samples repeat themselves"
        return (seen.suggestion(cls, given, seen.period / seen.tick, reason),)

    def block(self, site: Site) -> Block:
        """Yield the block of (1)."""
        params = P.pack(**self.bounds, moved=self.moved)
        return Block(step, params, len(X), outputs=2, counters=[X.since, X.begun])
