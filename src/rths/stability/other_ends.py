"""The test ended sooner, and smoothly: what a law has learnt depends on when, and how, that is.

    m_w as in the quiet end, of a loop that is left alone from window e on, without noise
    bursts: it has calmed down, and  m_w > matters  and  m_w > LOUDER min(m_0 ... m_w)           (1)

A law stops learning when its motion stops. With what it knows by then the loop may grow, by a
hundredth in a period, from next to nothing and for minutes, until it moves enough to be learnt
again: whoever looks while it calms down sees a decay. An operator may end a test at any time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rths.loop.block import Vector
from rths.stability.quiet_end import GOLDEN, amplitude
from rths.stability.quiet_noise import LOUDER, WORK
from rths.stability.timeline import Timeline
from rths.stability.yardstick import Yardstick

ENDS = 6
"""Ends that are tried, every second one smooth: of one plan a third of them led to a burst."""
SOONEST = 0.5
"""Part of the test after which it may be ended."""
CALM = 1e-6
"""Share of what matters below which nothing is left that could grow soon."""
GROWING = 2.0
"""Factor on the least motion from which on it is watched on: what beats has less."""
PART = 4
"""Part of the work of the quiet end after which what has not grown is left: one of this many."""


@dataclass(frozen=True)
class Ending:
    """One end of a test and what came of it."""

    time: float
    """When the test was ended, s."""
    smooth: bool
    least: float
    """Amplitude before its largest rise, as a share of the motion; of a decay the first."""
    largest: float
    """Amplitude to which it rose; infinite if it was lost."""
    watched: float
    """How long it was watched, s."""

    def bursts(self, matters: float) -> bool:
        """Tell whether (1) holds."""
        return self.largest > max(matters, LOUDER * self.least)

    @property
    def grows(self) -> bool:
        """Whether it was left while it grew."""
        return self.largest > GROWING * self.least


def end_otherwise(
    line: Timeline, yardstick: Yardstick, window: int, share: float = 1.0
) -> list[Ending]:
    """End the test at some times, smoothly or not, until one of them bursts."""
    found: list[Ending] = []
    far = (1 - SOONEST) * line.windows
    ways = [(int(far * (k * GOLDEN % 1.0)), k % 2 == 0) for k in range(max(1, round(share * ENDS)))]
    for back, smooth in dict.fromkeys(ways):  # a short test has few windows
        found.append(_end(line, yardstick, window, line.windows - back, smooth))
        if found[-1].bursts(yardstick.matters):
            break
    return found


def _end(line: Timeline, yardstick: Yardstick, window: int, last: int, smooth: bool) -> Ending:
    """End the test after some windows, and watch the loop until it is calm or has burst."""
    rehearsal, begin = line.rehearsal, line.states[last]
    state = rehearsal.end_smoothly(begin, window) if smooth else begin
    each, sizes = rehearsal.steps / rehearsal.ticks, list[float]()
    most = max(2, int(WORK / each / window))
    while len(sizes) < most and not _is_over(sizes, most // PART, yardstick.matters):
        stretch = rehearsal.run(state, window, quiet=True, noise=False)
        state = stretch.state
        lost = not stretch.whole or yardstick.is_lost(stretch.rows)
        sizes.append(np.inf if lost else amplitude(stretch.rows, yardstick))
    tick, (least, largest) = rehearsal.test.tick, rise_of(sizes)
    time, watched = float(begin[0]) * tick, (float(state[0]) - float(begin[0])) * tick
    return Ending(time, smooth, least, largest, watched)


def _is_over(sizes: Sequence[float], fewest: int, matters: float) -> bool:
    """Tell whether a motion has burst, is calm, or has not grown in its part of the work."""
    if len(sizes) < 2:
        return False
    least, largest = rise_of(sizes)
    if largest > max(matters, LOUDER * least) or sizes[-1] < CALM * matters:
        return True
    return len(sizes) >= fewest and sizes[-1] <= GROWING * min(sizes)


def rise_of(sizes: Sequence[float] | Vector) -> tuple[float, float]:
    """Give the least size and the largest after it, of the rise by the largest factor."""
    calm = np.minimum.accumulate(sizes)
    with np.errstate(all="ignore"):
        k = int(np.argmax(np.asarray(sizes) / np.maximum(calm, np.finfo(float).tiny)))
    return float(calm[k]), float(sizes[k])
