"""What every specimen has: a block that turns its displacement into its force."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from rths.description import describe
from rths.loop.block import Block
from rths.loop.port import Port
from rths.quantity import Count, Positive
from rths.registry import register
from rths.site import Site

__all__ = ["Specimen", "describe", "register"]


@describe
class Specimen:
    """Base of all specimens: one block for each channel, called every tick."""

    role: ClassVar[str] = "specimen"
    kind: ClassVar[str]
    example: ClassVar[Mapping[str, Any]]
    """Fields of a working member: what tests, benches and ``rths explain`` take."""
    silent: ClassVar[bool] = True
    """Whether nothing comes out of it while nothing goes in."""
    elastic: ClassVar[bool] = False
    """Whether its force is its field ``stiffness`` times its displacement, and nothing else."""
    inputs: ClassVar[tuple[str, ...]] = ("transfer.displacement",)
    """Signals it reads; also the ports of a transfer system."""
    ports: ClassVar[tuple[Port, ...]] = ()
    """What the block writes after the force, at its own scale: signals specimen.<name>."""

    force_scale: Positive = 1.0
    """Force of the prototype for one newton measured at the specimen."""
    length_scale: Positive = 1.0
    """Displacement of the prototype for one metre at the specimen."""
    count: Count = 1
    """Number of identical devices that the one specimen stands for."""

    def block(self, site: Site) -> Block:
        """Yield the block displacement(t_k) -> force(t_k); positive force resists displacement."""
        raise NotImplementedError
