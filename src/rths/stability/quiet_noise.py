"""A long quiet end with the noise on: no chatter, and nothing learnt from noise that loses a test.

    m_w as in the quiet end;   chatter: m_w > matters  and  m_w > LOUDER times its level before (1)
    length: if a law adapts, all that WORK allows: 20 min at 1 kHz, ten memories of two minutes  (2)
    then the same test once more, from the state in which the quiet has left the loop           (3)
    what (1) holds of is listened to as long again: it falls if it rises to less than FALLS, of
    what learns nothing if it does not rise on                                                  (4)
    own: the least m_w of the last LEVEL windows with the noise silenced, once it falls no more  (5)
    twin: m_w of the distance of two emulated tests, one with the same noise on its sensors      (6)

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
from rths.stability.abreast import try_abreast
from rths.stability.course import SLOWER, amplitude, by_channel, frequency_of
from rths.stability.rehearsal import Rehearsal
from rths.stability.timeline import Timeline
from rths.stability.yardstick import Yardstick

LOUDER = 4.0
"""Factor of (1) on the median of five windows: those of stationary noise differ by less."""
LEVEL, PART = 5, 8
"""Windows whose median is a level, at least, and part of all of them: noise that moves a lightly
damped mode comes and goes over tens of them, and is six times as loud as in its quietest five."""
FEWEST = 2 * LEVEL
"""Windows: a level, and as many in which something may rise."""
SILENT, LONGEST = 30, 300
"""Windows of (5), sixty slowest periods in which most of what noise has left decays, and at most
six hundred, for a damping of 0.1 %."""
STILL = 0.01
"""Share of what matters below which nothing goes on."""
TWICE = 2.0
"""Factor on (6) beyond which a loop makes more of its noise than the structure does: a delay takes
some of its damping."""
FALLS, RISES_ON = 0.7, 1.2
"""Part of a rise that the next may be of (4): a delay that swings lets a loop grow and decay; and
what a loop may be that learns nothing: what does not rise on is its noise, however loud."""
WORK = 24_000_000
"""Steps of blocks that the quiet end may take, a second: a law was seen to walk for 850 s."""


@dataclass(frozen=True)
class QuietNoise:
    """What was seen in the quiet with noise on, each in the channel in which it is worst."""

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
    channel: int = 0
    """In which it rose."""
    falls: bool = False
    """(4)."""
    noisy: bool = True
    """Whether there was any noise."""
    own: float = 0.0
    """(5) of what learns, as a share of the motion; 0 if nothing learns."""
    kept: float = 0.0
    """What noise kept moving at the end, as a share of the motion."""
    twin_largest: float = 0.0
    """The most that noise alone moves the emulated test (6), in the channel of ``largest``."""
    twin_kept: float = 0.0
    """What it keeps moving there as a rule, in the channel of ``kept``."""

    def chatters(self, matters: float) -> bool:
        """Tell whether (1) holds."""
        return self.largest > max(matters, LOUDER * self.level, TWICE * self.twin_largest)

    def is_loud(self, matters: float) -> bool:
        """Tell whether noise keeps more moving than matters, and than (6) would explain."""
        return self.noisy and self.kept > max(matters, TWICE * self.twin_kept)


def quiet_length(rehearsal: Rehearsal, window: int, share: float = 1.0, least: float = 0.0) -> int:
    """Windows of (2), or of some time at least, s, as many as a share of the work allows."""
    longest = max(10 * window, rehearsal.ticks, least / rehearsal.test.tick)
    wanted = WORK if rehearsal.learns else longest
    each = rehearsal.steps / rehearsal.ticks
    return max(FEWEST, int(min(wanted, share * WORK / each) / window))


def listen(
    line: Timeline, yardstick: Yardstick, window: int, windows: int, early: bool
) -> QuietNoise:
    """Let the loop go on with nothing but its noise, then run the test once more (3).

    What may rise ``early`` is compared with as few windows as there are.
    """
    rehearsal, tick, matters = line.rehearsal, line.rehearsal.test.tick, yardstick.matters
    state, sizes, pitch = _listen_on(rehearsal, yardstick, window, windows, line.end)
    since = (float(state[0]) - float(line.end[0])) * tick
    if not np.isfinite(sizes[-1]).all():
        return QuietNoise(since, 0.0, np.inf, pitch, since, False)
    again, own = try_abreast(
        [
            lambda: _run_again(line, yardstick, state),
            lambda: _move_alone(rehearsal, yardstick, window, state) if rehearsal.learns else 0.0,
        ]
    )
    found = QuietNoise(
        since, 0.0, 0.0, pitch, again=bool(again), noisy=rehearsal.noisy, own=float(own)
    )
    found = _worst(found, sizes, np.zeros_like(sizes[:1]), matters, early)
    if not (found.chatters(matters) or found.is_loud(matters)):
        return found
    twin, later = try_abreast(
        [
            lambda: _hear_twin(rehearsal, yardstick, window, windows),
            lambda: _listen_on(rehearsal, yardstick, window, windows, state)[1],
        ]
    )
    found = _worst(found, sizes, twin, matters, early)
    if not found.chatters(matters):
        return found
    most = FALLS if rehearsal.learns else RISES_ON
    return replace(found, falls=float(later[:, found.channel].max()) < most * found.largest)


def _worst(
    found: QuietNoise, sizes: Vector, twin: Vector, matters: float, early: bool = False
) -> QuietNoise:
    """Compare each channel with its twin, and tell of the worst: a quiet one excuses no other."""
    each = []
    for c, (own, other) in enumerate(zip(sizes.T, twin.T, strict=True)):
        level, largest = _rise(own, matters, early)
        kept = float(np.median(own[-_level_windows(own) :]))
        peak, usual = float(other.max()), float(np.median(other))
        each.append(replace(found, level=level, largest=largest, twin_largest=peak, channel=c))
        each[-1] = replace(each[-1], kept=kept, twin_kept=usual)
    rise = max(
        each, key=lambda n: n.largest / max(matters, LOUDER * n.level, TWICE * n.twin_largest)
    )
    loud = max(each, key=lambda n: n.kept / max(matters, TWICE * n.twin_kept))
    return replace(rise, kept=loud.kept, twin_kept=loud.twin_kept)


def _hear_twin(rehearsal: Rehearsal, yardstick: Yardstick, window: int, windows: int) -> Vector:
    """Give what the same noise moves of the emulated test (6), by window and channel.

    It is the distance of two twins, with noise and without: a preload on its way to its place, or a
    free vibration, has no part in it. A twin that goes on for ever without noise, as a predictor
    may that has no delay to predict, is no measure; nothing is excused then.
    """
    test, none = rehearsal.test, np.zeros((1, rehearsal.channels))
    try:
        twin = Rehearsal(replace(test.reference_test(), feedback=test.feedback))
    except InputError:  # a feedback that needs what only a compensator tells
        return none
    loud, still = twin.start, twin.start
    heard, alone = [], []
    for _ in range(windows):
        noisy = twin.run(loud, window, quiet=True)
        silent = twin.run(still, window, quiet=True, noise=False)
        loud, still = noisy.state, silent.state
        if not (noisy.whole and silent.whole) or yardstick.is_lost(noisy.rows):
            return none
        heard.append(by_channel(noisy.rows - silent.rows, yardstick))
        alone.append(float(by_channel(silent.rows, yardstick).max()))
    goes_on = alone[-1] > max(STILL * yardstick.matters, SLOWER * alone[len(alone) // 2])
    return none if goes_on else np.array(heard)


def _listen_on(
    rehearsal: Rehearsal, yardstick: Yardstick, window: int, windows: int, state: Vector
) -> tuple[Vector, Vector, float]:
    """Go on from a state; give the last one, m_w by window and channel, and the frequency.

    If it is lost, the last sizes are infinite.
    """
    sizes, loud, pitch = list[Vector](), np.empty(windows), 0.0
    for k in range(windows):
        stretch = rehearsal.run(state, window, quiet=True)
        state = stretch.state
        if not stretch.whole or yardstick.is_lost(stretch.rows):
            sizes.append(np.full(rehearsal.channels, np.inf))
            return state, np.array(sizes), frequency_of(stretch.rows, rehearsal.test.tick)
        sizes.append(by_channel(stretch.rows, yardstick))
        loud[k] = sizes[-1].max()
        if loud[k] >= loud[(k + 1) // 2 : k + 1].max():
            pitch = frequency_of(stretch.rows, rehearsal.test.tick)
    return state, np.array(sizes), pitch


def _move_alone(rehearsal: Rehearsal, yardstick: Yardstick, window: int, state: Vector) -> float:
    """Silence the noise too, and give what goes on moving by itself (5); infinite if lost.

    What falls, as a lightly damped mode after its noise, is watched until it is next to nothing, or
    until it is seen what lies below it.
    """
    sizes = list[float]()
    while len(sizes) < LONGEST:
        stretch = rehearsal.run(state, window, quiet=True, noise=False)
        if not stretch.whole:
            return np.inf
        state = stretch.state
        sizes.append(amplitude(stretch.rows, yardstick))
        if len(sizes) < SILENT:
            continue
        last, before = min(sizes[-LEVEL:]), min(sizes[-3 * LEVEL : -2 * LEVEL])
        if last < STILL * yardstick.matters:
            return 0.0
        if last > SLOWER * before:
            break
    return min(sizes[-LEVEL:])


def _level_windows(sizes: Sequence[float]) -> int:
    """Windows whose median is a level."""
    return max(LEVEL, len(sizes) // PART)


def _rise(sizes: Sequence[float], matters: float, early: bool = False) -> tuple[float, float]:
    """Level before the rise that is most by (1), and the size to which it rose.

    A level is the median of an eighth of all windows, so that the first of them are no more than
    levels; of what learns also of as many as there are, as it may have burst by then.
    """
    each = _level_windows(sizes)
    found, level = (float(np.median(sizes[-each:])), 0.0), np.inf
    most = 0.0
    for k in range(LEVEL if early else each, len(sizes)):
        level = min(level, float(np.median(sizes[max(0, k - each) : k])))
        if (share := sizes[k] / max(matters, LOUDER * level)) > most:
            most, found = share, (level, sizes[k])
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
