"""What every compensator has: a block that turns the target of a channel into its command."""

from __future__ import annotations

from typing import ClassVar, Literal

from rths.description import described
from rths.loop.block import Block
from rths.loop.site import Site
from rths.registry import register

__all__ = ["Compensator", "described", "register"]


@described
class Compensator:
    """Base of all compensators: one block for each channel."""

    role: ClassVar[str] = "compensator"
    kind: ClassVar[str]
    clock: ClassVar[Literal["stage", "tick"]] = "stage"
    """Whether it works on the integrator's targets, before the ramp, or on ticks, after it."""
    inputs: ClassVar[tuple[str, ...]] = ("integrator.target",)
    """Signals it reads. On stages also integrator.next_velocity (at the target's time) and
    integrator.displacement, .velocity, .acceleration (at the boundary before); on either clock
    feedback.displacement and feedback.force (of the tick before) and excitation.ahead."""
    preview: ClassVar[int] = 0
    """Values of the excitation, from the target's time on, that excitation.ahead holds."""
    joint: ClassVar[bool] = False
    """Whether one block serves all channels: whole vectors in, all commands out."""

    def block(self, site: Site) -> Block | None:
        """Yield the block target -> command; None if the target is the command."""
        raise NotImplementedError
