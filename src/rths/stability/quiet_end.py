"""After the test: nothing drives any more, and all must come to rest and stay there.

The loop is left alone, then pushed (`quiet_pushes`), without noise. That a motion gets smaller is
no end: it may come down to a cycle, and one that grows may learn. Its course is watched until it
has fallen below what matters, is lost, or keeps its size for good, as long as the work allows, and
on while its changes from tick to tick grow.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import lcm, sqrt

import numpy as np

from rths.loop.block import Vector
from rths.stability.course import (
    SLOWER,
    WINDOWS,
    Course,
    Fate,
    amplitude,
    creeps,
    frequency_of,
    leaves,
    lingers,
    rises,
    swings_up,
)
from rths.stability.disturbance import Pusher, Start
from rths.stability.known_decays import SOONEST, KnownDecays
from rths.stability.own_time import goes_on_evenly, has_own_time, holds_own_code, starts_timer
from rths.stability.rehearsal import Pulse, Rehearsal
from rths.stability.yardstick import ALL, Yardstick

STEADY = 0.01
"""Share by which the second half of a motion may change that keeps its size for good."""
MOST_WINDOWS = 400
"""Windows after which a release must be over."""
WORK = 2_000_000
"""Steps of blocks that a release may take: some minutes of a small test in a tenth of a second."""
LONG_WORK = 24_000_000
"""Steps that one may take that is to be watched for a time: a second."""
STILL_MOVING = 8
"""Windows after the test in which it is pushed while it still moves."""
TEN_MINUTES = 600.0
"""Time, s, for which a rig may be left on: a loop with its own time is pushed all through it."""
CALM = 60
"""Windows in which a loop that rests has calmed down for good."""
SWELLS = 4.0
"""Factor by which what rests may swing up between two pushes."""
GOLDEN = (sqrt(5) - 1) / 2
"""Turn by which sizes follow each other: any number of them lie evenly."""
NOTHING = 1e-300
"""Amplitude of a loop that is at rest to the last bit."""
FALLEN = 0.05
"""Share of its first size, and of what matters, below which a release is over."""


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
    channel: int = ALL
    """Actuator that was pushed by itself, from 0; or ALL, or EACH."""
    in_test: bool = False
    """Whether it was pushed in the test, and is watched on after it."""
    middle: float = 0.0
    """Amplitude after half of the time."""
    kept: float = 1.0
    """Mean amplitude of the last quarter of the time, in that of the quarter before."""
    beyond: bool = False
    """Whether it was pushed further than is answered for, and does not decay."""
    foreseen: bool = False
    """Whether it was left before its end, as it went as known decays."""
    timed: bool = False
    """Whether it set something counting that may act when its motion is long over."""
    sustained: bool = False
    """Whether it goes on where the emulated structure comes to rest."""


@dataclass(frozen=True, eq=False)
class Pause:
    """Where the loop rests after its test, and how it has come there."""

    rest: Vector
    """State from which it is pushed: the end of the test, or where that has come to rest."""
    waits: int = 0
    """How often some time has passed."""
    quietest: float = np.inf
    """Least amplitude meanwhile."""
    moved: int = 0
    """How often it was pushed while it still moved."""


@dataclass(frozen=True, eq=False)
class Push:
    """A push that is ready to be made: how, from which state, with which pulse."""

    start: Start
    state: Vector
    pulse: Pulse


class QuietLoop:
    """The loop after the test, without noise."""

    def __init__(
        self, rehearsal: Rehearsal, end: Vector, window: int, yardstick: Yardstick
    ) -> None:
        self.rehearsal, self.end, self.window, self.yardstick = rehearsal, end, window, yardstick
        self._known = KnownDecays(yardstick.matters)
        self.pause = Pause(end)

    @property
    def rest(self) -> Vector:
        """State from which it is pushed."""
        return self.pause.rest

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
        if found.fate == "decays":
            self.pause = Pause(state)
        return found

    @cached_property
    def has_own_time(self) -> bool:
        """Whether the loop may be another one later: of code that is not known it is not known."""
        if self.holds_own_code:
            return True
        length, rehearsal = float(self.yardstick.motion.max()), self.rehearsal
        if has_own_time(rehearsal, self.rest, self.window, length):
            return True
        if self.rest is self.end:  # it has not come to rest
            return False
        calm = min(CALM, self._windows_of(WORK)) * self.window  # what is left may reset a count
        state = rehearsal.run(self.rest, calm, quiet=True, noise=False).state
        return any(goes_on_evenly(rehearsal, s, self.window) for s in (self.rest, state))

    @cached_property
    def holds_own_code(self) -> bool:
        """Whether a block of one's own remembers something: a push may set it counting."""
        return holds_own_code(self.rehearsal)

    @property
    def followed(self) -> float:
        """How long after the test it has been pushed, s."""
        return float(self.rest[0] - self.end[0]) * self.rehearsal.test.tick

    @property
    def foresees(self) -> bool:
        """Whether what became of some pushes is used to foresee what becomes of others."""
        return not (self.learns or self.has_own_time)

    def wait(self, pause: Pause, mean: float) -> tuple[Pause, list[Release]]:
        """Let some time pass at rest: what changes with time is pushed in all its phases.

        Times are in no ratio to each other, and ``mean`` seconds as a rule of what has its own
        time. Give where it is then, and what was lost meanwhile, or swung up.
        """
        waits, ticks = pause.waits + 1, self.window
        if self.has_own_time:
            mean_ticks = mean / self.rehearsal.test.tick
            way = max(ticks, mean_ticks) * (0.5 + waits * GOLDEN % 1.0)
            ticks = max(1, round(way / self._every)) * self._every
        passed = self.rehearsal.run(pause.rest, ticks, quiet=True, noise=False)
        if not passed.whole or self.yardstick.is_lost(passed.rows):
            return replace(pause, waits=waits), [self._left_alone("lost", np.inf, ticks)]
        size = amplitude(passed.rows, self.yardstick)
        swells = size > max(self.yardstick.matters, SWELLS * pause.quietest)
        after = Pause(passed.state, waits, min(pause.quietest, size), pause.moved)
        return after, [self._left_alone("keeps", size, ticks)] if swells else []

    def _left_alone(self, fate: Fate, size: float, ticks: int) -> Release:
        """What became of the loop while it was left alone for some ticks."""
        time, far = ticks * self.rehearsal.test.tick, float(self.yardstick.motion.max()) * size
        return Release(0.0, 1, 0, fate, size, size, 0.0, time, far, False, False, middle=size)

    @cached_property
    def _every(self) -> int:
        """Ticks after which all blocks have had their turn."""
        clock = self.rehearsal.test.clock
        return lcm(self.rehearsal.layout.period, clock.stage_ticks * clock.stages)

    def _pass_on(self, moved: int) -> Vector:
        """Give a state in which it still moves: another time after the test, evenly, each time.

        The end of an excitation may be a kick that hides what a smooth one leaves: that is tried
        twice as often. Every sixth time is the very end, when most of it still moves.
        """
        begin = self._faded if moved % 3 else self.end
        ticks = int(STILL_MOVING * self.window * (moved * GOLDEN % 1.0)) if moved % 6 else 0
        passed = self.rehearsal.run(begin, ticks, quiet=True, noise=False)
        return passed.state if passed.whole else self.end

    @cached_property
    def _faded(self) -> Vector:
        """The state after the test if its excitation is faded out in a window."""
        return self.rehearsal.end_smoothly(self.end, self.window)

    def release(self, pusher: Pusher, start: Start, least: float = 0.0) -> Release:
        """Push once at rest and watch until it decides itself, for some time (s) at least."""
        return self.follow(self.prepare(pusher, start, self.pause), least)

    def prepare(self, pusher: Pusher, start: Start, pause: Pause) -> Push:
        """Make a push at rest ready."""
        return Push(start, pause.rest, pusher.pulse(start, int(pause.rest[0])))

    def prepare_moving(self, pusher: Pusher, start: Start, pause: Pause) -> tuple[Pause, Push]:
        """Make a push ready while the loop is still moving from the test."""
        state = self._pass_on(pause.moved) if self.learns else self.end
        ready = Push(start, state, pusher.pulse(start, int(state[0])))
        return replace(pause, moved=pause.moved + self.learns), ready

    def follow(self, push: Push, least: float = 0.0) -> Release:
        """Push as prepared and watch."""
        return self._watch(push.start, push.state, push.pulse, least)[0]

    def follow_timers(self, push: Push) -> Release:
        """Push as prepared and watch, for ten minutes if that sets something counting."""
        found, state = self._watch(push.start, push.state, push.pulse, 0.0)
        if found.fate != "decays":
            return found
        if not starts_timer(self.rehearsal, push.state, state, self.window):
            return found
        return replace(self.follow(push, TEN_MINUTES), timed=True)

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
        if least and fate == "decays" and swings_up(sizes, SWELLS * y.matters):
            fate = "keeps"
        left, moves = (np.inf, np.inf) if lost else (sizes[-1], y.way_of_most(rows))
        if foreseen is not None:
            left, moves = foreseen, moves * foreseen / max(left, NOTHING)
        elif fate == "decays" and not self.learns:
            self._known.add(course.each, course.places)
        size, watched = start.size * y.unit(start.channel), float(state[0] - begin[0]) * tick
        first, pitch = max(sizes[:1], default=np.inf), 0.0
        if not lost:
            pitch = frequency_of(y.measure(rows), tick)
        stays = fate == "decays" and foreseen is None and lingers(sizes, y.matters)
        ends = fate, first, left, pitch, watched, moves, rises(course.changes), stays
        found = Release(size, start.sign, start.mode + 1, *ends, pulse, start.shape, start.channel)
        n, early = len(sizes), foreseen is not None
        second, last = sizes[n // 2 :] or [np.inf], sizes[3 * n // 4 :]
        before = sizes[n // 2 : 3 * n // 4] or last
        kept = float(np.mean(last)) / max(float(np.mean(before)), NOTHING) if last else np.inf
        return replace(found, middle=max(second), kept=kept, foreseen=early), state

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
