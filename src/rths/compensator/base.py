"""What every compensator has: a block that turns the target of a channel into its command."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from rths.description import describe
from rths.loop.block import Block
from rths.loop.port import Port
from rths.registry import register
from rths.site import Site

__all__ = ["Compensator", "describe", "register"]


@describe
class Compensator:
    """Base of all compensators: one block for each channel."""

    role: ClassVar[str] = "compensator"
    kind: ClassVar[str]
    example: ClassVar[Mapping[str, Any]]
    """Fields of a working member: what tests, benches and ``rths explain`` take."""
    clock: ClassVar[Literal["stage", "step", "tick"]] = "stage"
    """Whether it works on the integrator's targets, on those of whole steps alone (its command is
    then ramped over a step), or on ticks, after the ramp."""
    inputs: ClassVar[tuple[str, ...]] = ("integrator.target",)
    """Signals it reads. On stages also integrator.next_velocity (at the target's time) and
    integrator.displacement, .velocity, .acceleration (at the boundary before); on either clock
    feedback.displacement and feedback.force (of the tick before) and excitation.ahead; structure
    wide integrator.response and structure.restoring (none of a linear structure)."""
    ports: ClassVar[tuple[Port, ...]] = ()
    """What the block writes after the command, such as an estimate: signals compensator.<name>."""
    model_order: ClassVar[int | None] = None
    """Degree of the actuator's inverse a_0 + a_1 s + ... whose ``coefficients`` it takes, unless
    its field ``order`` says another; None if it takes no model."""
    passes_target: ClassVar[bool] = False
    """Whether the command is the target itself: there is no compensation."""
    adapts: ClassVar[bool] = False
    """Whether its law changes with what is measured, so that the loop is not linear."""
    predicts_polynomial: ClassVar[bool] = False
    """Whether it continues the targets as a polynomial, of the degree in its field ``order``."""
    integrates_structure: ClassVar[bool] = False
    """Whether it integrates the structure ahead: its cost then grows with the structure."""
    joint: ClassVar[bool] = False
    """Whether one block serves all channels: whole vectors in, all commands and its ports out."""

    def preview(self, stage: float) -> int:
        """Count the values that excitation.ahead must hold: one a stage, from the target's on."""
        return 0

    def block(self, site: Site) -> Block | None:
        """Yield the block target -> command; None if the target is the command."""
        raise NotImplementedError
