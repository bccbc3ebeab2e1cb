"""A loop that learns, left alone until nothing moves: does it swing up again, does its law rest?

    m_w as in the quiet end, of a loop without noise
    bursts: it has calmed down, and  m_w > matters  and  m_w > LOUDER min(m_0 ... m_w)           (1)
    walks:  a number of a law goes on while hardly anything moves, to one side, as far in each part
            of the calm; in TEN_MINUTES it comes to more than FAR_OFF of itself                 (2)

A law stops learning when its motion stops. With what it knows by then the loop may grow, by a
hundredth in a period, from next to nothing and for minutes, until it moves enough to be learnt
again: whoever looks while it calms down sees a decay. And some laws go on without any motion: an
integral of what was left when it ended leads them through all they can be (2), and the loop with
them; how long it was watched bounds nothing then. The numbers of a law are those that it tells by
its ports, of one that tells none its states.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from rths.loop.block import Vector
from rths.stability.course import amplitude
from rths.stability.quiet_end import TEN_MINUTES
from rths.stability.quiet_noise import LOUDER, WORK
from rths.stability.rehearsal import Pulse
from rths.stability.timeline import Timeline
from rths.stability.yardstick import Yardstick

CALM = 1e-6
"""Share of what matters below which nothing is left that could grow soon."""
GROWING = 2.0
"""Factor on the least motion from which on it is watched on: what beats has less."""
PART = 4
"""Part of the work of the quiet end after which what has not grown is left: one of this many."""
PARTS, WINDOWS = 4, 10
"""Parts of the calm that are compared, and windows of each."""
FAR_OFF = 0.2
"""Share of itself by which a number of a law may change in TEN_MINUTES: a delay is often not known
better."""
STEADY = 0.8
"""Least way of a part over the longest, of what walks on: what comes to an end goes less far each
time, and what is learnt from next to nothing comes and goes."""


@dataclass(frozen=True)
class Calm:
    """What came of a loop that was left alone."""

    least: float
    """Amplitude before its largest rise, as a share of the motion; of a decay the first."""
    largest: float
    """Amplitude to which it rose; infinite if it was lost."""
    last: float
    """Amplitude when it was left."""
    watched: float
    """How long it was watched, s."""
    walk: float = 0.0
    """How far a law goes in TEN_MINUTES while nothing moves, as a share of itself (2)."""

    def bursts(self, matters: float) -> bool:
        """Tell whether (1) holds; what is lost at once has never calmed down."""
        return self.largest == np.inf or self.largest > max(matters, LOUDER * self.least)

    def grows(self, matters: float) -> bool:
        """Tell whether it was left while it grew."""
        return self.last > GROWING * max(self.least, CALM * matters)

    @property
    def walks(self) -> bool:
        """Whether (2) holds."""
        return self.walk > FAR_OFF

    def rests(self, matters: float) -> bool:
        """Tell whether it came to rest, and its law with it."""
        return not (self.bursts(matters) or self.grows(matters) or self.walks)


class Watch:
    """Watches the loop of a test without its noise."""

    def __init__(self, line: Timeline, yardstick: Yardstick, window: int) -> None:
        self.line, self.yardstick, self.window = line, yardstick, window
        self.rehearsal = line.rehearsal
        self._law = self.rehearsal.learnt
        self._sizes = np.ptp([state[self._law] for state in line.states], axis=0)
        each = self.rehearsal.steps / self.rehearsal.ticks
        self._most = max(2, int(WORK / each / window))

    def watch(
        self, begin: Vector, pulse: Pulse | None = None, shares: Vector | float = 0.0
    ) -> Calm:
        """Leave the loop alone from a state on, until it is calm, has burst or does not grow.

        It may be pushed once, by some shares of the motion.
        """
        matters, state, count = self.yardstick.matters, begin, 0
        low, least, largest = np.inf, np.inf, 0.0
        while count < self._most:
            stretch = self.rehearsal.run(state, self.window, pulse, quiet=True, noise=False)
            state, count = stretch.state, count + 1
            lost = not stretch.whole or self.yardstick.is_lost(stretch.rows, shares)
            size = np.inf if lost else amplitude(stretch.rows, self.yardstick)
            low = min(low, size)
            if lost or count == 1 or size * least > largest * low:  # a rise by a larger factor
                least, largest = low, size
            calm, found = size < CALM * matters, Calm(least, largest, size, 0.0)
            late = count >= self._most // PART and size <= GROWING * max(low, CALM * matters)
            if lost or (count > 1 and (calm or late or found.bursts(matters))):
                break
        found = replace(found, watched=self._time(begin, state))
        if lost or found.bursts(matters):
            return found
        walk, size = self._walk(state)
        rises = size > max(matters, LOUDER * low)
        return replace(found, least=low, largest=size) if rises else replace(found, walk=walk)

    def _time(self, begin: Vector, state: Vector) -> float:
        return (float(state[0]) - float(begin[0])) * self.rehearsal.test.tick

    def _walk(self, state: Vector) -> tuple[float, float]:
        """(2), from a state in which hardly anything moves, and how far it moves meanwhile."""
        seen, size = [state], 0.0
        for _ in range(PARTS):
            stretch = self.rehearsal.run(seen[-1], WINDOWS * self.window, quiet=True, noise=False)
            if not stretch.whole or self.yardstick.is_lost(stretch.rows):
                return 0.0, np.inf
            seen.append(stretch.state)
            size = max(size, amplitude(stretch.rows, self.yardstick))
        told = np.array([s[self._law] for s in seen])
        ways, about = np.diff(told, axis=0), np.maximum(np.abs(told[-1]), self._sizes)
        least, most = np.abs(ways).min(axis=0), np.abs(ways).max(axis=0)
        one_side = np.abs(np.sign(ways).sum(axis=0)) == PARTS
        goes_on = one_side & (least > STEADY * most) & (about > 0)
        often = TEN_MINUTES / self._time(seen[-2], seen[-1])
        with np.errstate(all="ignore"):
            walk = float(np.max(np.where(goes_on, often * most / about, 0.0), initial=0.0))
        return walk, size
