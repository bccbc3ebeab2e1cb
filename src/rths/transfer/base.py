"""What every transfer system has: a block that turns the command into the achieved displacement."""

from __future__ import annotations

from typing import ClassVar

from rths.description import described
from rths.loop.block import Block
from rths.loop.site import Site
from rths.registry import register

__all__ = ["Transfer", "described", "register"]


@described
class Transfer:
    """Base of all transfer systems: one block for each channel, called every tick.

    The command is taken to run straight from its value at one tick to that at the next.
    """

    role: ClassVar[str] = "transfer"
    kind: ClassVar[str]
    inputs: ClassVar[tuple[str, ...]] = ("compensator.command",)
    """Signals it reads; specimen.force is that of the tick before."""

    def block(self, site: Site) -> Block:
        """Yield the block command(t_k) -> displacement(t_k)."""
        raise NotImplementedError
