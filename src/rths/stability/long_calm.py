"""A loop that learns, left alone for long: it calms down, and may swing up again minutes later.

    m_w as in the quiet end, of a loop without noise
    bursts: it has calmed down, and  m_w > matters  and  m_w > LOUDER min(m_0 ... m_w)           (1)
    rests:  no learnt number has changed by more than RESTS of itself in the last window         (2)

A law stops learning when its motion stops. With what it knows by then the loop may grow, by a
hundredth in a period, from next to nothing and for minutes, until it moves enough to be learnt
again: whoever looks while it calms down sees a decay. And some laws go on without any motion: an
integral of what was left when it ended leads them through all they can be. A loop is calm for good
if next to nothing moves and its law rests.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rths.loop.block import Vector
from rths.stability.quiet_end import amplitude
from rths.stability.quiet_noise import LOUDER, WORK
from rths.stability.rehearsal import Pulse, Rehearsal
from rths.stability.yardstick import Yardstick

CALM = 1e-6
"""Share of what matters below which nothing is left that could grow soon."""
GROWING = 2.0
"""Factor on the least motion from which on it is watched on: what beats has less."""
PART = 4
"""Part of the work of the quiet end after which what has not grown is left: one of this many."""
RESTS = 1e-6
"""Share of itself by which a number of a law that rests changes in a window: what changes by more
comes to a hundredth in the ten thousand windows of an hour."""


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

    def bursts(self, matters: float) -> bool:
        """Tell whether (1) holds."""
        return bursts(self.least, self.largest, matters)

    def grows(self, matters: float) -> bool:
        """Tell whether it was left while it grew."""
        return self.last > GROWING * max(self.least, CALM * matters)


def bursts(least: float, largest: float, matters: float) -> bool:
    """(1) of a rise; what is lost at once has never calmed down."""
    return largest == np.inf or largest > max(matters, LOUDER * least)


def watch_calm(
    rehearsal: Rehearsal,
    yardstick: Yardstick,
    window: int,
    begin: Vector,
    pulse: Pulse | None = None,
    shares: Vector | float = 0.0,
) -> Calm:
    """Leave a loop alone from a state on, until it is calm for good or has burst.

    It may be pushed once, by some shares of the motion.
    """
    each, sizes, state, rests = rehearsal.steps / rehearsal.ticks, list[float](), begin, False
    most, matters = max(2, int(WORK / each / window)), yardstick.matters
    while len(sizes) < most and not _is_over(sizes, rests, most // PART, matters):
        stretch = rehearsal.run(state, window, pulse, quiet=True, noise=False)
        rests = _rests(state[rehearsal.learnt], stretch.state[rehearsal.learnt])
        state = stretch.state
        lost = not stretch.whole or yardstick.is_lost(stretch.rows, shares)
        sizes.append(np.inf if lost else amplitude(stretch.rows, yardstick))
    least, largest = rise_of(sizes)
    watched = (float(state[0]) - float(begin[0])) * rehearsal.test.tick
    return Calm(least, largest, sizes[-1], watched)


def _rests(before: Vector, now: Vector) -> bool:
    """(2)."""
    return bool(np.all(np.abs(now - before) <= RESTS * np.abs(now)))


def _is_over(sizes: Sequence[float], rests: bool, fewest: int, matters: float) -> bool:
    """Tell whether a motion has burst, is calm for good, or has not grown in its part of work."""
    if len(sizes) < 2:
        return False
    if bursts(*rise_of(sizes), matters) or (rests and sizes[-1] < CALM * matters):
        return True
    return len(sizes) >= fewest and sizes[-1] <= GROWING * max(min(sizes), CALM * matters)


def rise_of(sizes: Sequence[float] | Vector) -> tuple[float, float]:
    """Give the least size and the largest after it, of the rise by the largest factor."""
    calm = np.minimum.accumulate(sizes)
    with np.errstate(all="ignore"):
        k = int(np.argmax(np.asarray(sizes) / np.maximum(calm, np.finfo(float).tiny)))
    return float(calm[k]), float(sizes[k])
