"""Blocks joined by named signals, in the order in which they run.

A signal is a name for places on the bus, one for each of its elements; the places need not be
neighbours, and several signals may name the same ones. ``place`` appends a block that reads some
signals and writes one; a reference is a whole signal (``"command"``) or one element of it
(``"command[1]"``). The bus keeps its values from tick to tick, so a block placed early may read
what a later one wrote a tick ago: that is how the measured force comes back to the integrator.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import lcm

import numpy as np

from rths.errors import InputError, suggest
from rths.loop.block import Block, Vector

_REFERENCE = re.compile(r"^([a-z_]+(?:\.[a-z_]+)*)(?:\[(\d+)\])?$")


@dataclass(frozen=True)
class Signal:
    """A named vector on the bus; new values appear every ``every`` ticks, from tick ``phase``."""

    name: str
    role: str
    """Part of the loop it belongs to; "" if it has none."""
    slots: tuple[int, ...]
    """Place on the bus of each element."""
    unit: str
    every: int
    phase: int

    @property
    def width(self) -> int:
        """Number of elements."""
        return len(self.slots)

    @property
    def first(self) -> int:
        """Place of the first element, for those who copy the whole: they must be neighbours."""
        if self.slots != tuple(range(self.slots[0], self.slots[0] + self.width)):
            raise ValueError(f"the elements of {self.name} are no neighbours on the bus")
        return self.slots[0]


@dataclass(frozen=True)
class Owner:
    """Whose block it is: a role of the loop, its kind, the actuator, and which part of it."""

    role: str
    kind: str = ""
    """As in the plan; "" for what the wiring itself adds to a role."""
    channel: int | None = None
    """Number of the actuator; None if the block serves them all."""
    part: str = ""
    """Which of the role's blocks, if it is not the one that the kind is about."""

    @property
    def label(self) -> str:
        """Name it for people, as in ``transfer.dead_time[0]``."""
        index = "" if self.channel is None else f"[{self.channel}]"
        if not self.kind:
            return ".".join(filter(None, (self.role, self.part))) + index
        return f"{self.role}.{self.kind}{index}" + (f".{self.part}" if self.part else "")


@dataclass(frozen=True, eq=False)
class Placed:
    """A block in its place: whose it is, what it reads, what it writes, and when it runs."""

    owner: Owner
    block: Block
    inputs: tuple[int, ...]
    output: int
    """Place of its first output; the others are its neighbours."""
    every: int
    phase: int

    @property
    def role(self) -> str:
        """Part of the loop it belongs to."""
        return self.owner.role

    @property
    def label(self) -> str:
        """Name it for people."""
        return self.owner.label

    @property
    def written(self) -> range:
        """Places on the bus that it writes."""
        return range(self.output, self.output + self.block.outputs)

    def runs(self, tick: int) -> bool:
        """Tell whether the block runs at this tick."""
        return tick % self.every == self.phase


class Wiring:
    """Collects signals and blocks; ``Layout`` then gives them their places in memory."""

    def __init__(self) -> None:
        self.signals: dict[str, Signal] = {}
        self.placed: list[Placed] = []
        self.initial: list[float] = []
        self.beside: list[str] = []  # what blocks write beside their purpose, for the record
        self.signal("tick")

    def signal(
        self,
        name: str,
        width: int = 1,
        *,
        role: str = "",
        unit: str = "1",
        initial: float | Sequence[float] | Vector = 0.0,
        every: int = 1,
        phase: int = 0,
    ) -> str:
        """Reserve a vector on the bus and name it; return the name with the role before it."""
        first = len(self.initial)
        made = self.name(
            name, range(first, first + width), role=role, unit=unit, every=every, phase=phase
        )
        self.initial += np.broadcast_to(np.asarray(initial, float), (width,)).tolist()
        return made

    def name(
        self,
        name: str,
        slots: Sequence[int],
        *,
        role: str = "",
        unit: str = "1",
        every: int = 1,
        phase: int = 0,
    ) -> str:
        """Give places on the bus a name of their own; return it with the role before it."""
        full = f"{role}.{name}" if role else name
        if full in self.signals:
            raise InputError("signal", full, "exists already", "Give each signal its own name.")
        self.signals[full] = Signal(full, role, tuple(slots), unit, every, phase)
        return full

    def part(
        self,
        name: str,
        of: str,
        offset: int = 0,
        width: int | None = None,
        unit: str | None = None,
        *,
        role: str = "",
    ) -> str:
        """Give a signal, or a part of it, a second name: nothing stands between the two."""
        whole = self.signals[of]
        slots = whole.slots[offset : None if width is None else offset + width]
        when = {"every": whole.every, "phase": whole.phase}
        return self.name(name, slots, role=role, unit=unit or whole.unit, **when)

    def report(self, name: str, of: str, offset: int, unit: str, *, role: str = "") -> None:
        """Name one value that a block reports beside its output; it is recorded by default."""
        self.beside.append(self.part(name, of, offset, 1, unit, role=role))

    def find(self, reference: str) -> tuple[Signal, int | None]:
        """Find the signal that a reference names, and which element of it (None: all)."""
        match = _REFERENCE.match(reference)
        signal = self.signals.get(match[1]) if match else None
        if match is None or signal is None:
            known = ", ".join(sorted(self.signals))
            remedy = f"{suggest(reference, self.signals)}Known signals: {known}."
            raise InputError("signal", reference, "is unknown", remedy)
        if match[2] is None:
            return signal, None
        index = int(match[2])
        if index >= signal.width:
            raise InputError(
                "signal",
                reference,
                f"{signal.name} has {signal.width} element(s)",
                f"Use an index from 0 to {signal.width - 1}.",
            )
        return signal, index

    def slots(self, reference: str) -> tuple[int, ...]:
        """Find the places on the bus that a reference names."""
        signal, index = self.find(reference)
        return signal.slots if index is None else (signal.slots[index],)

    def place(
        self,
        owner: Owner | str,
        block: Block,
        inputs: Sequence[str],
        output: str | None = None,
        *,
        every: int = 1,
        phase: int = 0,
    ) -> None:
        """Append the block of an owner, or of a role, that reads ``inputs`` and writes a signal."""
        owner = owner if isinstance(owner, Owner) else Owner(owner)
        read = tuple(s for reference in inputs for s in self.slots(reference))
        write = self.slots(output) if output else ()
        if len(write) != block.outputs:
            raise InputError(
                owner.label,
                block.outputs,
                f"writes {block.outputs} value(s) into {output!r} of width {len(write)}",
                "The outputs of a block must fit the signal it writes.",
            )
        self.placed.append(Placed(owner, block, read, write[0] if write else 0, every, phase))

    @property
    def period(self) -> int:
        """Ticks after which the pattern of running blocks repeats."""
        return lcm(*(p.every for p in self.placed)) if self.placed else 1
