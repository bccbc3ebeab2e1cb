"""Blocks joined by named signals, in the order in which they run.

A signal is a name for places on the bus, one for each of its elements; the places need not be
neighbours, and several signals may name the same ones. ``place`` appends a block that reads some
signals and writes one; a reference is a whole signal (``"command"``) or one element of it
(``"command[1]"``). The bus keeps its values from tick to tick, so a block placed early may read
what a later one wrote a tick ago: that is how the measured force comes back to the integrator.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import lcm

import numpy as np

from rths.errors import InputError, suggest
from rths.loop.block import Block, Vector
from rths.loop.channel_name import name_channel
from rths.loop.port import NAME, Port

_NAME = re.compile(rf"{NAME}(?:\.{NAME})*")
_REFERENCE = re.compile(rf"^({_NAME.pattern})(?:\[([0-9]+)\])?$")


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
    def name(self) -> str:
        """Name it within its role, as in ``dead_time[0]``."""
        own = self.kind or self.part
        if self.channel is not None:
            own = name_channel(own, self.channel)
        return f"{own}.{self.part}" if self.kind and self.part else own

    @property
    def label(self) -> str:
        """Name it for people, as in ``transfer.dead_time[0]``."""
        return self.role + ("." if self.kind or self.part else "") + self.name


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
    def output_slots(self) -> range:
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
        self.also_recorded: list[str] = []  # what blocks write beside their purpose, for the record
        self.reserve([0.0])  # ticks done, counted between calls of the loop: no signal of a tick

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
        slots = self.reserve(np.broadcast_to(np.asarray(initial, float), (width,)).tolist())
        return self.name(name, slots, role=role, unit=unit, every=every, phase=phase)

    def reserve(self, initial: Iterable[float]) -> tuple[int, ...]:
        """Reserve neighbours on the bus with their first values; return their places."""
        first = len(self.initial)
        self.initial += map(float, initial)
        return tuple(range(first, len(self.initial)))

    def name(
        self,
        name: str,
        slots: Sequence[int],
        *,
        role: str = "",
        unit: str = "1",
        every: int = 1,
        phase: int = 0,
        shown: bool = True,
    ) -> str:
        """Give places on the bus a name; return it with the role before it.

        Messages call a place by the last of its names that is ``shown``.
        """
        full = f"{role}.{name}" if role else name
        if not _NAME.fullmatch(full):
            remedy = "Use letters of the English alphabet, digits and _."
            raise InputError("signal", full, "cannot be the name of a signal", remedy)
        if full in self.signals:
            raise InputError("signal", full, "exists already", "Give each signal its own name.")
        made = Signal(full, role, tuple(slots), unit, every, phase)
        if shown:
            self.signals[full] = made
        else:
            self.signals = {full: made, **self.signals}
        return full

    def name_ports(
        self, role: str, channels: Sequence[Mapping[Port, int]], every: int = 1, phase: int = 0
    ) -> None:
        """Name the ports of a role's channels, each given by its place on the bus.

        Each name is a vector over the channels; one that has no such port holds 0 there.
        """
        for port in dict.fromkeys(port for own in channels for port in own):
            if f"{role}.{port.name}" in self.signals:
                raise InputError(
                    f"{role}.ports",
                    port.name,
                    "is the name of two signals",
                    "Give each port its own name, and the same unit in every kind.",
                )
            slots = [own[port] if port in own else self.reserve([0.0])[0] for own in channels]
            self.also_recorded.append(
                self.name(port.name, slots, role=role, unit=port.unit, every=every, phase=phase)
            )

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
        every, phase = whole.every, whole.phase
        return self.name(name, slots, role=role, unit=unit or whole.unit, every=every, phase=phase)

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
        output: str | Sequence[str] | None = None,
        *,
        every: int = 1,
        phase: int = 0,
    ) -> None:
        """Append the block of an owner, or of a role, that reads ``inputs`` and writes a signal.

        Several outputs are written one after the other, and must be neighbours on the bus.
        """
        owner = owner if isinstance(owner, Owner) else Owner(owner)
        outputs = [output] if isinstance(output, str) else output or []
        read = tuple(s for reference in inputs for s in self.slots(reference))
        write = tuple(s for reference in outputs for s in self.slots(reference))
        if len(write) != block.outputs:
            raise InputError(
                owner.label,
                block.outputs,
                f"writes {block.outputs} value(s) into {', '.join(outputs) or 'nothing'} "
                f"of width {len(write)}",
                "The outputs of a block must fit the signal and the ports it writes.",
            )
        if any(b - a != 1 for a, b in pairwise(write)):
            places = "are no neighbours on the bus"
            raise InputError(owner.label, outputs, places, "Reserve them together.")
        self.placed.append(Placed(owner, block, read, write[0] if write else 0, every, phase))

    @property
    def period(self) -> int:
        """Ticks after which the pattern of running blocks repeats."""
        return lcm(*(p.every for p in self.placed)) if self.placed else 1
