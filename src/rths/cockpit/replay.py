"""A record as if it were live: its rows come by the clock, as fast or as slowly as is asked for.

Everything that was shown while the test ran is shown again: motion, margin, guards, punctuality,
what the machine allowed, and the events when they happened. The test began, by the time of day T,

    at T_0 = T_1 - k_1 h,   so that an event of T was at T - T_0                               (1)

where T_1 and k_1 are those of the first event that has a tick.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rths.cockpit.seen_signals import SeenSignals, see_channels, see_signals
from rths.cockpit.view import View
from rths.plain_text import make_plain
from rths.records.hdf5_reader import read
from rths.records.timing import ROW_HEADER
from rths.report.shown_run import ShownRun
from rths.run.run_directory import RunDirectory

SLOWEST, FASTEST = 0.1, 20.0
"""Speeds of a replay."""
MOST_AT_ONCE = 1.0
"""Seconds of a test that are shown at one look at most: after a jump the rest is left out."""


class Replay:
    """One record and where its replay is."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.monotonic) -> None:
        record = read(RunDirectory(folder).record)
        self.name, self.tick = record.name, record.tick
        self.run = ShownRun("", record)
        self._events = _place_events(record.details.get("events", ()), record.tick)
        allowed = record.details.get("machine", ())
        self._machine = [{**a, "words": make_plain(str(a["words"]))} for a in allowed]
        self._limits: Mapping[str, Any] | None = None
        self._rows, timing = record.rows, record.timing
        self._latency = None if timing is None else 1e9 * timing.latency
        self._seen = self._find_signals(self.run)
        self._clock, self._seen_at = clock, clock()
        self.speed, self.at = 1.0, 0.0
        self._taken = self._given = 0
        self.view = View(self._seen)

    @staticmethod
    def _find_signals(run: ShownRun) -> SeenSignals:
        """Find the signals, and the guards too if the test of the record can be built here."""
        duration = len(run.record.rows) * run.record.tick
        for live in (True, False):
            seen = None if run.test is None else see_signals(run.test, live)
            width = run.record.rows.shape[1] + len(ROW_HEADER)
            if seen is not None and all(b.column < width for b in seen.bars):
                names = set(seen.columns)
                if names == set(run.record.channels):
                    return see_channels(run.record.channels, run.record.tick, duration, seen.bars)
        return see_channels(run.record.channels, run.record.tick, duration)

    @property
    def is_over(self) -> bool:
        """Whether the end of the record is reached."""
        return self._taken >= len(self._rows)

    def jump(self, second: float) -> None:
        """Go on from another time; what was seen is forgotten."""
        if not isfinite(second):
            raise ValueError
        end = len(self._rows) * self.tick
        self.at = min(max(second, 0.0), end)
        self._taken, self._given = round(self.at / self.tick), 0
        self.view = View(self._seen)
        if self._limits is not None:
            self.view.set_limits(self._limits)
        self._seen_at = self._clock()

    def set_limits(self, told: Mapping[str, Any]) -> None:
        """Take the certificate of the test."""
        self._limits = told
        self.view.set_limits(told)

    def set_speed(self, speed: float) -> None:
        """Set how many seconds of the test pass in one; 0 stands still."""
        if not isfinite(speed):
            raise ValueError
        self.speed = 0.0 if speed <= 0.0 else min(max(speed, SLOWEST), FASTEST)

    def take_rows(self) -> NDArray[np.float64]:
        """Give the rows that are due."""
        now = self._clock()
        passed, self._seen_at = (now - self._seen_at) * self.speed, now
        self.at += min(passed, MOST_AT_ONCE * max(1.0, self.speed))
        end = min(len(self._rows), round(self.at / self.tick))
        first, self._taken = self._taken, max(self._taken, end)
        rows = self._rows[first : self._taken]
        head = np.zeros((len(rows), len(ROW_HEADER)))
        head[:, ROW_HEADER.index("tick")] = np.arange(first, first + len(rows))
        if self._latency is not None:
            times = self._latency[first : first + len(rows)]
            head[: len(times), ROW_HEADER.index("latency")] = times
        return np.concatenate([head, rows], axis=1)

    def take_frame(self) -> bytes | None:
        """Give the samples that are due as a frame of the view; None if there are none."""
        self.view.add(self.take_rows())
        frame = self.view.frame_since(self._given)
        self._given = self.view.drawn
        return frame

    def about(self) -> dict[str, Any]:
        """Tell a page what is played."""
        return {"type": "test", "name": self.name, **self.view.about()}

    def state(self) -> dict[str, Any]:
        """Tell everything that is not drawn over time, as it was then."""
        return {
            "type": "state",
            "over": self.is_over,
            "at": self._taken * self.tick,
            **self.view.state(),
            "events": [e for at, e in self._events if at <= self.at or self.is_over],
            "machine": self._machine,
            "certificate": self._limits,
        }


def _place_events(
    events: Sequence[Mapping[str, Any]], tick: float
) -> list[tuple[float, dict[str, Any]]]:
    """Give each event with its time in the test (1); without one it is told from the beginning."""
    told = [{k: e.get(k) for k in ("time", "state", "reason", "by", "tick")} for e in events]
    days = [_read_time(e["time"]) for e in told]
    pairs = zip(days, told, strict=True)
    begun = [d - e["tick"] * tick for d, e in pairs if d is not None and e["tick"] is not None]
    return [
        (
            d - begun[0] if begun and d is not None else 0.0,
            {**e, "reason": make_plain(str(e["reason"] or ""))},
        )
        for d, e in zip(days, told, strict=True)
    ]


def _read_time(text: Any) -> float | None:
    try:
        return datetime.fromisoformat(str(text)).timestamp()
    except (ValueError, OverflowError, OSError):
        return None
