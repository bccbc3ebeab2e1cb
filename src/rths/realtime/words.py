"""Words between the loop and its supervisor, part of every tick.

    supervisor -> loop: the signals operator.*, slips and heartbeat;   loop -> supervisor: the latch

Each is a row of the loop's table like that of a block, only that it reads or writes shared memory
instead of the bus. A virtual run has no such rows, and nothing to say in them: with the same words
its numbers are the same.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rths.assembly.connect import copy
from rths.errors import InputError
from rths.loop.block import Kernel, Vector, kernel
from rths.loop.fields import fields
from rths.loop.layout import Layout
from rths.loop.row import ROW_WORDS, Row
from rths.loop.table import Table
from rths.realtime.control_words import ITEM, ControlWord
from rths.realtime.ring import SharedRing
from rths.safety.latch import LATCH

RATIO = "operator.substructuring_ratio"
"""Signal with the measured share of the force that the operator wants."""
LOOK = 0.02
"""Seconds between two looks of the supervisor at the loop, and in which the measured share goes
where it was told to at the last look: it must not climb stairs."""
LEAST_STEP = 1e-9
"""Least step of a tick on the way to another share: what is left by round-off is gone in one, and a
share that differs by less is the same."""
P = fields(setting="what a word has to know: the tick, s, or the ticks for a way")
SILENCE = fields(beats="beats seen", ticks="ticks since")
WAY = fields(aim="where to", step="step of a tick")
BEFORE = np.array([-1.0, 0.0])
"""State of a word before the first tick: nothing has been seen."""


@kernel
def read_count(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # u = a whole number
    y[0] = float(u.view(np.int64)[0])


@kernel
def silence(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # x = SILENCE;   u = beats, a whole number
    beats = float(u.view(np.int64)[0])
    if beats != x[SILENCE.beats]:
        x[SILENCE.beats], x[SILENCE.ticks] = beats, 0.0
    y[0] = x[SILENCE.ticks] * p[P.setting]
    x[SILENCE.ticks] += 1.0


@kernel
def move_gradually(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # x = WAY;   u = where to
    if u[0] != x[WAY.aim]:
        x[WAY.aim] = u[0]
        x[WAY.step] = max(abs(u[0] - y[0]) / p[P.setting], LEAST_STEP)
    step = x[WAY.step]
    for c in range(y.size):
        left = u[c] - y[c]
        y[c] = u[c] if abs(left) <= step else y[c] + (step if left > 0.0 else -step)


def operator_words(layout: Layout) -> dict[str, int]:
    """Give the signals that the operator may write, and the word of each."""
    found, first = {}, ControlWord.OPERATOR.place
    for name, signal in layout.signals.items():
        if signal.role == "operator":
            found[name] = first
            first += signal.width
    room = ControlWord.LATCH.place
    if first > room:
        wide, most = first - ControlWord.OPERATOR.place, room - ControlWord.OPERATOR.place
        raise InputError(
            "operator",
            wide,
            f"has more values than the {most} that shared memory holds",
            "Use fewer channels or fewer signals of the operator.",
        )
    return found


def prepend_words(t: Table, layout: Layout, arena: Vector, ring: SharedRing, tick: float) -> Table:
    """Put the rows of the words before those of every tick."""
    control, bus = ring.control.ctypes.data, arena.ctypes.data
    kept: list[Any] = []

    def row(step: Kernel, u: int, y: int, width: int, setting: float = tick) -> Row:
        x, p = BEFORE.copy(), P.pack(setting=setting)
        sizes = np.array([x.size, p.size, width, width], np.int64)
        kept.extend((x, p, sizes))
        return Row(step.address, x.ctypes.data, p.ctypes.data, u, y, sizes.ctypes.data)

    rows = []
    for name, word in operator_words(layout).items():
        s = layout.signals[name]
        step, setting = (move_gradually, max(1.0, LOOK / tick)) if name == RATIO else (copy, tick)
        rows.append(row(step, control + ITEM * word, bus + 8 * s.first, s.width, setting))
    for name, step, read in (
        ("realtime.slips", read_count, ControlWord.SLIPS),
        ("realtime.silence", silence, ControlWord.BEAT),
    ):
        if name in layout.signals:
            there = bus + 8 * layout.signals[name].first
            rows.append(row(step, control + read.offset, there, 1))
    if "safety.latch" in layout.signals:
        latch = bus + 8 * layout.signals["safety.latch"].first
        rows.append(row(copy, latch, control + ControlWord.LATCH.offset, len(LATCH)))
    if not rows:
        return t
    ticks = [t.rows[a:b] for a, b in zip(t.marks[:-1], t.marks[1:], strict=True)]
    words = np.array(rows, np.int64).reshape(-1, ROW_WORDS)
    whole = np.ascontiguousarray(np.concatenate([part for one in ticks for part in (words, one)]))
    marks = t.marks + len(words) * np.arange(len(t.marks))
    order: list[int] = []
    for a, b in zip(t.marks[:-1], t.marks[1:], strict=True):
        order += [-1] * len(words) + t.order[a:b]
    return replace(t, rows=whole, marks=marks, order=order, pointed=(*t.pointed, *kept))


@dataclass(frozen=True, eq=False)
class OperatorWords:
    """The supervisor's side of the words."""

    layout: Layout
    ring: SharedRing

    def reset(self) -> None:
        """Write the first value of each of the operator's signals."""
        for name, word in operator_words(self.layout).items():
            s = self.layout.signals[name]
            self._doubles[word : word + s.width] = self.layout.initial[list(s.slots)]

    def put(self, name: str, value: float) -> None:
        """Write a signal of the operator, all channels of it."""
        word = operator_words(self.layout)[name]
        self._doubles[word : word + self.layout.signals[name].width] = value

    def get(self, name: str) -> float:
        """Read back what the operator has written."""
        return float(self._doubles[operator_words(self.layout)[name]])

    def knows(self, name: str) -> bool:
        """Tell whether the test has such a signal."""
        return name in self.layout.signals

    def read_latch(self) -> dict[str, float]:
        """Give phase, trip, value and tick of the latch, as the loop last told them."""
        first = ControlWord.LATCH.place
        values = self._doubles[first : first + len(LATCH)].tolist()
        return dict(zip(LATCH, values, strict=True))

    @property
    def _doubles(self) -> Any:
        return self.ring.control.view(np.float64)
