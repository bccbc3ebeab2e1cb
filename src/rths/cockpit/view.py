"""What a page sees of a test, made of its rows: samples to draw, and the state of everything else.

    frame = length of the head, head as JSON, then a float32 column for each name               (1)

Of all rows some hundred a second are drawn. Energy, punctuality, guards and tracking count every
one of them. What is kept are the last seconds: the memory of a view does not grow with its test.
"""

from __future__ import annotations

import json
import struct
from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rths.cockpit.live_margin import Limits, LiveMargin
from rths.cockpit.rolling import Rolling
from rths.cockpit.seen_signals import Bar, SeenSignals
from rths.cockpit.tracking import WINDOW, Tracking, estimate_tracking
from rths.records.timing import MISSED, REFUSED, ROUND_TRIP, ROW_HEADER

Array = NDArray[np.float64]
SHOWN_RATE = 256.0
"""Samples a second that are drawn: more than a screen of ten seconds has columns."""
HISTORY = 60.0
"""Seconds that a page gets when it is opened or reloaded."""
PUNCTUAL = 10.0
"""Seconds over which punctuality is told."""
ESTIMATE = 0.5
"""Seconds of the test between two estimates of delay and gain: a quarter of their window. Each
takes some milliseconds of the cockpit, and neighbours share most of their rows."""
MOST_DELAYS = round(HISTORY / ESTIMATE)
"""Estimates of the delay that a page gets when it is opened."""
KEYS = ("target", "measured", "command", "force")
TICK, LATENCY = ROW_HEADER.index("tick"), ROW_HEADER.index("latency")


class View:
    """The last seconds of one test."""

    def __init__(self, seen: SeenSignals) -> None:
        self.seen = seen
        rate = 1.0 / seen.tick
        self.stride = max(1, int(rate / SHOWN_RATE + 1e-9))
        self.columns = self._name_columns()
        self._drawn = Rolling(round(HISTORY * rate / self.stride), 1 + len(self.columns))
        self.drawn = 0
        """Samples that were drawn since the beginning."""
        self._motions = Rolling(round(WINDOW * rate), 2 * len(seen.motions))
        self._latencies = Rolling(round(PUNCTUAL * rate), 1)
        self.margins = [LiveMargin() for _ in seen.motions]
        self._energies = np.zeros(len(seen.motions))
        self._before: Array | None = None
        self._last: Array | None = None
        self._worst = 0.0
        self._furthest: dict[str, float] = {}
        self._tracked = -np.inf
        self._delays: deque[list[float | None]] = deque(maxlen=MOST_DELAYS)
        self._found: list[Tracking | None] = [None] * len(seen.motions)

    def set_limits(self, told: Mapping[str, Any]) -> None:
        """Take what the certificate says (``find_limits``); nothing if there is none."""
        if not told["ok"]:
            return
        keys = ("verdict", "sentence", "delay", "searched_delay", "gain")
        limits = Limits(**{k: told[k] for k in keys})
        for margin, planned in zip(self.margins, told["planned"], strict=False):
            margin.limits = replace(
                limits, planned_delay=planned["delay"], planned_gain=planned["gain"]
            )

    def _name_columns(self) -> list[str]:
        found = []
        for c, motion in enumerate(self.seen.motions):
            found += [f"{key}{c}" for key in KEYS if key in motion]
            found += [f"energy{c}"] if self._has_energy(motion) else []
        return [*found, "latency"]

    def _has_energy(self, motion: dict[str, int]) -> bool:
        return self.seen.every_tick and {"target", "measured", "force"} <= set(motion)

    def add(self, rows: Array) -> None:
        """Take new rows."""
        if not len(rows):
            return
        self._last = rows[-1].copy()
        self._latencies.add(rows[:, [LATENCY]])
        self._worst = max(self._worst, float(np.nanmax(rows[:, LATENCY], initial=0.0)))
        self._note_furthest(rows)
        columns: list[Array] = []
        motions: list[Array] = []
        for c, motion in enumerate(self.seen.motions):
            columns += [rows[:, motion[key]] for key in KEYS if key in motion]
            if self._has_energy(motion):
                columns.append(self._add_energy(c, motion, rows))
            both = {"target", "measured"} <= set(motion)
            motions += [rows[:, motion[k]] if both else rows[:, TICK] for k in KEYS[:2]]
        if motions:
            self._motions.add(np.column_stack(motions))
        self._before = rows[-1].copy()
        drawn = np.column_stack([rows[:, TICK], *columns, rows[:, LATENCY]])
        drawn = drawn[rows[:, TICK] % self.stride == 0]
        self._drawn.add(drawn)
        self.drawn += len(drawn)

    def frame_since(self, given: int) -> bytes | None:
        """Give the frame (1) of all samples but the first ``given``; None if there are no more."""
        new = self.drawn - given
        return self._frame("rows", self._drawn.last(new)) if new > 0 else None

    def _add_energy(self, c: int, motion: dict[str, int], rows: Array) -> Array:
        """Add E of metrics/tracking_error_energy.py, whose first sample has none."""
        before = rows[:1] if self._before is None else self._before[None]
        all_rows = np.concatenate([before, rows])
        f, off = all_rows[:, motion["force"]], all_rows[:, motion["measured"]]
        off = off - all_rows[:, motion["target"]]
        steps = 0.5 * (f[1:] + f[:-1]) * np.diff(off)
        energy: Array = self._energies[c] + np.cumsum(steps)
        self._energies[c] = energy[-1]
        return energy

    def _note_furthest(self, rows: Array) -> None:
        for bar in self.seen.bars:
            values = rows[:, bar.column]
            far = float(values[np.argmax(np.abs(values))])
            if abs(far) > abs(self._furthest.get(bar.name, 0.0)):
                self._furthest[bar.name] = far

    def history(self) -> bytes:
        """Give the frame (1) of all that is kept, for a page that begins."""
        return self._frame("history", self._drawn.last())

    def _frame(self, kind: str, drawn: Array) -> bytes:
        first = float(drawn[0, 0]) if len(drawn) else 0.0
        head: dict[str, Any] = {"type": kind, "first": first, "count": len(drawn)}
        text = json.dumps(head).encode()
        text += b" " * (-len(text) % 4)  # so that the numbers begin at a multiple of four bytes
        with np.errstate(over="ignore"):
            numbers = np.ascontiguousarray(drawn.T, np.float32).tobytes()
        return struct.pack("<I", len(text)) + text + numbers

    @property
    def time(self) -> float:
        """Time of the last row, s."""
        return 0.0 if self._last is None else float(self._last[TICK]) * self.seen.tick

    def about(self) -> dict[str, Any]:
        """Tell a page what the columns of frames are, and which guards there are."""
        seen = self.seen
        return {
            "tick": seen.tick,
            "stride": self.stride,
            "duration": seen.duration,
            "columns": ["tick", *self.columns],
            "channels": len(seen.motions),
            "history": HISTORY,
            "delays": list(self._delays),
            "guards": [
                {"name": b.name, "watches": b.watches, "unit": b.unit, "warn": b.warn}
                | {"trip": b.trip}
                for b in seen.bars
            ],
        }

    def state(self) -> dict[str, Any]:
        """Tell everything that is not drawn over time."""
        return {
            "time": self.time,
            "guards": [self._bar_state(b) for b in self.seen.bars],
            "margins": self._margins(),
            "punctuality": self._punctuality(),
        }

    def _bar_state(self, bar: Bar) -> dict[str, Any]:
        if self._last is None:
            return {"value": 0.0, "level": 0, "furthest": 0.0}
        value = float(self._last[bar.column])
        if bar.level is not None:
            told = float(self._last[bar.level])
            level = int(told) if np.isfinite(told) else 2
        else:
            level = next((n for n, m in ((2, bar.trip), (1, bar.warn)) if _beyond(value, m)), 0)
        return {"value": value, "level": level, "furthest": self._furthest.get(bar.name, 0.0)}

    def _margins(self) -> list[dict[str, Any]]:
        """Estimate tracking anew if it is time, and tell it with the limits."""
        if not self.seen.every_tick:
            return [{"known": False, "why": "targets come once a step"} for _ in self.margins]
        found = self._motions.last()
        fresh = self.time >= self._tracked + ESTIMATE
        self._tracked = self.time if fresh else self._tracked
        told = []
        for c, margin in enumerate(self.margins):
            if fresh:
                pair = found[:, 2 * c], found[:, 2 * c + 1]
                self._found[c] = estimate_tracking(*pair, self.seen.tick)
                if (seen := self._found[c]) is not None:
                    margin.add(self.time, seen)
            told.append({"at": self._tracked} | margin.describe(self._found[c]))
        if fresh and any(f is not None for f in self._found):
            each = [None if f is None else f.delay for f in self._found]
            self._delays.append([self.time, *each])
        return told

    def _punctuality(self) -> dict[str, Any]:
        """Tell latency, in seconds, over the last seconds and since the page was opened."""
        times = self._latencies.last()[:, 0] * 1e-9
        told: dict[str, Any] = {"worst": self._worst * 1e-9}
        if times.size:
            p50, p99 = np.percentile(times, [50, 99]).tolist()
            told |= {"p50": p50, "p99": p99}
        if self._last is not None:
            for key, name in (("missed", MISSED), ("refused", REFUSED), ("round_trip", ROUND_TRIP)):
                if name in self.seen.columns:
                    told[key] = float(self._last[self.seen.columns[name]])
        return told


def _beyond(value: float, marks: tuple[float, float] | None) -> bool:
    return marks is not None and not marks[0] <= value <= marks[1]
