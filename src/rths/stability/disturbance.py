"""What a test is disturbed with: pulses from the size of noise to the limits, and all states a bit.

    sizes  a_j = a_1 (a_n/a_1)^((j-1)/(n-1)),  both signs, half a period of a mode or 3 ticks  (1)
    states x_i -> x_i ± ε s_i ξ_i,   s_i: how far state i goes in the test, ξ uniform in -1...1  (2)

The force of a pulse follows from its size by trying: the quiet loop is pushed, and the force scaled
by what moved. A loop that goes on by itself once it is pushed far enough is moved by no force as
far as asked: the least force that is known to set it off is then taken, enclosed by

    a_low < a <= (1 + EDGE) a_low,   a_low moves it by less than asked, a by more              (3)

To scale by how far such a loop has run would make of a large push next to none. The shortest pulses
are small ones: three ticks with the force for a large motion are the blow of a hammer, and no
disturbance of a test. (2) leaves alone what counts: declared counters, and states that were seen at
whole numbers only, such as flags. What a law or a feedback has learnt is moved by a share of its
present value: sums that begin at zero have no other size then.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import pi, sqrt

import numpy as np
from numpy.typing import NDArray

from rths.loop.block import Vector
from rths.stability.rehearsal import Pulse, Rehearsal
from rths.stability.structural_modes import Modes
from rths.stability.yardstick import Yardstick

SIZES = 6
"""Sizes (1) between the smallest and the largest."""
SMALLEST = 0.1
"""Smallest pulse, as a share of what matters: the size of noise, or 2 per mille of the motion."""
SHORTEST = 3
"""Ticks of the shortest pulse, to which motions faster than any mode answer."""
TRIALS = 16
"""Trials to find the force of a pulse: one to scale, two for a law that bends, and as many as (3)
takes where the loop runs away."""
LEAP = 1e6
"""Factor by which a force changes at most from one trial to the next."""
EDGE = 0.1
"""Share to which (3) encloses a force."""
CLOSE = 1.1
"""Factor to either side within which a pulse has the size that was asked for: a specimen that gets
stiffer is moved hardly further by twice the force."""


@dataclass(frozen=True)
class Start:
    """How a copy is set apart: at which window, by which size (share of the motion) and sign."""

    window: int
    size: float
    sign: int
    mode: int
    """Mode for whose half period a pulse lasts, from 0; after the last the shortest; -1: (2)."""


def ladder(yardstick: Yardstick) -> Vector:
    """Sizes (1) as shares of the motion."""
    return np.geomspace(SMALLEST * yardstick.matters, yardstick.limit, SIZES)


class Pusher:
    """Makes pulses of a wanted size for a loop at rest."""

    def __init__(
        self, rehearsal: Rehearsal, rest: Vector, modes: Modes, yardstick: Yardstick
    ) -> None:
        self.rehearsal, self.rest, self.yardstick = rehearsal, rest, yardstick
        periods = 1 / np.maximum(modes.frequencies, 1 / rehearsal.test.duration)
        half = np.round(0.5 * periods / rehearsal.test.tick)
        self.lengths = np.maximum(SHORTEST, [*half, SHORTEST]).astype(int)
        self._watch = 3 * int(self.lengths.max())
        self._still = rehearsal.run(rest, self._watch, quiet=True, noise=False).rows
        e = rehearsal.test.equation
        mobility = np.abs(np.diag(e.L @ np.linalg.solve(e.M, e.L.T)))
        self._guess = yardstick.motion * (2 * pi / periods.max()) ** 2 / mobility
        self._known: dict[tuple[int, float, int], Pulse] = {}

    def pick_mode(self, k: int, size: float) -> int:
        """Take the modes in turn; every second of the small ones is the shortest pulse."""
        modes = self.lengths.size - 1
        return modes if size < self.yardstick.matters and k % 2 else k % modes

    def pulse(self, start: Start, first: int) -> Pulse:
        """Give the pulse of a start, from a tick on."""
        key = start.mode, start.size, start.sign
        if key not in self._known:
            self._known[key] = self._find_pulse(start)
        return replace(self._known[key], first=first)

    def _find_pulse(self, start: Start) -> Pulse:
        """Push the loop at rest until it moves as far as asked, within a factor."""
        ticks, first = int(self.lengths[start.mode]), int(self.rest[0])
        weights = np.random.default_rng(start.mode).uniform(0.3, 1.0, self.rehearsal.channels)
        forces = start.sign * start.size * weights * self._guess

        def share(factor: float) -> float:
            """How far it moves of what was asked."""
            pulse = Pulse(first, ticks, tuple((factor * forces).tolist()))
            seen = self.rehearsal.run(self.rest, self._watch, pulse, quiet=True, noise=False)
            return self._way(seen.rows) / start.size if seen.whole else np.inf

        return Pulse(first, ticks, tuple((find_factor(share) * forces).tolist()))

    def _way(self, rows: Vector) -> float:
        """How far the targets went from where they would have been, as a share of the motion."""
        m = self.rehearsal.channels
        n = min(len(rows), len(self._still))
        if not n:
            return 0.0
        with np.errstate(all="ignore"):
            off = np.abs(rows[:n, :m] - self._still[:n, :m]).max(axis=0)
            return float(np.max(off / self.yardstick.motion))


def find_factor(share: Callable[[float], float]) -> float:
    """Find the factor on a force with which a loop moves by a share of 1, or by (3)."""
    a, low, high = 1.0, 0.0, np.inf
    for _ in range(TRIALS):
        moved = share(a)
        if np.isnan(moved) or (moved == 0 and high == np.inf):
            break
        if 1 / CLOSE < moved < CLOSE:
            return a / moved
        low, high = (a, high) if moved < 1 else (low, a)
        if high <= (1 + EDGE) * low:
            break
        a = a / float(np.clip(moved, 1 / LEAP, LEAP))
        if not (1 + 0.5 * EDGE) * low <= a <= high / (1 + 0.5 * EDGE):
            a = sqrt(low * high)
    return float(min(a, high) if low == 0.0 or high == np.inf else high)


class StateSizes:
    """How far each state goes, and which of them may be moved (2)."""

    def __init__(self, rehearsal: Rehearsal, states: Sequence[Vector]) -> None:
        seen = np.array(states)
        with np.errstate(all="ignore"):
            size = np.ptp(seen, axis=0)
            whole = np.all(seen == np.round(seen), axis=0)
        self.sizes = np.where(np.isfinite(size) & ~whole, size, 0.0)
        self.learnt = np.zeros(self.sizes.size, bool)
        _spread_over_rings(rehearsal, self.sizes, self.learnt)

    def move(self, state: Vector, share: float, seed: int) -> Vector:
        """Give a copy of a state with all of it moved by a share of its sizes."""
        random = np.random.default_rng(seed).uniform(-1.0, 1.0, self.sizes.size)
        size = np.where(self.learnt, np.minimum(np.abs(state), self.sizes), self.sizes)
        return np.asarray(state + share * size * random)


def _spread_over_rings(rehearsal: Rehearsal, sizes: Vector, learnt: NDArray[np.bool_]) -> None:
    """Let all entries of a ring have one size, and what counts have none; mark what is learnt."""
    adapts = [c.adapts for c in rehearsal.test.descriptions("compensator")]
    first = rehearsal.layout.bus
    sizes[0] = 0.0
    for p in rehearsal.layout.placed:
        for ring in p.block.rings:
            own = slice(first + ring.first, first + ring.first + ring.size)
            sizes[own] = sizes[own].max(initial=0.0)
            sizes[first + ring.position] = 0.0
        sizes[[first + k for k in p.block.counters]] = 0.0
        if p.role == "excitation":
            sizes[first : first + p.block.states.size] = 0.0
        if p.role == "feedback" or (p.role == "compensator" and adapts[p.owner.channel or 0]):
            learnt[first : first + p.block.states.size] = True
        first += p.block.states.size
