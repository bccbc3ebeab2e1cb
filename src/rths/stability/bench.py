"""A test tried out: the rehearsed test, its shadows, the quiet after it, and the noise alone.

Everything is drawn with fixed seeds and cut by counted work, never by time: the same plan gives the
same answer on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import chain
from math import inf, log, pi

import numpy as np
from numpy.typing import NDArray

from rths.assembly.hybrid_test import HybridTest
from rths.loop.block import Vector
from rths.loop.cycle import choose
from rths.safety.phase import TRIPPED
from rths.stability.abreast import Ahead, try_abreast
from rths.stability.course import Course, comes_to_rest
from rths.stability.disturbance import QUICKEST, Pusher, Shapes, Start, StateSizes
from rths.stability.long_calm import Watch
from rths.stability.other_ends import Ending, end_otherwise, push_and_wait
from rths.stability.own_time import holds_own_code, mark_clocks, mark_own_code
from rths.stability.quiet_end import LONG_WORK, TEN_MINUTES, QuietLoop, Release
from rths.stability.quiet_noise import QuietNoise, listen, quiet_length
from rths.stability.quiet_pushes import is_decided, release_all
from rths.stability.rehearsal import MOTION, Rehearsal
from rths.stability.roots import is_marginal
from rths.stability.shadows import Follower, Shadow, follow_test, of_outcome
from rths.stability.structural_modes import Modes
from rths.stability.superposition import TICKS, superposes
from rths.stability.sustained import sustain
from rths.stability.timeline import Timeline, quiet_window_of, window_of
from rths.stability.trial import Trial
from rths.stability.yardstick import BEYOND, FURTHER, Yardstick, half_way, reach_of, yardstick_of

GROWN, MET, BESIDE = 1e9, 100.0, 0.2
"""Growth from what round-off leaves of a push: a fast root may hardly be met by it. And of a root
that a push does meet, as its frequency is that of a mode, or differs by less than this share."""
HARDLY_GROWS = 0.1
"""Growth in ten minutes, in logarithms, that nobody will see."""
EVERY_MODE = 4.0
"""How much further than by their frequencies pulses of superposition go: one at the interface moves
a mode by its share of it alone."""
BUILT_UP = 3.0
"""Time in which noise builds up, in those in which the slowest root decays to 1/e."""
FEWEST_STEPS = 50
"""Steps of a test whose motion is a measure: in ten of them a structure has hardly begun to move,
and what it does then, by itself, would be thousands of such motions."""
FURTHEST = 4
"""Copies that are watched on after the test."""


@dataclass(frozen=True)
class NoiseWay:
    """What noise alone does in the test to the channel that it moves most."""

    channel: int
    moved: float
    """How far it moves it, m."""
    motion: float
    """How far the test moves it without noise, m."""
    share: float
    """The former in motions by which the channel is measured."""


class Bench:
    """A test with all that is needed to try it."""

    def __init__(
        self,
        test: HybridTest,
        modes: Modes,
        share: float = 1.0,
        *,
        fades: bool = False,
        tries: bool = True,
    ) -> None:
        """Prepare to try a test, with a share of the work that a certificate may take.

        Whether the loop is linear is asked behind the fade of its command; what is tried ``fades``.
        To ask that alone, where nothing ``tries`` the loop, no mass is pushed.
        """
        self.test, self.modes, self.share = test, modes, share
        self.shapes = Shapes(test, modes)
        self.rehearsal = Rehearsal(test, self.shapes.forces if tries else None, fades=fades)
        self.window = window_of(self.rehearsal, modes)
        self.line = Timeline(self.rehearsal, self.window)
        self._find_endings: Callable[[], tuple[Ending, ...]] = self._end_otherwise

    @cached_property
    def quiet_window(self) -> int:
        """Ticks of a window after the test."""
        return quiet_window_of(self.rehearsal, self.modes)

    @cached_property
    def left_alone(self) -> tuple[QuietLoop, Release, Pusher]:
        """The loop after its test, what became of it, and who pushes it from where it rests."""
        quiet = QuietLoop(self.rehearsal, self.line.end, self.quiet_window, self.yardstick)
        alone = quiet.settle()
        return (
            quiet,
            alone,
            Pusher(self.rehearsal, quiet.rest, self.modes, self.yardstick, self.shapes),
        )

    @cached_property
    def silent(self) -> Vector:
        """Motion of the test without noise."""
        if not self.rehearsal.noisy:
            return self.line.motion
        return self.rehearsal.run(self.rehearsal.start, self.rehearsal.ticks, noise=False).rows

    @cached_property
    def own_yardstick(self) -> Yardstick:
        """Sizes by the test's own motion."""
        return yardstick_of(self.rehearsal, self.line.motion, self.silent, emulated=False)

    @cached_property
    def yardstick(self) -> Yardstick:
        """Sizes by the motion of the emulated test."""
        return yardstick_of(self.rehearsal, self.line.motion, self.silent)

    def find_noise(self) -> NoiseWay:
        """Find where noise alone takes target or displacement furthest in the test."""
        m, n = self.rehearsal.channels, min(len(self.line.motion), len(self.silent))
        off = half_way(self.line.motion[:n] - self.silent[:n]) if n else np.zeros(3 * m)
        moved = np.maximum(off[:m], off[2 * m :])
        share = moved / self.own_yardstick.motion
        c = int(share.argmax())
        own = float(half_way(self.silent[:, c])) if n else 0.0
        return NoiseWay(c, float(moved[c]), own, float(share[c]))

    @property
    def is_short(self) -> bool:
        """Whether the test ends before it has moved as far as it was meant to."""
        return self.test.duration < FEWEST_STEPS * self.test.clock.step

    def builds_up(self, rate: float) -> bool:
        """Tell whether noise builds up for longer than the test lasts, by the slowest root."""
        return self._build_up(rate) > self.test.duration

    @cached_property
    def excess(self) -> str:
        """How the rehearsed test goes beyond its limits, or, without any, ten times too far."""
        if self.test.limits or self.test.safety:
            time = self._end_within_limits()
            what = "a guard" if self.test.safety else "a limit of the plan"
            return f"{what} ends the rehearsed test at {time:.3g} s" if time else ""
        m, y = self.rehearsal.channels, self.yardstick
        moved = np.r_[:m, 2 * m : 3 * m]
        room = BEYOND * y.columns + np.tile(FURTHER * y.way, len(MOTION))
        beyond = np.abs(self.line.motion[:, moved]) > room[moved]
        (ticks,) = np.nonzero(beyond.any(axis=1))
        if not ticks.size:
            return ""
        how = f"goes {BEYOND:.0f} times as far as the emulated one"
        return f"the rehearsed test {how} at {ticks[0] * self.test.tick:.3g} s"

    @property
    def reach(self) -> float:
        """How far the rehearsed test goes, in limits of the plan; 0 without any."""
        return reach_of(self.test, self.line.motion)

    def _end_within_limits(self) -> float | None:
        """When a limit of the plan or a guard ends the rehearsed test, s; None if none does."""
        record = ("safety.phase",) if self.test.safety else MOTION
        within = replace(self.test, hardware=None, record=record)
        cycle, ticks = within.cycle(choose(1)), within.clock.ticks
        rows = np.empty((ticks, cycle.layout.record_slots.size))
        done = cycle.advance(ticks, rows)
        if self.test.safety:
            (ends,) = np.nonzero(rows[:done, 0] == TRIPPED)
            done = int(ends[0]) if ends.size else ticks
        return max(done, 1) * self.test.tick if done < ticks else None

    def superposes(self, decays: bool = True) -> bool:
        """Tell whether the loop is linear, and the same, at all times of the test.

        If its roots decay, in the quiet after it too, and nothing but the excitation may move it.
        """
        e, y = self.test.equation, self.own_yardstick
        mobility = float(np.abs(np.diag(e.L @ np.linalg.solve(e.M, e.L.T))).min())
        slowest = max(float(self.modes.frequencies.min()), 1 / self.test.duration)
        further = EVERY_MODE * float(np.clip(self.modes.frequencies.max() / slowest, 1, QUICKEST))
        acting = self.rehearsal.acting_time(TICKS)
        force = float(y.motion.max()) * 2 * pi * slowest / (mobility * acting)
        if not decays:
            return superposes(self.line, force, y, further)
        if (self.clocks & mark_own_code(self.rehearsal)).any():
            return False
        quiet = self.quiet_window * quiet_length(self.rehearsal, self.quiet_window)
        if self.has_clock:
            quiet = max(quiet, round(TEN_MINUTES / self.test.tick))
            if quiet * self.rehearsal.steps > LONG_WORK * self.rehearsal.ticks:
                return False
        if not superposes(self.line, force, y, further, quiet) or self._leaves():
            return False
        return not self.has_clock or self._rests(quiet)

    @cached_property
    def clocks(self) -> NDArray[np.bool_]:
        """States that go on by themselves after the test."""
        motion = float(self.own_yardstick.motion.max())
        return mark_clocks(self.rehearsal, self.line.end, self.quiet_window, motion)

    @property
    def has_clock(self) -> bool:
        """Whether the loop may be another one after its test: a fault may wait."""
        return bool(self.clocks.any())

    def _rests(self, ticks: int) -> bool:
        """Tell whether nothing moves the loop for some ticks after its test but what is left of it.

        Superposition does not see what is added: an actuator that leaves its place, a sensor that
        drifts.
        """
        state, course = self.line.end, Course()
        while ticks > 0:
            part = self.rehearsal.run(state, self.quiet_window, quiet=True, noise=False)
            state, ticks = part.state, ticks - self.quiet_window
            if not part.whole or self.yardstick.is_lost(part.rows):
                return False
            course.add(part.rows, self.yardstick)
        return comes_to_rest(course, self.yardstick.matters)

    def _leaves(self) -> bool:
        """Tell whether the test is lost, and so it is with nothing that drives.

        A loop that decays is carried away by a sensor that drifts or an actuator that fails; with
        the excitation alone it is a resonance.
        """
        if self._loss() is None:
            return False
        still = self.rehearsal.run(self.rehearsal.start, self.rehearsal.ticks, quiet=True)
        return not still.whole or self.yardstick.is_lost(still.rows)

    def _build_up(self, rate: float) -> float:
        """Time, s, that noise takes to build up in a loop with a root of some rate, 1/s."""
        if is_marginal(rate, self.test.clock.step):
            return inf  # it walks
        return BUILT_UP / -rate if rate < 0 else 0.0

    def try_test(self, rate: float, ahead: Ahead) -> Trial:
        """Try all, until something is lost; ``rate`` is that of the slowest root at rest, 1/s.

        What is looked at last is begun ``ahead``, while the last pushes are on their way.
        """
        y, line, tick = self.yardstick, self.line, self.test.tick
        about = float(y.motion.max()), y.matters, y.limit, self.window * tick
        lengths = tuple(y.lengths(alone=True).tolist())
        learns, remembers = self.rehearsal.learns, holds_own_code(self.rehearsal)
        made = partial(Trial, *about, lengths=lengths, learns=learns, remembers=remembers)
        lost = self._loss()
        if lost is not None:
            return made(lost, by_noise=self._stays_without_noise())
        quiet, alone, pusher = self.left_alone
        follower = Follower(line, y, pusher, StateSizes(self.rehearsal, line.states))
        shadows = tuple(follow_test(follower, self.share))
        if of_outcome(shadows, "lost"):
            return made(None, shadows)
        heard = list[Callable[[], QuietNoise]]()

        def begin_what_follows() -> None:
            own = quiet.has_own_time  # known before another push: the place of rest goes on
            heard.append(ahead.begin(partial(self._listen, rate, own)))
            if learns:
                self._find_endings = ahead.begin(self._end_otherwise)

        released = release_all(quiet, pusher, alone, self.share, begin_what_follows)
        beyond = next((r for r in released if r.beyond), None)
        window = self.quiet_window
        if alone.fate == "keeps":
            windows = round(alone.time / (window * tick))
            released[0] = sustain(alone, self.test, y, window, windows)
        releases = tuple(r for r in released if not r.beyond)
        if not is_decided(releases):
            releases = (*releases, *watch_furthest(quiet, shadows))
        grown = of_outcome(shadows, "grown")
        if grown or is_decided(releases):
            return made(None, shadows, releases)
        noise = heard[0]() if heard else self._listen(rate, quiet.has_own_time)
        tried = made(None, shadows, releases, noise, self.excess, beyond=beyond)
        timed = min((r.time for r in releases if r.timed), default=0.0)
        return replace(tried, followed=quiet.followed if quiet.has_own_time else 0.0, timed=timed)

    def _listen(self, rate: float, own: bool) -> QuietNoise:
        """Listen to what noise makes of the loop, which may have its ``own`` time."""
        window, least = self.quiet_window, max(self._build_up(rate), TEN_MINUTES * own)
        windows = quiet_length(self.rehearsal, window, self.share, least)
        early = self.rehearsal.learns or own or least == inf
        return listen(self.line, self.yardstick, window, windows, early)

    def try_other_ends(self, trial: Trial) -> Trial:
        """End the test of what learns at other times, and push it late, until one does not rest.

        This takes as long as all else, and decides nothing where something else has.
        """
        return replace(trial, endings=self._find_endings())

    def _end_otherwise(self) -> tuple[Ending, ...]:
        """End the test otherwise, again and again."""
        watch, endings = Watch(self.line, self.yardstick, self.quiet_window), list[Ending]()
        _, _, pusher = self.left_alone
        pushes = push_and_wait(watch, pusher, pusher.rest, self.share)
        for ending in try_abreast(chain(end_otherwise(watch, self.share), pushes)):
            endings.append(ending)
            if not ending.calm.rests(self.yardstick.matters):
                break
        return tuple(endings)

    def comes_to_matter(self, rate: float, frequency: float) -> bool | None:
        """Tell whether what grows at rest before the test, by 1/s and at Hz, is there to stay.

        A delay that drifts, a fault or a law that learns may end it; and it may stay small. What
        grows so slowly that it cannot be watched for long enough is not known: None.
        """
        if rate * TEN_MINUTES < HARDLY_GROWS:
            return False
        modes = np.maximum(self.modes.frequencies, 1 / self.test.duration)
        beside = np.abs(frequency / modes - 1)
        mode = int(beside.argmin())
        y, rehearsal = self.yardstick, self.rehearsal
        pusher = Pusher(rehearsal, rehearsal.start, self.modes, y, self.shapes)
        quiet = QuietLoop(rehearsal, rehearsal.start, self.quiet_window, y)
        small, least = Start(0, y.matters, 1, pusher.modes), log(GROWN) / rate
        if beside[mode] < BESIDE and mode < pusher.modes:
            small, least = pusher.aim_furthest(small, mode), log(MET) / rate
        found = quiet.release(pusher, small, least=least)
        if found.fate != "decays" or found.rises:
            return True
        return False if found.time >= least else None

    def _stays_without_noise(self) -> bool:
        """Tell whether the test has noise, and comes to its end without it."""
        whole = len(self.silent) == self.rehearsal.ticks
        return self.rehearsal.noisy and whole and not self.yardstick.is_lost(self.silent)

    def _loss(self) -> float | None:
        """When the test itself is lost, s."""
        for rows, state in zip(self.line.rows, self.line.states[1:], strict=True):
            if self.yardstick.is_lost(rows):
                return float(state[0]) * self.test.tick
        return None if self.line.whole else float(self.line.end[0]) * self.test.tick


def watch_furthest(quiet: QuietLoop, shadows: Sequence[Shadow]) -> Iterator[Release]:
    """Watch copies on that the end of the test has left further away than they were pushed."""
    apart = sorted(of_outcome(shadows, "apart"), key=lambda s: s.gain, reverse=True)
    trials = (
        partial(quiet.watch_on, s.start, s.end, s.pulse)
        for s in apart[:FURTHEST]
        if s.gain > 1.0 and s.pulse is not None
    )
    return (trial() for trial in trials) if quiet.foresees else try_abreast(trials)
