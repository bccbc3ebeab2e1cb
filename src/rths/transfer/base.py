"""What every transfer system has: a block that turns the command into the achieved displacement."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, ClassVar

from rths.description import describe
from rths.loop.block import Block
from rths.loop.port import Port
from rths.registry import build_nested, register
from rths.site import Site

__all__ = ["OuterTransfer", "Transfer", "describe", "register"]


@describe
class Transfer:
    """Base of all transfer systems: one block for each channel, called every tick.

    The command is taken to run straight from its value at one tick to that at the next.
    """

    role: ClassVar[str] = "transfer"
    kind: ClassVar[str]
    example: ClassVar[Mapping[str, Any]]
    """Fields of a working member: what tests, benches and ``rths explain`` take."""
    inputs: ClassVar[tuple[str, ...]] = ("compensator.command",)
    """Signals it reads; specimen.force is that of the tick before, of its own specimen unscaled."""

    ports: ClassVar[tuple[Port, ...]] = ()
    """What the block writes after the displacement, at its own scale: signals transfer.<name>."""

    @property
    def holds(self) -> bool:
        """Whether a command acts from its tick on, held to the next: the plant then moves first."""
        return False

    def block(self, site: Site) -> Block:
        """Yield the block command(t_k) -> displacement(t_k); command(t_k-1) if it holds."""
        raise NotImplementedError


@describe
class OuterTransfer(Transfer):
    """Base of what stands around another transfer system, its ``actuator``."""

    actuator: dict[str, Any]
    """The transfer system inside: a table with its kind and fields."""

    def __post_init__(self) -> None:
        """Refuse a table that describes no transfer system."""
        _ = self.inner_transfer

    @cached_property
    def inner_transfer(self) -> Transfer:
        """The transfer system that the table describes."""
        made: Transfer = build_nested("transfer", self.actuator, "transfer.actuator", True)
        return made

    @property
    def ports(self) -> tuple[Port, ...]:  # type: ignore[override]
        """Ports of the transfer system inside."""
        return self.inner_transfer.ports

    @property
    def holds(self) -> bool:
        """Whether the transfer system inside holds its command."""
        return self.inner_transfer.holds
