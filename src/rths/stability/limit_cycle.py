"""The limit cycle a nonlinear loop settles on, with its Floquet multipliers.

    simulate from a mode until the amplitude stays the same; then follow r small deviations,
    Y_k = dF^K(z_k) Q_k-1 = Q_k R_k,  K T ≈ P,   |μ_i| = exp( P/(K T) · mean of ln |R_k,ii| )   (1)

One multiplier belongs to a shift along the cycle and must be 1: how far the nearest comes to it is
given as ``phase_error``. The cycle attracts if all others are inside the unit circle. P is in
general no whole number of ticks, and a kink of the specimen falls now before, now after a sample:
the mean over many cycles is what a single monodromy matrix does not give.

A cycle that only repels is not found by simulation. That a second motion, from the other side of
the cycle, settles on it as well is seen without any derivative: it holds for dry friction too.

[benettin1980] Meccanica 15, 9-20 (the products (1)); [seydel2010] chapter 7.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rths.assembly.connect import connect
from rths.assembly.hybrid_test import HybridTest
from rths.errors import InputError
from rths.loop.block import Vector
from rths.loop.layout import Layout
from rths.stability.loop_map import LoopMap, period_of, silence_test
from rths.stability.structural_modes import LOWEST_FREQUENCY, modes_of

LITTLE = 1e-7
"""Size of a deviation, as a share of the motion."""
SETTLED = 2e-4
"""Relative change of the amplitude between two stretches at which the motion counts as settled."""
STRETCH, STRETCHES = 30, 60
"""Cycles in a stretch, stretches at most."""
GONE = 1e-6
"""What may be left of a motion, as a share of its start, if it has died out."""
NO_CYCLE = 1e6
"""Amplitude, m, beyond which a motion keeps growing: no loop has a cycle of that size."""
DEFAULT_START = 1e-3
"""Start of the first motion, m, if none is given: more than the clearances of a rig, less than its
stroke."""
NO_DEVIATION = 1e-300
"""Added to a factor of (1), so that a deviation that vanishes has a logarithm; it changes no other.
"""
OTHER_SIDE, ALIKE = 3.0, 0.02
"""Start of the second motion over the amplitude; how far both may differ in the end."""
CYCLES, FIRST, FOLLOWED = 80, 8, 4
"""Cycles of (1), those that are not counted, and the number r of deviations."""


@dataclass(frozen=True, eq=False)
class LimitCycle:
    """Amplitude and period of the settled motion, its multipliers by size."""

    amplitude: Vector
    """Half the way of the target from peak to peak, each channel, m."""
    period: float
    multipliers: Vector
    """Moduli |μ| of the r that shrink least, largest first; one is the 1 of the shift."""
    phase_error: float
    from_both_sides: bool = False
    """Whether a larger and a smaller motion were seen to settle on it."""

    @property
    def attracting(self) -> bool:
        """Whether all multipliers but that of the shift are inside the unit circle."""
        at = int(np.argmin(np.abs(self.multipliers - 1)))
        return bool(np.all(np.delete(self.multipliers, at) < 1))


def limit_cycle(test: HybridTest, start: float = DEFAULT_START) -> LimitCycle | None:
    """Find the cycle on which a motion settles that starts in the lowest mode, ``start`` (m) large.

    None if the motion dies out, sticks, keeps growing or never settles.
    """
    loop = _release(test, start)
    found = _settled_cycle(loop, test, start)
    if found is None:
        return None
    amplitude, period = found
    ticks = loop.ticks
    count = max(1, round(period / (ticks * test.tick)))
    cycle = LoopMap(loop.layout, ticks * count, settling=0)
    cycle.arena[:], cycle.tick = loop.arena, loop.tick
    cycle.mark()
    rates = _rates(cycle, _sizes(loop, count)) / (count * ticks * test.tick)
    moduli = np.exp(period * rates)
    off = float(np.abs(moduli - 1).min())
    return LimitCycle(amplitude, period, moduli, off, _is_reached(test, amplitude, start))


def _release(test: HybridTest, start: float) -> LoopMap:
    """The loop let go from the lowest mode."""
    shape = modes_of(test).shapes[:, 0]
    x = tuple((start * shape / np.abs(shape).max()).tolist())
    layout = Layout.of(connect(silence_test(test, x), ()), ("integrator.target",))
    return LoopMap(layout, period_of(test, layout))


def _is_reached(test: HybridTest, amplitude: Vector, start: float) -> bool:
    """Tell whether a motion from the other side settles on the same cycle."""
    most = float(amplitude.max())
    other = OTHER_SIDE * most if start < most else most / OTHER_SIDE
    found = _settled_cycle(_release(test, other), test, other)
    return found is not None and bool(np.allclose(found[0], amplitude, rtol=ALIKE))


def _rates(cycle: LoopMap, size: Vector) -> Vector:
    """Mean of ln |R_ii| of (1), in coordinates divided by their size."""
    every = np.arange(size.size)
    Q = np.linalg.qr(np.random.default_rng(0).standard_normal((size.size, FOLLOWED)))[0]
    total = np.zeros(FOLLOWED)
    for k in range(CYCLES):
        Y = [cycle.response(every, LITTLE * q * size) / (LITTLE * size) for q in Q.T]
        cycle.arena[:] = cycle.base
        cycle.run(1)
        Q, R = np.linalg.qr(np.array(Y).T)
        total += np.log(np.abs(np.diag(R)) + NO_DEVIATION) if k >= FIRST else 0.0
    return np.asarray(np.sort(total / (CYCLES - FIRST))[::-1])


def _settled_cycle(loop: LoopMap, test: HybridTest, start: float) -> tuple[Vector, float] | None:
    """Amplitude and period once the motion repeats itself; a place where it sticks is none."""
    guess = 1 / max(float(modes_of(test).frequencies[0]), LOWEST_FREQUENCY)
    periods = max(8, round(STRETCH * guess / (loop.ticks * test.tick)))
    rows = np.empty((periods * loop.ticks, test.channels))
    before = np.inf
    for _ in range(STRETCHES):
        try:
            loop.run(periods, rows)
        except InputError:  # it has grown beyond all numbers
            return None
        half = rows[len(rows) // 2 :]
        size = 0.5 * np.ptp(half, axis=0)
        biggest = float(size.max())
        if not np.isfinite(biggest) or biggest > NO_CYCLE or biggest < GONE * start:
            return None
        if abs(biggest - before) < SETTLED * biggest:
            period = _period(half[:, int(size.argmax())], test.tick)
            return None if period is None else (size, period)
        before = biggest
    return None


def _period(x: Vector, tick: float) -> float | None:
    """Mean time between upward passages through the mean, interpolated between ticks."""
    y = x - x.mean()
    up = np.flatnonzero((y[:-1] < 0) & (y[1:] >= 0))
    if up.size < 3:
        return None
    t = up - y[up] / (y[up + 1] - y[up])
    return float((t[-1] - t[0]) / (t.size - 1) * tick)


def _sizes(loop: LoopMap, periods: int) -> Vector:
    """Largest value of each coordinate over a cycle; where it is zero, the least of the others."""
    before, tick = loop.base.copy(), loop.tick
    most = np.abs(loop.base[loop.here])
    for _ in range(periods):
        loop.run(1)
        most = np.maximum(most, np.abs(loop.base[loop.here]))
    loop.arena[:], loop.tick = before, tick
    loop.mark()
    return np.where(most > 0, most, most[most > 0].min())
