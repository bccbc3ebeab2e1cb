"""What a run leaves behind, in memory: signals with their times, and the reason of the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rths.errors import InputError, suggest
from rths.loop.channel_name import name_channel, split_channel
from rths.loop.stop import Stop
from rths.records.timing import Timing


@dataclass(frozen=True)
class Channel:
    """How a signal is stored: its unit, its sampling and the columns it takes in a row."""

    name: str
    unit: str
    step: float
    """Time between two samples, s."""
    start: float
    """Time of the first sample, s."""
    every: int
    phase: int
    columns: slice

    @property
    def units(self) -> tuple[str, ...]:
        """Unit of each column; a support motion has its velocity beside it."""
        return units_of(self.unit, self.columns.stop - self.columns.start)

    def rows(self, first: int, count: int) -> slice:
        """Pick, out of ``count`` rows from tick ``first`` on, those with a new value."""
        return slice((self.phase - first) % self.every, count, self.every)


def units_of(unit: str, width: int) -> tuple[str, ...]:
    """Give the unit of each of several columns, written once or one after the other."""
    each = tuple(unit.split(", "))
    return each if len(each) == width else (unit,) * width


@dataclass(frozen=True, eq=False)
class Record(Mapping[str, NDArray[np.float64]]):
    """Signals of one run by name: ``record["compensator.command"]`` has a column a channel."""

    name: str
    tick: float
    channels: dict[str, Channel]
    rows: NDArray[np.float64]
    stop: Stop
    plan: str = ""
    seed: int = 0
    files: Mapping[str, bytes] = field(default_factory=dict)
    """Files that the plan names, by the field that names them: what a repetition needs."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """How it came about: loop, created, versions, wall_seconds, real_time_factor; of a run on the
    clock also events and machine, what happened and what the machine allowed."""
    timing: Timing | None = None
    """How punctual a run on the clock was."""

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        channel = self.channel(name)
        return self.rows[channel.rows(0, len(self.rows)), channel.columns]

    def __contains__(self, name: object) -> bool:
        return name in self.channels

    def __iter__(self) -> Iterator[str]:
        return iter(self.channels)

    def __len__(self) -> int:
        return len(self.channels)

    def channel(self, name: str) -> Channel:
        """Describe a signal, or say which ones there are."""
        try:
            return self.channels[name]
        except KeyError:
            remedy = f"{suggest(name, self.channels)}Recorded: {', '.join(self.channels)}."
            raise InputError("signal", name, "was not recorded", remedy) from None

    def time(self, name: str) -> NDArray[np.float64]:
        """Give the times of a signal's samples, s."""
        channel = self.channel(name)
        return channel.start + channel.step * np.arange(len(self[name]), dtype=np.float64)

    def labels(self) -> tuple[str, ...]:
        """Name every column of the rows: a signal, with its index where it has several."""
        return tuple(
            name_channel(name, i, c.columns.stop - c.columns.start)
            for name, c in self.channels.items()
            for i in range(c.columns.stop - c.columns.start)
        )

    def to_pandas(self) -> Any:
        """Give a DataFrame, a column a channel, over time in s; empty where nothing is new."""
        from rths.records.frames import to_pandas

        return to_pandas(self)

    def to_xarray(self) -> Any:
        """Give a Dataset, a variable a signal, each over its own time in s."""
        from rths.records.frames import to_xarray

        return to_xarray(self)

    def plot(self, *names: str) -> Any:
        """Draw signals over time, one above the other; the usual ones if none is named."""
        from rths.records.drawing import draw_signals

        return draw_signals(self, names)

    def _repr_html_(self) -> str:
        """Show itself in a notebook: the end, and the peaks of every signal."""
        from rths.records.notebook import record_html

        return record_html(self)


def channels_of(layout: Any, tick: float) -> dict[str, Channel]:
    """Describe the columns that a layout records."""
    found, first = {}, 0
    for name in layout.recorded:
        base, _ = split_channel(name)
        s = layout.signals[base]
        width = s.width if base == name else 1
        found[name] = Channel(
            name,
            s.unit,
            s.every * tick,
            s.phase * tick,
            s.every,
            s.phase,
            slice(first, first + width),
        )
        first += width
    return found
