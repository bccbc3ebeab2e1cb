"""A limit on the value of a signal.

    value = s                                                                                (1)

Use it for strokes, forces and velocities that the rig or the specimen must not see.
"""

from __future__ import annotations

from rths.guard.base import BOUNDS, Guard, describe, judge, register
from rths.loop.block import Block, Vector, kernel
from rths.loop.channel_name import split_channel
from rths.site import Site

AT_REST = (
    "integrator.target",
    "integrator.stage_target",
    "compensator.command",
    "compensator.stage_command",
    "safety.faded",
    "safety.command",
    "safety.displacement",
    "transfer.displacement",
    "feedback.displacement",
)
"""Signals that have stood where the test begins for t <= 0."""


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    judge(u[0], p, y)  # (1)


@register
@describe
class Limit(Guard):
    """Bounds on any signal of a channel."""

    example = {"signal": "transfer.displacement", "warn": 0.001, "trip": 0.02}
    derivative = 0

    signal: str
    """The signal, or one channel of it, as feedback.force or transfer.displacement[1]."""

    @property
    def watches(self) -> tuple[str, ...]:
        """Name the signal."""
        return (self.signal,)

    @property
    def begins_at_rest(self) -> bool:
        """Tell whether the samples before the first are known: ``site.displacement``."""
        return split_channel(self.signal)[0] in AT_REST

    def block(self, site: Site) -> Block:
        """Yield the block of (1)."""
        return Block(step, BOUNDS.pack(**self.bounds), outputs=2)
