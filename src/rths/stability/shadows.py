"""Shadows: copies of the rehearsed test that start beside it, and must come near it again.

    d_w = largest deviation of a copy from the test in window w, about its mean, in shares of A  (1)
    small:  all states set apart by ε = matters/GROWTH:   grown if  d > matters for a memory     (2)
    pushed: pulses of all sizes and signs:                lost if it leaves for good            (3)
            apart at the end if  d > matters  and  d > HALF of the largest                       (4)
            beyond if  d A > limit of the plan  and  d > AMPLIFIED times the push                (6)
    then pushes beside the one whose  d / size  is largest, and on from the largest of those    (5)

(2) is the largest amplification over any stretch of the test, (1/t) ln d/ε its finite-time
exponent: it sees loops that change with time or learn, which are stable at each instant and lose
the test in between. It must last for MEMORY windows: the answer of an inverse to a kink is large,
and over at once. Nothing is linearised, so that kinks, steps and thresholds need no care. (1)
leaves out what has only moved to another place, such as a plastic set: a memory is no motion. Nor
is a command, which an inverse makes of the steps of a quantiser: where the target goes and the
actuator follows is compared.
Copies see the same noise as the test, and start all through it; one that has come near ends early.

[benettin1980] Meccanica 15, 9-20 (growth of distances along a motion).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Literal

import numpy as np

from rths.loop.block import Vector
from rths.stability.abreast import try_abreast
from rths.stability.disturbance import Pusher, Start, StateSizes, ladder
from rths.stability.rehearsal import Pulse, Rehearsal
from rths.stability.timeline import Timeline
from rths.stability.yardstick import Yardstick

GROWTH = 1e3
"""Amplification that loses a test: noise is a thousandth of its motion, or a little less."""
SURE, LARGER = 0.3, 30.0
"""Part of GROWTH that a pulse must show too, and how much larger it is: states that are moved at
will may be out of reach, and the step of a quantiser does not grow with what made it."""
MEMORY = 3
"""Windows of a memory, six slowest periods, over which deviations must have shrunk."""
AMPLIFIED = 5.0
"""Factor on a push beyond which (6) is an answer of the loop, and not the push itself, nor that of
a specimen that yields or opens under it."""
HALF = 0.5
"""What may be left of a deviation at the end of the test."""
NEAR = 1e-3
"""Share of its first deviation, and of what matters, at which a copy has come near enough."""
WORK = 24_000_000
"""Steps of blocks that all drawn copies together may take, and those of each sweep: a second."""
FEWEST, MOST = 12, 60
"""Copies."""
CLIMBS, CLIMB_FACTORS = 4, (0.7, 1.4)
"""Turns of (5), and factors on the size of a push."""
Outcome = Literal["together", "apart", "grown", "lost"]


@dataclass(frozen=True)
class Shadow:
    """One copy: how it was set apart, and what became of it."""

    time: float
    """When it was set apart, s."""
    size: float
    """By how much, m; with all states, as much of their own sizes."""
    sign: int
    mode: int
    """Mode of the pulse, from 1; 0 if all states were moved."""
    outcome: Outcome
    largest: float
    """Largest deviation (1) as a share of the motion."""
    lasting: float
    """The most that it deviated throughout a memory."""
    left: float
    """The same in its last window."""
    until: float
    """When it was seen to be lost or to have grown, or ended, s."""
    start: Start
    end: Vector = field(compare=False, repr=False)
    """State in which it was left."""
    pulse: Pulse | None = None
    share: float = 1.0
    """Largest push of all channels, in motions of its own."""
    beyond: bool = False
    """(6): on its way it left the limits of the plan."""

    @property
    def gain(self) -> float:
        """What lasts of a push, or is left of it at the end, over its size; 0 if it was none."""
        return max(self.lasting, self.left) / self.share if self.mode else 0.0


class Follower:
    """Runs copies beside a timeline."""

    def __init__(
        self,
        timeline: Timeline,
        yardstick: Yardstick,
        pusher: Pusher,
        sizes: StateSizes,
    ) -> None:
        self.timeline, self.yardstick, self.pusher, self.sizes = timeline, yardstick, pusher, sizes
        self.rehearsal: Rehearsal = timeline.rehearsal

    def follow(self, start: Start, seed: int) -> Shadow:
        """Set a copy apart and follow it; what states alone have done a pulse must do as well."""
        found = self._follow_once(start, seed)
        if start.mode >= 0 or found.outcome not in ("grown", "lost"):
            return found
        pushed = replace(start, size=LARGER * start.size, mode=self.pusher.modes)
        again = [self._follow_once(replace(pushed, sign=s), seed) for s in (1, -1)]
        if any(s.outcome == "lost" or s.lasting > SURE * GROWTH * pushed.size for s in again):
            return found
        return replace(found, outcome="apart")

    def _follow_once(self, start: Start, seed: int) -> Shadow:
        """Set a copy apart and follow it to the end of the test."""
        line, rehearsal = self.timeline, self.rehearsal
        state, pulse = line.states[start.window], None
        if start.mode < 0:
            state = self.sizes.move(state, start.sign * start.size, seed)
        else:
            pulse = self.pusher.pulse(start, int(state[0]))
        found: list[float] = []
        outcome: Outcome = "together"
        shares, beyond = self.yardstick.shares(start.size, start.alone), False
        for w in range(start.window, line.windows):
            stretch = rehearsal.run(state, len(line.rows[w]), pulse)
            state = stretch.state
            if not stretch.whole or self.yardstick.is_lost(stretch.rows, shares):
                outcome, found = "lost", [*found, np.inf]
                break
            moved = self._moves(stretch.rows - line.rows[w])
            found.append(float(moved.max()))
            beyond = beyond or self._is_beyond(moved, shares)
            if start.mode < 0 and largest_lasting(found) > self.yardstick.matters:
                outcome = "grown"
                break
            if found[-1] < NEAR * min(start.size, self.yardstick.matters):
                break
        shadow = self._shadow(start, pulse, outcome, found, state)
        return replace(shadow, share=float(shares.max()), beyond=beyond and start.mode >= 0)

    def _moves(self, off: Vector) -> Vector:
        """(1): half the way that the deviation moves, of targets and of displacements."""
        m, moved = self.rehearsal.channels, 0.5 * np.ptp(self.yardstick.measure(off), axis=0)
        return np.stack([moved[:m], moved[2 * m :]])

    def _is_beyond(self, moved: Vector, shares: Vector) -> bool:
        """(6)."""
        y = self.yardstick
        far = (moved * y.motion > y.bounds) & (moved > AMPLIFIED * shares)
        return bool(far.any())

    def _shadow(
        self, start: Start, pulse: Pulse | None, outcome: Outcome, found: list[float], end: Vector
    ) -> Shadow:
        line, tick = self.timeline, self.rehearsal.test.tick
        largest, left = max(found), found[-1]
        came_to_end = start.window + len(found) == line.windows and len(found) > 1
        stayed = left > max(self.yardstick.matters, HALF * largest)
        if outcome == "together" and came_to_end and stayed:
            outcome = "apart"  # (4)
        size = start.size * self.yardstick.unit(start.channel)
        begun = float(line.states[start.window][0]) * tick
        until = float(end[0]) * tick
        mode = start.mode + 1
        lasting = largest_lasting(found)
        seen = outcome, largest, lasting, left, until
        return Shadow(begun, size, start.sign, mode, *seen, start, end, pulse)


def largest_lasting(found: Sequence[float]) -> float:
    """The most that deviations by window stay above for a memory, or from after one to the end."""
    n = len(found)
    return max(
        (min(found[w : w + MEMORY]) for w in range(n) if w + MEMORY <= n or w >= MEMORY),
        default=0.0,
    )


def draw_starts(follower: Follower, count: int) -> Iterator[Start]:
    """Spread starts evenly over the test, every size with both signs, modes as drawn.

    Every third one moves all states. The draw has a fixed seed; each size has an order of its own,
    as modes that are taken in turn may meet one and the same size for ever.
    """
    sizes, rng = ladder(follower.yardstick), np.random.default_rng(12)
    small, windows = follower.yardstick.matters / GROWTH, follower.timeline.windows
    order = rng.permutation(count)
    ways = follower.pusher.turns * follower.pusher.modes
    turns = [rng.permutation(ways).tolist() for _ in sizes]
    for k in range(count):
        window = min(windows - 1, int(order[k] * windows / count))
        sign = 1 if (k // 3) % 2 == 0 else -1
        if k % 3 == 2:
            yield Start(window, small, sign, -1)
        else:
            turn, j = divmod((k - k // 3) // 2, sizes.size)
            pushed = Start(window, float(sizes[j]), 1 if k % 3 else -1, 0)
            yield follower.pusher.aim(pushed, turns[j][turn % len(turns[j])])


def sweep_starts(follower: Follower) -> Iterator[Start]:
    """Push by what matters in every window, in a drawn order: no part of a test is left out."""
    windows, matters = follower.timeline.windows, follower.yardstick.matters
    rng = np.random.default_rng(14)
    for k, window in enumerate(rng.permutation(windows).tolist()):
        yield follower.pusher.aim(Start(window, matters, int(rng.choice((-1, 1))), 0), k)


def sweep_largest(follower: Follower) -> Iterator[Start]:
    """Push as far as is tried in every window, the slowest mode to both sides, then another one.

    A law that has not learnt yet answers a large push otherwise than later: the first window comes
    first, then all others in a drawn order. What saturates may hold one mode and lose another.
    """
    limit, pusher, rng = follower.yardstick.limit, follower.pusher, np.random.default_rng(15)
    windows = 1 + rng.permutation(follower.timeline.windows - 1)
    for k, window in enumerate((0, *windows.tolist())):
        for sign in (1, -1):
            yield pusher.aim_at(Start(window, limit, sign, 0), 0, window)
        if pusher.modes > 1:
            start = Start(window, limit, int(rng.choice((-1, 1))), 0)
            yield pusher.aim_at(start, 1 + k % (pusher.modes - 1), k // (pusher.modes - 1))


def follow_test(follower: Follower, share: float = 1.0) -> list[Shadow]:
    """Follow copies through the test, until one is lost or has grown, or its share is done."""
    found: list[Shadow] = []
    sweeps = sweep_starts(follower), sweep_largest(follower)
    for starts in (draw_starts(follower, MOST), *sweeps):
        work = 0.0
        copies = (partial(follower.follow, start, k) for k, start in enumerate(starts))
        for k, shadow in enumerate(try_abreast(copies)):
            if k >= share * FEWEST and work > share * WORK:
                break
            found.append(shadow)
            work += _steps(follower.rehearsal, shadow)
            if shadow.outcome in ("lost", "grown"):
                return found
    return found + _climb(follower, found)


def _climb(follower: Follower, found: Sequence[Shadow]) -> list[Shadow]:
    """Push beside the copy that went furthest for its push, and on from there (5)."""
    more, furthest = list[Shadow](), max(found, key=lambda s: s.gain)
    for _ in range(CLIMBS):
        if furthest.gain <= 1.0 or furthest.outcome == "lost":
            break
        starts = _starts_beside(follower, furthest.start)
        beside = list(try_abreast(partial(follower.follow, s, 0) for s in starts))
        more += beside
        best = max(beside, key=lambda s: s.gain)
        if best.gain <= furthest.gain:
            break
        furthest = best
    return more


def _starts_beside(follower: Follower, start: Start) -> list[Start]:
    """Push less and more, to the other side, a window sooner and a window later."""
    last, limit = follower.timeline.windows - 1, follower.yardstick.limit
    sizes = [replace(start, size=min(f * start.size, limit)) for f in CLIMB_FACTORS]
    windows = [replace(start, window=min(max(start.window + k, 0), last)) for k in (-1, 1)]
    every = [*sizes, *windows, replace(start, sign=-start.sign)]
    return [s for s in dict.fromkeys(every) if s != start]


def _steps(rehearsal: Rehearsal, shadow: Shadow) -> float:
    """Steps of blocks that a copy has taken: most come near the test long before its end."""
    return (shadow.until - shadow.time) / rehearsal.test.tick * rehearsal.steps / rehearsal.ticks


def of_outcome(shadows: Sequence[Shadow], *outcomes: Outcome) -> list[Shadow]:
    """Pick shadows by what became of them."""
    return [s for s in shadows if s.outcome in outcomes]
