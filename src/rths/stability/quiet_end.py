"""After the test: nothing drives any more, and all must come to rest and stay there.

    m_w = half the way of each signal in window w, largest of all, in shares of A                (1)
    m_4, m_3 = largest m_w in the last quarter of the windows, and in the one before
    decays: m_4 < matters,  or m_4 < SLOWER m_3                                                 (2)
    grows:  m_4 > GROWS m_3 and matters,  or it leaves for good
    keeps:  neither

The loop is left alone, then pushed (`quiet_pushes`), without noise. That a motion gets smaller is
no end: it may come down to a cycle, and one that grows may learn. It is watched until it has fallen
below what matters, is lost, or keeps its size for good, as long as the work allows. A fast motion
that grows from next to nothing is seen in the changes from tick to tick long before it is seen in
(1): while these grow, it is watched on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from math import lcm, sqrt
from typing import Literal

import numpy as np

from rths.loop.block import Vector
from rths.stability.disturbance import Pusher, Start
from rths.stability.known_decays import SOONEST, KnownDecays
from rths.stability.own_time import has_own_time
from rths.stability.rehearsal import Pulse, Rehearsal
from rths.stability.yardstick import Yardstick, half_way

SLOWER, GROWS = 0.95, 1.2
"""Factors between two quarters of a motion below and above which it changes: what a quantiser keeps
moving differs by less than the second, and what grows is watched until it grows by more."""
FASTER = 1.05
"""Factor by which changes from tick to tick rise."""
STEADY = 0.01
"""Share by which the second half of a motion may change that keeps its size for good."""
WINDOWS, MOST_WINDOWS = 30, 400
"""Windows after which a release may be over, and must be; they are two slowest periods long."""
WORK = 2_000_000
"""Steps of blocks that a release may take: some minutes of a small test in a tenth of a second."""
LONG_WORK = 24_000_000
"""Steps that one may take that is to be watched for a time: a second."""
STILL_MOVING = 8
"""Windows after the test in which it is pushed while it still moves."""
TEN_MINUTES = 600.0
"""Time, s, for which a rig may be left on: a loop with its own time is pushed all through it."""
SWELLS = 4.0
"""Factor by which what rests may swing up between two pushes."""
GOLDEN = (sqrt(5) - 1) / 2
"""Turn by which sizes follow each other: any number of them lie evenly."""
NOTHING = 1e-300
"""Amplitude of a loop that is at rest to the last bit."""
SEEN = 1e-9
"""Change from tick to tick, as a share of the motion, below which there is only round-off."""
FALLEN = 0.05
"""Share of its first size, and of what matters, below which a release is over."""
CREEPS, AWAY = 0.1, 4.0
"""Share of what matters, and multiple of what swings, by which a place must go in a quarter of the
time to be one that leaves."""
BORDER = 0.5
"""Part of what matters from which a motion that goes on is next to it: chatter comes and goes."""
Fate = Literal["decays", "keeps", "grows", "lost"]


@dataclass(frozen=True)
class Release:
    """One push of the quiet loop and what became of it."""

    size: float
    """Size of the push, m."""
    sign: int
    mode: int
    fate: Fate
    first: float
    """Amplitude in the first window, with what the test has left, as a share of the motion."""
    left: float
    """Amplitude at the end."""
    frequency: float
    """Of what is left, Hz."""
    time: float
    """How long it was watched, s."""
    moves: float
    """What is left, m: half the way of the signal that moves most."""
    rises: bool
    """Whether changes from tick to tick still grew when it was left."""
    lingers: bool
    """Whether it goes on by more than BORDER of what matters, and no less than before."""
    pulse: Pulse | None = None
    shape: int = -1
    """Shape of the push, from 0; -1: at the interface."""
    channel: int = -1
    """Actuator that was pushed by itself, from 0; -1: all."""
    in_test: bool = False
    """Whether it was pushed in the test, and is watched on after it."""
    middle: float = 0.0
    """Amplitude after half of the time."""
    least: float = 0.0
    """Least amplitude of the second half of the time."""
    beyond: bool = False
    """Whether it was pushed further than is answered for, and does not decay."""
    foreseen: bool = False
    """Whether it was left before its end, as it went as known decays."""
    sustained: bool = False
    """Whether it goes on where the emulated structure comes to rest."""


@dataclass(frozen=True, eq=False)
class Course:
    """A motion by window: its amplitude (1), its changes from tick to tick, its place."""

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


class QuietLoop:
    """The loop after the test, without noise."""

    def __init__(
        self, rehearsal: Rehearsal, end: Vector, window: int, yardstick: Yardstick
    ) -> None:
        self.rehearsal, self.end, self.window, self.yardstick = rehearsal, end, window, yardstick
        self._moved, self._waited, self._quietest = 0, 0, np.inf
        self._known = KnownDecays(yardstick.matters)
        self.rest = end
        """State from which it is pushed: the end of the test, or where that has come to rest."""

    @property
    def learns(self) -> bool:
        """Whether a law adapts."""
        return self.rehearsal.learns

    def settle(self) -> Release:
        """Leave the loop alone after its test; what comes to rest is pushed from there.

        At the end of a test it still moves, and a push comes on top of that: what only a push from
        rest sets off would be hidden by it.
        """
        none = Pulse(int(self.end[0]), 1, (0.0,) * self.rehearsal.channels)
        found, state = self._watch(Start(0, 0.0, 1, -1), self.end, none, 0.0)
        self.rest = state if found.fate == "decays" else self.end
        return found

    @cached_property
    def has_own_time(self) -> bool:
        """Whether the loop may be another one later."""
        length = float(self.yardstick.motion.max())
        return has_own_time(self.rehearsal, self.rest, self.window, length)

    @property
    def followed(self) -> float:
        """How long after the test it has been pushed, s."""
        return float(self.rest[0] - self.end[0]) * self.rehearsal.test.tick

    def wait(self, mean: float) -> list[Release]:
        """Let some time pass at rest: what changes with time is pushed in all its phases.

        Times are in no ratio to each other, and ``mean`` seconds as a rule of what has its own
        time. Give what was lost meanwhile, or swung up.
        """
        self._waited += 1
        ticks = self.window
        if self.has_own_time:
            mean_ticks = mean / self.rehearsal.test.tick
            way = max(ticks, mean_ticks) * (0.5 + self._waited * GOLDEN % 1.0)
            ticks = max(1, round(way / self._every)) * self._every
        before = self.rest
        passed = self.rehearsal.run(before, ticks, quiet=True, noise=False)
        self.rest = passed.state
        if not passed.whole or self.yardstick.is_lost(passed.rows):
            self.rest = before
            return [self._left_alone("lost", np.inf, ticks)]
        size = amplitude(passed.rows, self.yardstick)
        swells = size > max(self.yardstick.matters, SWELLS * self._quietest)
        self._quietest = min(self._quietest, size)
        return [self._left_alone("keeps", size, ticks)] if swells else []

    def _left_alone(self, fate: Fate, size: float, ticks: int) -> Release:
        """What became of the loop while it was left alone for some ticks."""
        time, far = ticks * self.rehearsal.test.tick, float(self.yardstick.motion.max()) * size
        return Release(0.0, 1, 0, fate, size, size, 0.0, time, far, False, False, middle=size)

    @cached_property
    def _every(self) -> int:
        """Ticks after which all blocks have had their turn."""
        clock = self.rehearsal.test.clock
        return lcm(self.rehearsal.layout.period, clock.stage_ticks * clock.stages)

    def _pass_on(self) -> Vector:
        """Give a state in which it still moves: another time after the test, evenly, each time.

        The end of an excitation may be a kick that hides what a smooth one leaves: that is tried
        twice as often.
        """
        begin = self._faded if self._moved % 3 else self.end
        ticks = int(STILL_MOVING * self.window * (self._moved * GOLDEN % 1.0))
        self._moved += 1
        passed = self.rehearsal.run(begin, ticks, quiet=True, noise=False)
        return passed.state if passed.whole else self.end

    @cached_property
    def _faded(self) -> Vector:
        """The state after the test if its excitation is faded out in a window."""
        return self.rehearsal.end_smoothly(self.end, self.window)

    def release(
        self, pusher: Pusher, start: Start, least: float = 0.0, *, moving: bool = False
    ) -> Release:
        """Push once and watch until it decides itself, for some time (s) at least.

        It is pushed at rest, or while it is still ``moving`` from the test.
        """
        state = (self._pass_on() if self.learns else self.end) if moving else self.rest
        return self._watch(start, state, pusher.pulse(start, int(state[0])), least)[0]

    def watch_on(self, start: Start, state: Vector, pulse: Pulse) -> Release:
        """Watch a copy that was pushed in the test, from the state in which that has left it."""
        found, _ = self._watch(start, state, pulse, 0.0)
        before = (float(state[0]) - pulse.first) * self.rehearsal.test.tick
        return replace(found, time=found.time + before, in_test=True)

    def _watch(
        self, start: Start, begin: Vector, pulse: Pulse, least: float
    ) -> tuple[Release, Vector]:
        """Watch what a pulse makes of a state; give also the state in which it was left."""
        y, tick = self.yardstick, self.rehearsal.test.tick
        course, state, rows, lost, foreseen = Course(), begin, np.zeros((0, 1)), False, None
        shares = y.shares(start.size, start.alone)
        windows = min(self._windows_of(LONG_WORK), int(np.ceil(least / (self.window * tick))))
        while len(course.sizes) < windows or not self._is_over(course):
            foreseen = None if least else self._foresee(course)
            if foreseen is not None:
                break
            stretch = self.rehearsal.run(state, self.window, pulse, quiet=True, noise=False)
            state, rows = stretch.state, stretch.rows
            lost = not stretch.whole or y.is_lost(rows, shares)
            if lost:
                break
            course.add(rows, y)
        sizes = course.sizes
        fate: Fate = "lost" if lost else "decays" if foreseen is not None else course.fate(y)
        left, moves = (np.inf, np.inf) if lost else (sizes[-1], y.way_of_most(rows))
        if foreseen is not None:
            left, moves = foreseen, moves * foreseen / max(left, NOTHING)
        elif fate == "decays":
            self._known.add(course.each, course.places)
        size, watched = start.size * y.unit(start.channel), float(state[0] - begin[0]) * tick
        first, pitch = max(sizes[:1], default=np.inf), 0.0
        if not lost:
            pitch = frequency_of(y.measure(rows), tick)
        stays = fate == "decays" and foreseen is None and lingers(sizes, y.matters)
        ends = fate, first, left, pitch, watched, moves, rises(course.changes), stays
        found = Release(size, start.sign, start.mode + 1, *ends, pulse, start.shape, start.channel)
        second = sizes[len(sizes) // 2 :] or [np.inf]
        early = foreseen is not None
        return replace(found, middle=max(second), least=min(second), foreseen=early), state

    def _foresee(self, course: Course) -> float | None:
        """Give what will be left of a motion that goes as others have; None if that is open."""
        if len(course.sizes) < SOONEST or self.learns or not self._known.enough:
            return None
        if self.has_own_time or rises(course.changes) or creeps(course.places):
            return None
        return self._known.foresee(course.each, course.places)

    def _is_over(self, course: Course) -> bool:
        """Tell whether a motion has fallen, keeps its size, or was watched for long enough."""
        sizes, changes, places = course.sizes, course.changes, course.places
        n, matters = len(sizes), self.yardstick.matters
        if n < 2:
            return False
        if n < WINDOWS:
            fallen = sizes[-1] < FALLEN * matters and changes[-1] < changes[-2] * SLOWER
            return fallen and not creeps(places)
        second = sizes[n // 2 :]
        if max(sizes[3 * n // 4 :]) < matters:  # a quantiser's play may wander about the line
            return n >= self._most or not (rises(changes) or leaves(places, sizes, 0.0))
        return n >= self._most or max(second) - min(second) < STEADY * max(second)

    @cached_property
    def _most(self) -> int:
        """Windows for which the work suffices."""
        return int(np.clip(self._windows_of(WORK), WINDOWS, MOST_WINDOWS))

    def _windows_of(self, work: float) -> int:
        """Windows that take some steps of blocks."""
        return int(work / (self.window * self.rehearsal.steps / self.rehearsal.ticks))


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
