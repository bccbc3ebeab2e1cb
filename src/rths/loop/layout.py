"""Every number of a test in one float64 arena: the bus, then x, p and u of each block.

    arena = | tick and signals | x_1 p_1 u_1 | x_2 p_2 u_2 | ...                                (1)

The arena is the whole state of a test: a copy of it is a snapshot, writing it back is a restore,
and one period of the loop is a map from the arena to itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rths.loop.block import Vector
from rths.loop.channel_name import name_channel
from rths.loop.wiring import Placed, Signal, Wiring

Advance = Callable[[int, int, NDArray[np.float64], NDArray[np.int64]], None]
"""A loop bound to an arena: (first tick, ticks, record, status). On return status[0] is the number
of whole ticks done, status[1] the block that stopped the loop (or -1), status[2] its answer."""


@dataclass(frozen=True)
class Place:
    """Where in the arena a block keeps its state, parameters and gathered inputs."""

    x: int
    p: int
    u: int
    nx: int
    np: int
    nu: int
    ny: int


@dataclass(frozen=True, eq=False)
class Layout:
    """A finished wiring with its places in the arena and the signals to be recorded."""

    signals: dict[str, Signal]
    placed: tuple[Placed, ...]
    bus: int
    period: int
    initial: Vector
    recorded: tuple[str, ...]
    record_slots: NDArray[np.int64]

    @classmethod
    def of(cls, wiring: Wiring, record: Sequence[str]) -> Layout:
        """Lay out a wiring; ``record`` names the signals to be stored at every tick."""
        bus = len(wiring.initial)
        parts = [np.array(wiring.initial)]
        for p in wiring.placed:
            parts += [p.block.states, p.block.params, np.zeros(len(p.inputs))]
        slots = [s for name in record for s in wiring.slots(name)]
        return cls(
            signals=dict(wiring.signals),
            placed=tuple(wiring.placed),
            bus=bus,
            period=wiring.period,
            initial=np.concatenate(parts),
            recorded=tuple(record),
            record_slots=np.array(slots, np.int64),
        )

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """Offsets of each block, in the order of (1)."""
        offset, found = self.bus, []
        for p in self.placed:
            nx, np_, nu = p.block.states.size, p.block.params.size, len(p.inputs)
            found.append(
                Place(offset, offset + nx, offset + nx + np_, nx, np_, nu, p.block.outputs)
            )
            offset += nx + np_ + nu
        return tuple(found)

    @cached_property
    def schedule(self) -> tuple[tuple[int, ...], ...]:
        """Blocks that run at each tick of one period."""
        return tuple(
            tuple(k for k, p in enumerate(self.placed) if p.runs(tick))
            for tick in range(self.period)
        )

    def silence(self, arena: Vector) -> None:
        """Let no block add anything from outside, such as noise, to the loop of this arena."""
        for placed, place in zip(self.placed, self.places, strict=True):
            for k in placed.block.injects:
                arena[place.p + k] = 0.0

    def slot_name(self, slot: int) -> str:
        """Name a place on the bus as a reference, by the last of its names."""
        for s in reversed(self.signals.values()):
            if slot in s.slots:
                return name_channel(s.name, s.slots.index(slot), s.width)
        return name_channel("bus", slot)
