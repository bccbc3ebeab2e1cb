"""A long quiet end with the noise on: no chatter, and nothing learnt from noise that loses a test.

    m_w as in the quiet end;   chatter: m_w > matters  and  m_w > LOUDER times its level before (1)
    length: if a law adapts, all that WORK allows: 20 min at 1 kHz, ten memories of two minutes  (2)
    then the same test once more, from the state in which the quiet has left the loop           (3)
    what (1) holds of is listened to as long again: it falls if it rises to less than FALLS      (4)
    own: the least m_w of the last LEVEL of SILENT windows, with the noise silenced             (5)
    twin: the largest m_w of the emulated test with the same noise on its sensors               (6)

A law that walks in directions that nothing excites is seen in (1) if it gets that far, and in (3)
by what it does to the next motion. One that moves by itself (5), however little, is taught by its
own chatter, and may be led anywhere by it: how far it has come so far bounds nothing. Noise moves
a lightly damped mode by much, now more and now less, whatever the law: that is what (6) has too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from rths.errors import InputError
from rths.loop.block import Vector
from rths.stability.quiet_end import SLOWER, amplitude, frequency_of
from rths.stability.rehearsal import Rehearsal
from rths.stability.timeline import Timeline
from rths.stability.yardstick import Yardstick

LOUDER = 4.0
"""Factor of (1) on the median of five windows: those of stationary noise differ by less."""
NO_NOISE = 1e-300
"""Level of a loop that is at rest to the last bit: a rise from it is a rise, and no division."""
LEVEL, PART = 5, 8
"""Windows whose median is a level, at least, and part of all of them: noise that moves a lightly
damped mode comes and goes over tens of them, and is six times as loud as in its quietest five."""
FEWEST = 2 * LEVEL
"""Windows: a level, and as many in which something may rise."""
SILENT = 30
"""Windows of (5), sixty slowest periods: what noise has left has decayed by then."""
TWICE = 2.0
"""Factor on (6) beyond which a loop makes more of its noise than the structure does: a delay takes
some of its damping."""
FALLS = 0.7
"""Part of a rise that the next may be of (4): a delay that swings lets a loop grow and decay."""
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
    falls: bool = False
    """(4)."""
    noisy: bool = True
    """Whether there was any noise."""
    own: float = 0.0
    """(5) of what learns, as a share of the motion; 0 if nothing learns."""
    kept: float = 0.0
    """What noise kept moving at the end, as a share of the motion."""
    twin: float = 0.0
    """(6)."""

    def chatters(self, matters: float) -> bool:
        """Tell whether (1) holds."""
        return self.largest > max(matters, LOUDER * self.level, TWICE * self.twin)

    def is_loud(self, matters: float) -> bool:
        """Tell whether noise keeps more moving than matters, and than (6) would explain."""
        return self.noisy and self.kept > max(matters, TWICE * self.twin)


def quiet_length(rehearsal: Rehearsal, window: int, share: float = 1.0) -> int:
    """Windows of (2), as many as a share of the work allows."""
    wanted = WORK if rehearsal.learns else max(10 * window, rehearsal.ticks)
    each = rehearsal.steps / rehearsal.ticks
    return max(FEWEST, int(min(wanted, share * WORK / each) / window))


def listen(line: Timeline, yardstick: Yardstick, window: int, windows: int) -> QuietNoise:
    """Let the loop go on with nothing but its noise, then run the test once more (3)."""
    rehearsal, tick = line.rehearsal, line.rehearsal.test.tick
    state, sizes, pitch = _listen_on(rehearsal, yardstick, window, windows, line.end)
    since = (float(state[0]) - float(line.end[0])) * tick
    if sizes[-1] == np.inf:
        return QuietNoise(since, 0.0, np.inf, pitch, since, False)
    again = _run_again(line, yardstick, state)
    own = _move_alone(rehearsal, yardstick, window, state) if rehearsal.learns else 0.0
    kept = float(np.median(sizes[-_level_windows(sizes) :]))
    seen = replace(QuietNoise(since, *_rise(sizes), pitch, None, again), kept=kept, own=own)
    found = replace(seen, noisy=rehearsal.noisy)
    if not (found.chatters(yardstick.matters) or found.is_loud(yardstick.matters)):
        return found
    found = replace(found, twin=_listen_to_twin(rehearsal, yardstick, window, windows))
    if not found.chatters(yardstick.matters):
        return found
    _, later, _ = _listen_on(rehearsal, yardstick, window, windows, state)
    return replace(found, falls=max(later) < FALLS * found.largest)


def _listen_to_twin(rehearsal: Rehearsal, yardstick: Yardstick, window: int, windows: int) -> float:
    """Give the most that the same noise moves the emulated test (6); 0 if it cannot be had.

    A twin that goes on without its noise, as a predictor may that has no delay to predict, is no
    measure of noise.
    """
    test = rehearsal.test
    try:
        twin = Rehearsal(replace(test.reference_test(), feedback=test.feedback))
    except InputError:  # a feedback that needs what only a compensator tells
        return 0.0
    state, sizes, _ = _listen_on(twin, yardstick, window, windows, twin.start)
    if sizes[-1] == np.inf or _move_alone(twin, yardstick, window, state) > 0:
        return 0.0
    return max(sizes[LEVEL:])  # a preload goes to its place first


def _listen_on(
    rehearsal: Rehearsal, yardstick: Yardstick, window: int, windows: int, state: Vector
) -> tuple[Vector, list[float], float]:
    """Go on from a state; give the last one, sizes by window, infinite if lost, and frequency."""
    sizes, pitch = list[float](), 0.0
    for _ in range(windows):
        stretch = rehearsal.run(state, window, quiet=True)
        state = stretch.state
        if not stretch.whole or yardstick.is_lost(stretch.rows):
            return state, [*sizes, np.inf], frequency_of(stretch.rows, rehearsal.test.tick)
        sizes.append(amplitude(stretch.rows, yardstick))
        if sizes[-1] >= max(sizes[len(sizes) // 2 :]):
            pitch = frequency_of(stretch.rows, rehearsal.test.tick)
    return state, sizes, pitch


def _move_alone(rehearsal: Rehearsal, yardstick: Yardstick, window: int, state: Vector) -> float:
    """Silence the noise too, and give what goes on moving by itself (5); infinite if lost.

    What still falls, as a lightly damped mode after its noise, does not go on.
    """
    sizes = []
    for _ in range(SILENT):
        stretch = rehearsal.run(state, window, quiet=True, noise=False)
        if not stretch.whole:
            return np.inf
        state = stretch.state
        sizes.append(amplitude(stretch.rows, yardstick))
    last, before = min(sizes[-LEVEL:]), min(sizes[-3 * LEVEL : -2 * LEVEL])
    return last if last > SLOWER * before else 0.0


def _level_windows(sizes: Sequence[float]) -> int:
    """Windows whose median is a level."""
    return max(LEVEL, len(sizes) // PART)


def _rise(sizes: Sequence[float]) -> tuple[float, float]:
    """Level before the largest rise, and the size to which it rose; of a decay the last level."""
    each = _level_windows(sizes)
    found = float(np.median(sizes[-each:])), 0.0
    level = np.inf
    for k in range(each, len(sizes)):
        level = min(level, float(np.median(sizes[k - each : k])))
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
