"""What a test is disturbed with: pulses from the size of noise to the limits, and all states a bit.

    sizes  a_j = a_1 (a_n/a_1)^((j-1)/(n-1)),  both signs, half a period of a mode or 3 ticks  (1)
    states x_i -> x_i ± ε s_i ξ_i,   s_i: how far state i goes in the test, ξ uniform in -1...1  (2)
    forces M φ_i b on all masses, or some at the interface                                      (4)

A pulse at the interface moves the slow modes most, and all of them together; one in the shape of a
mode (4) moves that mode alone. Modes are those with the specimens, and those without, as specimens
open, yield and saturate. The force of a pulse follows from its size by trying: the quiet loop is
pushed, and the force scaled by what moved. A loop that goes on by itself once it is pushed far
enough is moved by no force as far as asked: the least force that is known to set it off is then
taken, enclosed by

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

from rths.assembly.hybrid_test import HybridTest
from rths.loop.block import Vector
from rths.stability.rehearsal import Pulse, Rehearsal
from rths.stability.structural_modes import Modes, bare_modes_of
from rths.stability.yardstick import ALL, EACH, Yardstick

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
WEAKEST = 0.3
"""Least weight of an interface in a push at all of them, drawn up to 1: each mode is pushed in
other proportions, in which some of it remains for every one, and no interface is left out."""
SHAPES = 16
"""Modes that are pushed in their shape; higher ones are met at the interface."""
MOVED = 0.05
"""Share of its largest entry by which a mode that is pushed in its shape must move an interface:
another one would be pushed without end."""
QUICKEST = 10.0
"""Fastest mode that is pushed in its shape, over the slowest: equal momentum moves it by a tenth,
and as far only a hundred times the force, which tears a frame down. At the interface it is pushed
all the same."""
NONE = float(np.finfo(float).tiny) ** 0.5
"""Reach of a mode that leaves the interface alone."""
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
    shape: int = -1
    """Shape in which it acts on all masses (4), from 0; -1: at the interface."""
    channel: int = ALL
    """Actuator that is pushed by itself, as far as its own limit allows, from 0; ALL, or EACH."""

    @property
    def alone(self) -> bool:
        """Whether each actuator is pushed as far as it may go alone, and not by its motion."""
        return self.channel != ALL


def ladder(yardstick: Yardstick) -> Vector:
    """Sizes (1) as shares of the motion."""
    return np.geomspace(SMALLEST * yardstick.matters, yardstick.limit, SIZES)


class Shapes:
    """Shapes of the pulses (4): lowest modes of the structure with its specimens, then without."""

    def __init__(self, test: HybridTest, modes: Modes) -> None:
        both = modes, bare_modes_of(test)
        self.count = min(SHAPES, modes.frequencies.size)
        """Shapes of each of the two."""
        self.columns = np.hstack([m.shapes[:, : self.count] for m in both])
        self.forces = np.asarray(modes.M @ self.columns)
        """M φ_i, as columns."""
        each = np.concatenate([m.frequencies[: self.count] for m in both])
        self.frequencies = np.maximum(each, 1 / test.duration)
        moved = np.abs(test.equation.L @ self.columns)
        self.moved = moved
        """How far each interface moves in each shape."""
        largest = np.abs(self.columns).max(axis=0)
        quick = self.frequencies <= QUICKEST * self.frequencies.min()
        self.fit = quick & (moved.max(axis=0) > MOVED * largest) & (modes.frequencies.size > 1)
        """Which are pushed: a single mass is pushed at its interface."""

    def of_mode(self, mode: int, turn: int) -> int:
        """Give the shape of a mode with its specimens, at the next turn none, then without them."""
        shape = (mode, -1, self.count + mode)[turn % 3]
        return shape if mode < self.count and shape >= 0 and self.fit[shape] else -1


class Pusher:
    """Makes pulses of a wanted size for a loop at rest."""

    def __init__(
        self,
        rehearsal: Rehearsal,
        rest: Vector,
        modes: Modes,
        yardstick: Yardstick,
        shapes: Shapes,
    ) -> None:
        self.rehearsal, self.rest, self.yardstick = rehearsal, rest, yardstick
        periods = 1 / np.maximum(modes.frequencies, 1 / rehearsal.test.duration)
        half = np.round(0.5 * periods / rehearsal.test.tick)
        self.lengths = np.maximum(SHORTEST, [*half, SHORTEST]).astype(int)
        self.modes = self.lengths.size - 1
        """Modes for whose half period a pulse may last."""
        self._watch = 3 * int(self.lengths.max())
        self._still = rehearsal.run(rest, self._watch, quiet=True, noise=False).rows
        e = rehearsal.test.equation
        mobility = np.abs(np.diag(e.L @ np.linalg.solve(e.M, e.L.T)))
        self._stiffness = (2 * pi / periods.max()) ** 2 / mobility
        self.shapes = shapes
        self._known: dict[Start, Pulse] = {}

    def aim(self, start: Start, k: int) -> Start:
        """Take the modes in turn, in their shapes and at the interface.

        Every second of the small ones is the shortest pulse.
        """
        if start.size < self.yardstick.matters and k % 2:
            return replace(start, mode=self.modes)
        mode, turn = k % self.modes, k // self.modes
        return self.aim_at(start, mode, turn)

    def aim_at(self, start: Start, mode: int, turn: int) -> Start:
        """Push a mode in one of its shapes; at every second turn each actuator as far as alone.

        One after the other by itself, then all of them in the shapes of the mode: some of it moves
        most what moves little in the test.
        """
        if not self.yardstick.uneven:
            return replace(start, mode=mode, shape=self.shapes.of_mode(mode, turn))
        turn, alone = divmod(turn, 2)
        if not alone:
            return replace(start, mode=mode, shape=self.shapes.of_mode(mode, turn))
        turn, channel = divmod(turn, self.rehearsal.channels + 1)
        if channel < self.rehearsal.channels:
            return replace(start, mode=mode, channel=channel)
        return replace(start, mode=mode, shape=self.shapes.of_mode(mode, turn), channel=EACH)

    def aim_furthest(self, start: Start, mode: int) -> Start:
        """Push a mode in its shape, as far as is tried in any way."""
        channel = EACH if self.yardstick.uneven else ALL
        return replace(start, mode=mode, shape=self.shapes.of_mode(mode, 0), channel=channel)

    @property
    def turns(self) -> int:
        """Turns after which a mode has been pushed in all ways."""
        return 2 * 3 * (self.rehearsal.channels + 1) if self.yardstick.uneven else 3

    def pulse(self, start: Start, first: int) -> Pulse:
        """Give the pulse of a start, from a tick on."""
        key = replace(start, window=0)
        if key not in self._known:
            self._known[key] = self._find_pulse(key)
        return replace(self._known[key], first=first)

    def _find_pulse(self, start: Start) -> Pulse:
        """Push the loop at rest until it moves as far as asked, within a factor."""

        def share(factor: float) -> float:
            """How far it moves of what was asked."""
            pulse = self._scale_guess(start, factor)
            seen = self.rehearsal.run(self.rest, self._watch, pulse, quiet=True, noise=False)
            return self._way(seen.rows, start) / start.size if seen.whole else np.inf

        return self._scale_guess(start, find_factor(share))

    def _scale_guess(self, start: Start, factor: float) -> Pulse:
        """Give a factor times the force that moves a linear loop about as far as asked."""
        first, m, tick = int(self.rest[0]), self.rehearsal.channels, self.rehearsal.test.tick
        size = start.sign * start.size * factor
        if start.shape < 0:
            weights = np.random.default_rng(start.mode).uniform(WEAKEST, 1.0, m)
            weights = np.eye(m)[start.channel] if start.channel >= 0 else weights
            forces = size * weights * self.yardstick.lengths(start.alone) * self._stiffness
            return Pulse(first, int(self.lengths[start.mode]), tuple(forces.tolist()))
        frequency = float(self.shapes.frequencies[start.shape])
        sizes = np.zeros(self.shapes.frequencies.size)
        sizes[start.shape] = size * 0.5 * (2 * pi * frequency) ** 2 / self._reach(start)
        ticks = max(SHORTEST, round(0.5 / (frequency * tick)))
        return Pulse(first, ticks, (0.0,) * m, tuple(sizes.tolist()))

    def _reach(self, start: Start) -> float:
        """How far a shape moves the interface, in lengths of a start."""
        moved = self.shapes.moved[:, start.shape] / self.yardstick.lengths(start.alone)
        return float(max(moved.max(), NONE))

    def _way(self, rows: Vector, start: Start) -> float:
        """How far the targets went from where they would have been, in lengths of a start."""
        m = self.rehearsal.channels
        n = min(len(rows), len(self._still))
        if not n:
            return 0.0
        with np.errstate(all="ignore"):
            off = np.abs(rows[:n, :m] - self._still[:n, :m]).max(axis=0)
            return float(np.max(off / self.yardstick.lengths(start.alone)))


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
