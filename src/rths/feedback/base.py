"""What every feedback has: a block that turns the specimen's force into what the structure sees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from rths.description import describe
from rths.loop.block import Block
from rths.loop.port import Port
from rths.registry import register
from rths.site import Site

__all__ = ["Feedback", "describe", "register"]


@describe
class Feedback:
    """Base of all feedbacks: one block for each channel, called every tick."""

    role: ClassVar[str] = "feedback"
    kind: ClassVar[str]
    example: ClassVar[Mapping[str, Any]]
    """Fields of a working member: what tests, benches and ``rths explain`` take."""
    silent: ClassVar[bool] = True
    """Whether nothing comes out of it while nothing goes in."""
    inputs: ClassVar[tuple[str, ...]] = ("specimen.force",)
    """Signals it reads: also transfer.displacement, integrator.target, .next_velocity (of the
    target's time) and .acceleration (of the boundary before), compensator.command; the
    whole integrator.response (displacements of now first) and excitation.ahead."""
    ports: ClassVar[tuple[Port, ...]] = ()
    """What the block writes after the force: signals feedback.<name>."""

    @property
    def series(self) -> tuple[Feedback, ...]:
        """Give the feedbacks this one consists of, in their order."""
        return (self,)

    @property
    def operated(self) -> dict[str, float]:
        """Name the signals operator.<name> it reads and the operator may write, and their start."""
        return {}

    def preview(self, stage: float) -> int:
        """Count the values that excitation.ahead must hold; the first is that of now."""
        return 0

    def displacement_block(self, site: Site) -> Block | None:
        """Yield the block displacement -> measured displacement; None if they are the same."""
        return None

    def block(self, site: Site) -> Block | None:
        """Yield the block inputs -> measured force; None if it is the specimen's force."""
        raise NotImplementedError
