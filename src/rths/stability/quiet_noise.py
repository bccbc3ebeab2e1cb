"""A long quiet end with the noise on: no chatter, and nothing learnt from noise that loses a test.

    m_w as in the quiet end;   chatter: m_w > matters  and  m_w > LOUDER times its level before (1)
    length: if a law adapts, all that WORK allows: 20 min at 1 kHz, ten memories of two minutes  (2)
    then the same test once more, from the state in which the quiet has left the loop           (3)

A law that walks in directions that nothing excites is seen in (1) if it gets that far, and in (3)
by what it does to the next motion.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rths.loop.block import Vector
from rths.stability.quiet_end import amplitude, frequency_of
from rths.stability.rehearsal import Rehearsal
from rths.stability.timeline import Timeline
from rths.stability.yardstick import Yardstick

LOUDER = 4.0
"""Factor of (1) on the median of five windows: those of stationary noise differ by less."""
NO_NOISE = 1e-300
"""Level of a loop that is at rest to the last bit: a rise from it is a rise, and no division."""
LEVEL = 5
"""Windows whose median is a level."""
WORK = 24_000_000
"""Steps of blocks that the quiet end may take, a second: a law was seen to walk for 850 s."""


@dataclass(frozen=True)
class QuietNoise:
    """What was seen in the quiet with noise on."""

    time: float
    """Length, s."""
    level: float
    """What noise kept moving at its quietest, as a share of the motion."""
    largest: float
    """The most to which it rose after that."""
    frequency: float
    """Of the loudest window, Hz."""
    lost: float | None = None
    """When it was lost, s after the end of the test."""
    again: bool = True
    """Whether the test was run once more and came to its end."""

    def chatters(self, matters: float) -> bool:
        """Tell whether (1) holds."""
        return self.largest > max(matters, LOUDER * self.level)


def quiet_length(rehearsal: Rehearsal, window: int, share: float = 1.0) -> int:
    """Windows of (2), as many as a share of the work allows."""
    adapts = any(c.adapts for c in rehearsal.test.descriptions("compensator"))
    wanted = WORK if adapts else max(10 * window, rehearsal.ticks)
    each = rehearsal.steps / rehearsal.ticks
    return max(4, int(min(wanted, share * WORK / each) / window))


def listen(line: Timeline, yardstick: Yardstick, window: int, windows: int) -> QuietNoise:
    """Let the loop go on with nothing but its noise, then run the test once more (3)."""
    rehearsal, tick = line.rehearsal, line.rehearsal.test.tick
    state, sizes, pitch = line.end, [], 0.0
    for _ in range(windows):
        stretch = rehearsal.run(state, window, quiet=True)
        state = stretch.state
        if not stretch.whole or yardstick.is_lost(stretch.rows):
            since = (float(state[0]) - float(line.end[0])) * tick
            at = frequency_of(stretch.rows, tick)
            return QuietNoise(since, 0.0, np.inf, at, since, False)
        sizes.append(amplitude(stretch.rows, yardstick))
        if sizes[-1] >= max(sizes[len(sizes) // 2 :]):
            pitch = frequency_of(stretch.rows, tick)
    level, largest = _rise(sizes)
    again = _run_again(line, yardstick, state)
    return QuietNoise(windows * window * tick, level, largest, pitch, None, again)


def _rise(sizes: Sequence[float]) -> tuple[float, float]:
    """Level before the largest rise, and the size to which it rose; of a decay the last level."""
    found = float(np.median(sizes[-LEVEL:])), 0.0
    level = np.inf
    for k in range(LEVEL, len(sizes)):
        level = min(level, float(np.median(sizes[k - LEVEL : k])))
        if sizes[k] * max(found[0], NO_NOISE) > found[1] * max(level, NO_NOISE):
            found = level, sizes[k]
    return found


def _run_again(line: Timeline, yardstick: Yardstick, state: Vector) -> bool:
    """Tell whether the test comes to its end once more, from a state in which it has learnt."""
    rehearsal = line.rehearsal
    fresh = state.copy()
    first = rehearsal.layout.bus
    for p in rehearsal.layout.placed:
        if p.role == "excitation":  # its first state counts the calls: from the beginning
            fresh[first] = rehearsal.start[first]
        first += p.block.states.size
    stretch = rehearsal.run(fresh, rehearsal.ticks)
    return stretch.whole and not yardstick.is_lost(stretch.rows)
