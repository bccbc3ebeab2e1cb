"""What every feedback has: a block that turns the specimen's force into what the structure sees."""

from __future__ import annotations

from typing import ClassVar

from rths.description import described
from rths.loop.block import Block
from rths.loop.site import Site
from rths.registry import register

__all__ = ["Feedback", "described", "register"]


@described
class Feedback:
    """Base of all feedbacks: one block for each channel, called every tick."""

    role: ClassVar[str] = "feedback"
    kind: ClassVar[str]
    inputs: ClassVar[tuple[str, ...]] = ("specimen.force",)
    """Signals it reads: also transfer.displacement, integrator.target, compensator.command."""

    def displacement_block(self, site: Site) -> Block | None:
        """Yield the block displacement -> measured displacement; None if they are the same."""
        return None

    def block(self, site: Site) -> Block | None:
        """Yield the block inputs -> measured force; None if it is the specimen's force."""
        raise NotImplementedError
