"""Against what a motion is called large or small: the test's own motion, its noise, its limits.

    A_c = half the way of the target of channel c in the emulated test                          (1)
    matters: SHARE of A_c, or LOUD times what noise alone keeps moving, up to CERTAIN of A_c     (2)
    far:     FAR times the larger of A and the push; of commands, of A and the largest push     (3)
    lengths: A_c, and of one actuator alone as far as its own limit allows                      (4)

The emulated test (no actuator in between) is taken for (1), because the motion of a test that runs
away is no measure of it; where it cannot be had, the rehearsed test itself. All is measured about
the place where the test stands before it begins: a preloaded specimen is at rest elsewhere than 0,
and the way to there, which the emulated test goes without its excitation too, is no motion of it.
What ends a run at all ends it in every channel: an actuator that moves little in the test is pushed
up to its limit as well (4), by itself and with the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from rths.assembly.guarding import bounds_of
from rths.assembly.hybrid_test import HybridTest
from rths.assembly.rig_bounds import COMMAND, rig_bounds
from rths.errors import InputError
from rths.loop.block import FINITE, Vector
from rths.loop.channel_name import split_channel
from rths.stability.rehearsal import MOTION, Rehearsal

SHARE = 0.02
"""Part of the test's motion that matters: the error of a good test, a poor one has ten times it."""
LOUD = 5.0
"""Factor on the motion that noise keeps up: peaks of Gaussian noise stay below it."""
CERTAIN = 0.05
"""Part of the test's motion that matters whatever the noise: a loop that makes more of its noise
may be one that noise has set in motion."""
FAR = 30.0
"""Nothing that comes back goes so far: a resonance with 2 % damping amplifies a step 25 times."""
BEYOND = 10.0
"""Limit, in motions, of a test for which none is given."""
WITHIN = 0.5
"""Largest disturbance as a share of the limit: with the test's own motion it stays within."""
LITTLE = 1e-2
"""Channels that move less than this share of the one that moves most are measured by that share:
of what matters in them it is 2e-4 of the largest motion, a few steps of a sensor of 16 bit."""
DIFFER = 1.5
"""Factor on its motion from which on an actuator is pushed by itself (4)."""
FURTHER = 2.0
"""Factor on the way of a preload that is no loss: a late actuator swings about its place."""
AT_ONCE = 64
"""Ticks after which an emulated test that nothing drives has left its place, if it leaves it."""
TALLEST = 30.0
"""Motion, m, beyond which an emulated test is lost itself: no laboratory has so much room."""
ALL, EACH = -1, -2
"""Instead of one channel: all of them, by their motion; and all, each as far as it may go alone."""
DEFAULT = 1e-3
"""Motion, m, of a test in which nothing moves and that has no limits: a millimetre."""


@dataclass(frozen=True, eq=False)
class Yardstick:
    """Sizes of one test, m, by channel or over all."""

    motion: Vector
    """(1), one for each channel."""
    noise: float
    """What noise alone keeps moving, as a share of the motion."""
    limit: float
    """Largest disturbance that is tried, as a share of the motion."""
    bounds: Vector
    """Limit of the plan or of the rig in each channel, m; infinite where there is none."""
    way: Vector
    """How far each channel goes without the excitation, m: a preload moves it to its place."""

    @property
    def uneven(self) -> bool:
        """Whether some actuator may go further than with all of them by their motion."""
        return bool(np.any(self.lengths(alone=True) > DIFFER * self.motion))

    def lengths(self, alone: bool) -> Vector:
        """Give the lengths (4) of which a size is a share, by channel, m."""
        if not alone:
            return self.motion
        allowed = np.where(np.isfinite(self.bounds), WITHIN * self.bounds / self.limit, 0.0)
        return np.maximum(self.motion, allowed)

    def unit(self, channel: int) -> float:
        """Give the length of a push of size 1, m: of an actuator by itself, of ALL or of EACH."""
        lengths = self.lengths(alone=channel != ALL)
        return float(lengths[channel] if channel >= 0 else lengths.max())

    def shares(self, size: float, alone: bool) -> Vector:
        """Give a push of a size in motions of each channel."""
        return np.asarray(size * (self.lengths(alone) / self.motion))

    @cached_property
    def columns(self) -> Vector:
        """Motion by column of the rows of a rehearsal."""
        return np.tile(self.motion, len(MOTION))

    @property
    def matters(self) -> float:
        """(2), as a share of the motion."""
        return max(SHARE, min(LOUD * self.noise, CERTAIN))

    def measure(self, rows: Vector) -> Vector:
        """Rows as shares of the motion."""
        return np.asarray(rows / self.columns)

    def way_of_most(self, rows: Vector) -> float:
        """Half the way, m, of the signal that moves most as a share of its motion."""
        most = int(half_way(self.measure(rows)).argmax())
        return float(half_way(rows)[most])

    def is_lost(self, rows: Vector, shares: Vector | float = 0.0) -> bool:
        """Tell whether what was pushed by shares of the motion has left for good (3).

        The answer of an inverse to a kink is a large command that nothing follows.
        """
        moved = FAR * np.maximum(np.ones(self.motion.size), shares)
        far = np.concatenate([moved, np.maximum(moved, FAR * self.limit), moved])
        room = far * self.columns + np.tile(FURTHER * self.way, len(MOTION))
        with np.errstate(all="ignore"):
            return not bool(np.all(np.abs(rows) <= room))


def motion_bounds(test: HybridTest) -> Vector:
    """Tightest bound that a plan, or its rig, sets to the motion of each channel, m."""
    found = np.full(test.channels, np.inf)
    for name, given in test.limits.items():
        base, channel = split_channel(name)
        if base in MOTION:
            own = slice(None) if channel is None else slice(channel, channel + 1)
            found[own] = np.minimum(found[own], _reach(*bounds_of(name, given)))
    rig = rig_bounds(test) if test.safety is not None else ()
    return np.asarray(np.minimum(found, [_reach(b.low, b.high) for b in rig] or np.inf))


def reach_of(test: HybridTest, rows: Vector) -> float:
    """Give how far a motion goes, in limits of its plan and rig, each signal to each side."""
    m, found = test.channels, [0.0]
    highest, lowest = rows.max(axis=0, initial=0.0), rows.min(axis=0, initial=0.0)
    limits = [(*split_channel(name), bounds_of(name, v)) for name, v in test.limits.items()]
    rig = rig_bounds(test) if test.safety is not None else ()
    limits += [(COMMAND, c, (b.low, b.high)) for c, b in enumerate(rig)]
    for base, channel, (low, high) in limits:
        if base in MOTION:
            first = m * MOTION.index(base)
            own = slice(first, first + m) if channel is None else first + channel
            found += [float(np.max(highest[own])) / high] if high > 0 else []
            found += [float(np.min(lowest[own])) / low] if low < 0 else []
    return max(found)


def _reach(low: float, high: float) -> float:
    """How far one may go to both sides; to the other one if a side is closed."""
    near, far = sorted((abs(low), abs(high)))
    reach = near or far
    return reach if reach < FINITE else np.inf


def half_way(rows: Vector) -> Vector:
    """Half the way from the lowest to the highest value of each column."""
    return np.asarray(0.5 * np.ptp(rows, axis=0))


def yardstick_of(
    rehearsal: Rehearsal, rows: Vector, silent: Vector, *, emulated: bool = True
) -> Yardstick:
    """Find the sizes of a test from its rehearsed motion, with noise and without."""
    m, test = rehearsal.channels, rehearsal.test
    bounds, way = motion_bounds(test), np.zeros(m)
    found = emulate(test) if emulated else None
    if found is not None:
        motion, way = found
    else:
        motion = half_way(silent[:, :m]) if len(silent) else np.zeros(m)
    most = float(motion.max())
    if not (np.isfinite(most) and most > 0):
        most = float(bounds.min()) / BEYOND if np.isfinite(bounds).any() else DEFAULT
        motion = np.full(m, most)
    motion = np.maximum(motion, LITTLE * most)
    tightest = float(np.min(bounds / motion))
    limit = max(1.0, WITHIN * (tightest if np.isfinite(tightest) else BEYOND))
    noise = _noise(rows, silent, np.tile(motion, len(MOTION)))
    return Yardstick(motion, noise, limit, bounds, way)


def emulate(test: HybridTest) -> tuple[Vector, Vector] | None:
    """(1) and the way without the excitation; None if the test cannot be emulated or is lost."""
    try:
        emulated = Rehearsal(test.reference_test())
    except InputError:
        return None
    stretch = emulated.run(emulated.start, emulated.ticks, noise=False)
    if not stretch.whole:
        return None
    m = test.channels
    rows = stretch.rows[:, :m]
    still = _still(emulated, rows)
    motion, way = half_way(rows - still), np.abs(still).max(axis=0)
    sane = bool(np.all(np.isfinite(motion))) and 0 < float(motion.max()) < TALLEST
    return (np.maximum(motion, LITTLE * float(motion.max())), way) if sane else None


def _still(emulated: Rehearsal, rows: Vector) -> Vector:
    """Rows without the excitation; zeros if all of them move so, or none."""
    m, none = rows.shape[1], np.zeros_like(rows)
    first = emulated.run(emulated.start, min(AT_ONCE, emulated.ticks), quiet=True, noise=False)
    if not first.rows.any():
        return none
    still = emulated.run(emulated.start, emulated.ticks, quiet=True, noise=False)
    free = not still.whole or np.array_equal(rows, still.rows[:, :m])  # a free vibration
    return none if free else still.rows[:, :m]


def _noise(rows: Vector, silent: Vector, columns: Vector) -> float:
    """What noise moves in the first quarter, before anything can have grown much."""
    n = min(len(rows), len(silent)) // 4
    if not n:
        return 0.0
    with np.errstate(all="ignore"):
        off = np.sqrt(np.mean((rows[:n] - silent[:n]) ** 2, axis=0)) / columns
    return float(np.clip(np.nan_to_num(off.max(), nan=0.0, posinf=0.0), 0.0, 1.0))
