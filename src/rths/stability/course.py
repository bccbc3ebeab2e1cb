"""The course of a motion after the test, window by window: does it decay, keep its size, or grow?

    m_w = half the way of each signal in window w, largest of all, in shares of A                (1)
    m_4, m_3 = largest m_w in the last quarter of the windows, and in the one before
    decays: m_4 < matters,  or m_4 < SLOWER m_3                                                 (2)
    grows:  m_4 > GROWS m_3 and matters,  or it leaves for good
    keeps:  neither

A fast motion that grows from next to nothing is seen in the changes from tick to tick long before
it is seen in (1), and one that creeps in neither: it is seen in the place about which it moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

import numpy as np

from rths.loop.block import Vector
from rths.stability.yardstick import Yardstick, half_way

SLOWER, GROWS = 0.95, 1.2
"""Factors between two quarters of a motion below and above which it changes: what a quantiser keeps
moving differs by less than the second, and what grows is watched until it grows by more."""
FASTER = 1.05
"""Factor by which changes from tick to tick rise."""
WINDOWS = 30
"""Windows after which a motion may be judged; they are two slowest periods long."""
SEEN = 1e-9
"""Change from tick to tick, as a share of the motion, below which there is only round-off."""
CREEPS, AWAY = 0.1, 4.0
"""Share of what matters, and multiple of what swings, by which a place must go in a quarter of the
time to be one that leaves."""
BORDER = 0.5
"""Part of what matters from which a motion that goes on is next to it: chatter comes and goes."""
COME_DOWN = 0.25
"""Share of its first size below which a motion has come down."""
Fate = Literal["decays", "keeps", "grows", "lost"]


@dataclass(frozen=True, eq=False)
class Course:
    """A motion by window: its amplitude (1), its changes from tick to tick, its pause."""

    sizes: list[float] = field(default_factory=list)
    changes: list[float] = field(default_factory=list)
    places: list[Vector] = field(default_factory=list)
    each: list[Vector] = field(default_factory=list)
    """Its amplitude in each channel."""

    def add(self, rows: Vector, yardstick: Yardstick) -> None:
        """Take a window."""
        self.each.append(by_channel(rows, yardstick))
        self.sizes.append(float(self.each[-1].max()))
        self.changes.append(amplitude(np.diff(rows, axis=0), yardstick))
        self.places.append(yardstick.measure(rows).mean(axis=0))

    def fate(self, yardstick: Yardstick) -> Fate:
        """(2); what leaves its place further and further grows, however little it swings."""
        found = fate_of(self.sizes, yardstick.matters)
        away = found == "decays" and leaves(self.places, self.sizes, yardstick.matters)
        return "grows" if away else found


def amplitude(rows: Vector, yardstick: Yardstick) -> float:
    """(1)."""
    return float(np.max(0.5 * np.ptp(yardstick.measure(rows), axis=0)))


def by_channel(rows: Vector, yardstick: Yardstick) -> Vector:
    """(1) of each channel: of its target, its command or its displacement."""
    moved = half_way(yardstick.measure(rows))
    return np.asarray(moved.reshape(-1, yardstick.motion.size).max(axis=0))


def rises(changes: Sequence[float]) -> bool:
    """Tell whether changes from tick to tick, by window, grow in their second half."""
    if not changes:
        return False
    return changes[-1] > SEEN and changes[-1] > FASTER * changes[len(changes) // 2]


def creeps(places: Sequence[Vector]) -> bool:
    """Tell whether the place about which a loop moves goes on as fast as before, or faster."""
    if len(places) < 3:
        return False
    before, last = (float(np.abs(b - a).max()) for a, b in pairwise(places[-3:]))
    return last > max(SLOWER * before, SEEN)


def leaves(places: Sequence[Vector], sizes: Sequence[float], matters: float) -> bool:
    """Tell whether the place about which a loop moves goes away further and further.

    What creeps moves hardly at all in any window: it is seen in the way of its place, by quarters.
    Windows that hold no whole periods have other means, by less than what swings in them.
    """
    n = len(places)
    if n < WINDOWS:
        return False
    on = [places[k] for k in (n // 2, 3 * n // 4, n - 1)]
    before, last = (float(np.abs(b - a).max()) for a, b in pairwise(on))
    swings = AWAY * max(sizes[3 * n // 4 :])
    return last > max(FASTER * before, swings, CREEPS * matters, SEEN)


def comes_to_rest(course: Course, matters: float) -> bool:
    """Tell whether what decays is moved by nothing else: it swings no more, and stays at its place.

    The place of a decay moves less from quarter to quarter; at first no further than it had to go.
    Windows that hold no whole periods have other means, by less than what swings in them.
    """
    if max(course.sizes) > max(matters, course.sizes[0]):
        return False
    n = len(course.places) - 1
    marks = [k * n // 4 for k in range(5)]
    on = [course.places[k] for k in marks]
    swings = [max(course.sizes[a : b + 1]) for a, b in pairwise(marks)]
    steps = [float(np.abs(b - a).max()) for a, b in pairwise(on)]
    far = [float(np.abs(on[0]).max()) + course.sizes[0], *(SLOWER * step for step in steps[:-1])]
    return all(s <= max(matters, *room) for s, *room in zip(steps, far, swings, strict=True))


def fate_of(sizes: Sequence[float], matters: float) -> Fate:
    """(2), from amplitudes by window."""
    n = len(sizes)
    last, before = max(sizes[3 * n // 4 :]), max(sizes[n // 2 : 3 * n // 4] or sizes[:1])
    if last < matters or last < SLOWER * before:
        return "decays"
    return "grows" if last > GROWS * before else "keeps"


def lingers(sizes: Sequence[float], matters: float) -> bool:
    """Tell whether a motion that does not quite matter goes on, and no less than before."""
    n = len(sizes)
    if n < WINDOWS:
        return False
    last, before = max(sizes[3 * n // 4 :]), max(sizes[n // 2 : 3 * n // 4])
    return last > max(BORDER * matters, SLOWER * before)


def swings_up(sizes: Sequence[float], much: float) -> bool:
    """Tell whether what had come down is larger again than at first, and than this much.

    What is another loop for a while may come back from a burst, and decay in the end.
    """
    most = max(*sizes[:1], much)
    down = next((k for k, s in enumerate(sizes) if s < COME_DOWN * most), len(sizes))
    return max(sizes[down:], default=0.0) > most


def frequency_of(rows: Vector, tick: float) -> float:
    """Frequency of the signal that moves most, Hz, from its passages through its mean.

    Upward ones have whole periods between them; of less than two periods all are taken.
    """
    if len(rows) < 2 or not np.isfinite(rows).all():
        return 0.0
    most = rows[:, int(np.ptp(rows, axis=0).argmax())]
    x = most - most.mean()
    every = np.flatnonzero((x[:-1] < 0) != (x[1:] < 0))
    up = every[x[every] < 0]
    on, periods = (up, up.size - 1) if up.size > 1 else (every, 0.5 * (every.size - 1))
    if on.size < 2:
        return 0.0
    at = on - x[on] / (x[on + 1] - x[on])
    if at[-1] == at[0]:  # one sample touches the mean
        return 0.0
    return float(periods / ((at[-1] - at[0]) * tick))
