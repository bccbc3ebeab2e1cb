"""Blocks joined by named signals, in the order in which they run.

A signal is a vector on the bus. ``place`` appends a block that reads some signals and writes one;
a reference is a whole signal (``"command"``) or one element of it (``"command[1]"``). The bus keeps
its values from tick to tick, so a block placed early may read what a later one wrote a tick ago:
that is how the measured force comes back to the integrator.
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
    first: int
    width: int
    unit: str
    every: int
    phase: int


@dataclass(frozen=True, eq=False)
class Placed:
    """A block in its place: what it reads, what it writes, and when it runs."""

    label: str
    block: Block
    inputs: tuple[int, ...]
    output: int
    every: int
    phase: int

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
        unit: str = "1",
        initial: float | Sequence[float] | Vector = 0.0,
        every: int = 1,
        phase: int = 0,
    ) -> str:
        """Reserve a vector on the bus."""
        if name in self.signals:
            raise InputError("signal", name, "exists already", "Give each signal its own name.")
        self.signals[name] = Signal(name, len(self.initial), width, unit, every, phase)
        self.initial += np.broadcast_to(np.asarray(initial, float), (width,)).tolist()
        return name

    def part(
        self,
        name: str,
        of: str,
        offset: int = 0,
        width: int | None = None,
        unit: str | None = None,
    ) -> None:
        """Give a signal, or a part of it, a second name: nothing stands between the two."""
        whole = self.signals[of]
        self.signals[name] = Signal(
            name,
            whole.first + offset,
            whole.width - offset if width is None else width,
            unit or whole.unit,
            whole.every,
            whole.phase,
        )

    def report(self, name: str, of: str, offset: int, unit: str) -> None:
        """Name one value that a block reports beside its output; it is recorded by default."""
        self.part(name, of, offset, 1, unit)
        self.beside.append(name)

    def slots(self, reference: str) -> tuple[int, ...]:
        """Find the places on the bus that a reference names."""
        match = _REFERENCE.match(reference)
        signal = self.signals.get(match[1]) if match else None
        if match is None or signal is None:
            known = ", ".join(sorted(self.signals))
            remedy = f"{suggest(reference, self.signals)}Known signals: {known}."
            raise InputError("signal", reference, "is unknown", remedy)
        if match[2] is None:
            return tuple(range(signal.first, signal.first + signal.width))
        index = int(match[2])
        if index >= signal.width:
            raise InputError(
                "signal",
                reference,
                f"{signal.name} has {signal.width} element(s)",
                f"Use an index from 0 to {signal.width - 1}.",
            )
        return (signal.first + index,)

    def place(
        self,
        label: str,
        block: Block,
        inputs: Sequence[str],
        output: str | None = None,
        *,
        every: int = 1,
        phase: int = 0,
    ) -> None:
        """Append a block that reads ``inputs`` and writes the signal ``output``."""
        read = tuple(s for reference in inputs for s in self.slots(reference))
        write = self.slots(output) if output else ()
        if len(write) != block.outputs:
            raise InputError(
                label,
                block.outputs,
                f"writes {block.outputs} value(s) into {output!r} of width {len(write)}",
                "The outputs of a block must fit the signal it writes.",
            )
        self.placed.append(Placed(label, block, read, write[0] if write else 0, every, phase))

    @property
    def period(self) -> int:
        """Ticks after which the pattern of running blocks repeats."""
        return lcm(*(p.every for p in self.placed)) if self.placed else 1
