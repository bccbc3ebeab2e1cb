"""Which columns of a test's rows the cockpit shows, and which guards with which marks.

A row is ``ROW_HEADER`` and then the recorded signals. What a plan does not record is not shown.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any

from rths.assembly.hybrid_test import HybridTest
from rths.guard.limit import step as judge_signal
from rths.loop.block import FINITE
from rths.loop.channel_name import split_channel
from rths.records.guard_levels import LEVEL, ROLE
from rths.records.record import Channel, channels_of
from rths.records.timing import ROW_HEADER
from rths.report.shown_signals import COMMAND, FORCE, MEASURED, TARGET
from rths.safety.bounds import BOUNDS

MOST_CHANNELS = 8
"""Actuators that are shown."""
SAME = {"feedback.displacement": MEASURED, "safety.faded": COMMAND}
"""Signals that are not recorded, by one that has the same values while a test runs well."""
FIRST = len(ROW_HEADER)
"""Columns of a row before the recorded signals."""


@dataclass(frozen=True)
class Bar:
    """A guard as a bar: where its value is in a row, and its marks."""

    name: str
    watches: str
    column: int
    level: int | None
    """Column of its level; None if the level follows from value and marks."""
    unit: str
    warn: tuple[float, float] | None
    trip: tuple[float, float] | None


@dataclass(frozen=True)
class SeenSignals:
    """Columns of the rows of one test."""

    tick: float
    duration: float
    """Planned length, s."""
    motions: tuple[dict[str, int], ...]
    """Of each actuator the columns of target, command, measured and force that are recorded."""
    every_tick: bool
    """Whether targets are new at every tick, so that delay and energy can be told."""
    bars: tuple[Bar, ...]
    columns: Mapping[str, int]
    """First column of every recorded signal."""
    units: Mapping[str, str]


def see_signals(test: HybridTest, live: bool = True) -> SeenSignals:
    """Find what is shown of a test on the clock, or of its rehearsal."""
    layout = test.live_layout if live else test.layout
    channels = channels_of(layout, test.tick)
    return see_channels(channels, test.tick, test.duration, _bars(layout, channels))


def see_channels(
    channels: Mapping[str, Channel], tick: float, duration: float, bars: tuple[Bar, ...] = ()
) -> SeenSignals:
    """Find what is shown of recorded signals."""
    names = {"target": TARGET, "command": COMMAND, "measured": MEASURED, "force": FORCE}
    wide = {n: c.columns.stop - c.columns.start for n, c in channels.items()}
    count = min(max((wide.get(n, 0) for n in names.values()), default=0), MOST_CHANNELS)
    first = {n: FIRST + c.columns.start for n, c in channels.items()}
    motions = tuple(
        {key: first[n] + c for key, n in names.items() if n in first and c < wide[n]}
        for c in range(count)
    )
    target = channels.get(TARGET)
    every = target is not None and target.every == 1
    return SeenSignals(
        tick, duration, motions, every, bars, first, {n: c.unit for n, c in channels.items()}
    )


def _bars(layout: Any, channels: Mapping[str, Channel]) -> tuple[Bar, ...]:
    """Give a bar to every guard that has marks and whose value can be seen in a row."""
    where = {slot: FIRST + k for k, slot in enumerate(layout.record_slots)}
    found = []
    for placed in layout.placed:
        if placed.role != ROLE or len(placed.block.params) < len(BOUNDS):
            continue
        level, _ = split_channel(layout.slot_name(placed.output_slots[0]))
        warn, trip = (_marks(placed.block.params, mark) for mark in ("warn", "trip"))
        if not level.endswith(LEVEL) or (warn is None and trip is None):
            continue
        watched = layout.slot_name(placed.inputs[0])
        column, judged = where.get(placed.output_slots[1]), where.get(placed.output_slots[0])
        if column is None and placed.block.kernel is judge_signal:
            column = where.get(placed.inputs[0], _same_column(watched, channels))
        if column is None:
            continue
        name = placed.owner.name.replace("_", " ")
        unit = layout.signals[split_channel(watched)[0]].unit if judged is None else ""
        found.append(Bar(name, watched, column, judged, unit, warn, trip))
    return tuple(found)


def _same_column(name: str, channels: Mapping[str, Channel]) -> int | None:
    """Find the column of a signal that stands for one that is not recorded."""
    base, index = split_channel(name)
    channel = channels.get(SAME.get(base, ""))
    return None if channel is None else FIRST + channel.columns.start + (index or 0)


def _marks(params: Any, mark: str) -> tuple[float, float] | None:
    """Give low and high of a level; None if there is none."""
    low, high = (float(params[getattr(BOUNDS, f"{mark}_{end}")]) for end in ("low", "high"))
    ends = [v for v in (low, high) if isfinite(v) and abs(v) < FINITE]
    return (low, high) if ends else None
