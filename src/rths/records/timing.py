"""How punctual a run on the clock was: every tick's latency and work, every round trip to the rig.

    latency = waking - due time,   execution time = end of the work - waking                  (1)

In a record the group /timing has

    latency, execution_time     float64 (ticks,), s
    slips, lost_rows            periods slipped; rows that found no room on their way to the disk
    attributes                  latency_p50, latency_p99, latency_p99_9, latency_max, and so on, s

and of a test with a link also missed_replies, refused_packets and the percentiles of the round
trip, which itself is the signal hardware.round_trip.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rths.records.stored import find_item, read_numbers

Array = NDArray[np.float64]
ROW_HEADER = ("tick", "latency", "busy")
"""Columns of a row of the ring and of the journal before its signals: number of the tick, ns late
at waking, ns of work."""
GROUP = "timing"
"""Group of a record."""
PERCENTILES = {"p50": 50.0, "p99": 99.0, "p99_9": 99.9, "max": 100.0}
"""Percentiles that are kept, by name, %."""
ROUND_TRIP, MISSED, REFUSED = "hardware.round_trip", "hardware.missed", "hardware.refused"
"""Signals of a wire."""


@dataclass(frozen=True, eq=False)
class Link:
    """What became of the packets to a rig and back."""

    round_trip: Array
    """From command to accepted answer, s, of the ticks that got one."""
    missed: int
    """Ticks without an answer in time."""
    refused: int
    """Packets that were late, doubled, foreign or damaged."""


@dataclass(frozen=True, eq=False)
class Timing:
    """Timing of a run on the clock."""

    latency: Array
    execution_time: Array
    slips: int = 0
    lost: int = 0
    link: Link | None = None

    @property
    def times(self) -> dict[str, Array]:
        """All that was timed, s, by name; of a row that was lost nothing is known."""
        found = {"latency": self.latency, "execution_time": self.execution_time}
        found |= {"round_trip": self.link.round_trip} if self.link else {}
        return {name: times[np.isfinite(times)] for name, times in found.items()}

    @property
    def counts(self) -> dict[str, int]:
        """All that was counted, by name."""
        found = {"slips": self.slips, "lost_rows": self.lost}
        link = self.link
        more = {"missed_replies": link.missed, "refused_packets": link.refused} if link else {}
        return found | more

    @property
    def percentiles(self) -> dict[str, dict[str, float]]:
        """Percentiles of all that was timed, s; nothing of what never happened."""
        return {name: percentiles(t) for name, t in self.times.items() if t.size}


def percentiles(times: Array) -> dict[str, float]:
    """Give the percentiles of times by name."""
    found = np.percentile(times, list(PERCENTILES.values())).tolist()
    return dict(zip(PERCENTILES, found, strict=True))


def link_of(signals: Mapping[str, Array]) -> Link | None:
    """Gather what the signals of a wire tell; None if there is none, or a simulated one."""
    if not all(name in signals for name in (ROUND_TRIP, MISSED, REFUSED)):
        return None
    trips, missed, refused = (signals[n][:, 0] for n in (ROUND_TRIP, MISSED, REFUSED))
    if not trips.any():
        return None
    return Link(trips[missed == 0].copy(), int(np.sum(missed > 0)), int(refused[-1]))


def write_timing(file: Any, timing: Timing) -> None:
    """Write the group of a record."""
    group = file.create_group(GROUP)
    for name in ("latency", "execution_time"):
        group.create_dataset(name, data=getattr(timing, name))
    for name, count in timing.counts.items():
        group[name] = np.int64(count)
    for name, found in timing.percentiles.items():
        group.attrs.update({f"{name}_{percent}": value for percent, value in found.items()})


def read_timing(file: Any, signals: Mapping[str, Array], size: int) -> Timing | None:
    """Read the group of a record; None if the run was not on the clock, or the group is lost."""
    try:
        group = find_item(file, GROUP)
        if group is None:
            return None
        latency, work = (_read_times(group[n], size) for n in ("latency", "execution_time"))
        slips, lost = (int(read_numbers(group[n], size)) for n in ("slips", "lost_rows"))
    except (KeyError, OSError, RuntimeError):
        return None
    return Timing(latency, work, slips, lost, link_of(signals))


def _read_times(data: Any, size: int) -> Array:
    times = read_numbers(data, size)
    if times.ndim != 1:
        raise ValueError(f"{data.name} is no list of times")
    return times.astype(np.float64, copy=False)
