"""Against what a motion is called large or small: the test's own motion, its noise, its limits.

    A_c = half the way of the target of channel c in the emulated test                          (1)
    matters: SHARE of A_c, or LOUD times what noise alone keeps moving, up to CERTAIN of A_c     (2)
    far:     FAR times the larger of A and the push; of commands, of A and the largest push     (3)

The emulated test (no actuator in between) is taken for (1), because the motion of a test that runs
away is no measure of it; where it cannot be had, the rehearsed test itself. All is measured about
the place where the test stands before it begins: a preloaded specimen is at rest elsewhere than 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from rths.assembly.hybrid_test import HybridTest
from rths.errors import InputError
from rths.loop.block import Vector
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
LITTLE = 1e-3
"""Channels that move less than this share of the one that moves most are measured by that share:
what no sensor of such a test could tell."""
TALLEST = 30.0
"""Motion, m, beyond which an emulated test is lost itself: no laboratory has so much room."""
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

    @property
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

    def is_lost(self, rows: Vector, size: float = 0.0) -> bool:
        """Tell whether what was pushed by a size, as a share of the motion, has left for good (3).

        The answer of an inverse to a kink is a large command that nothing follows.
        """
        moved, commanded = FAR * max(1.0, size), FAR * max(1.0, self.limit)
        far = np.repeat([moved, commanded, moved], self.motion.size)
        with np.errstate(all="ignore"):
            return not bool(np.all(np.abs(rows) <= far * self.columns))


def largest_limit(limits: Mapping[str, Any]) -> float:
    """Largest bound that a plan sets to a motion, m; 0 if it sets none."""
    found = [0.0]
    for name, bound in limits.items():
        if split_channel(name)[0] in MOTION:
            found += np.abs(np.atleast_1d(np.asarray(bound, float))).tolist()
    return max(v for v in found if np.isfinite(v))


def half_way(rows: Vector) -> Vector:
    """Half the way from the lowest to the highest value of each column."""
    return np.asarray(0.5 * np.ptp(rows, axis=0))


def yardstick_of(
    rehearsal: Rehearsal, rows: Vector, silent: Vector, *, emulated: bool = True
) -> Yardstick:
    """Find the sizes of a test from its rehearsed motion, with noise and without."""
    m, test = rehearsal.channels, rehearsal.test
    limit = largest_limit(test.limits)
    motion = emulated_motion(test) if emulated else None
    if motion is None:
        motion = half_way(silent[:, :m]) if len(silent) else np.zeros(m)
    most = float(motion.max())
    if not (np.isfinite(most) and most > 0):
        most = limit / BEYOND or DEFAULT
        motion = np.full(m, most)
    motion = np.maximum(motion, LITTLE * most)
    limit = max(1.0, WITHIN * (limit / most if limit else BEYOND))
    return Yardstick(motion, _noise(rows, silent, np.tile(motion, len(MOTION))), limit)


def emulated_motion(test: HybridTest) -> Vector | None:
    """(1); None if the emulated test cannot be run or is lost itself."""
    try:
        emulated = Rehearsal(test.reference_test())
    except InputError:
        return None
    stretch = emulated.run(emulated.start, emulated.ticks, noise=False)
    found = half_way(stretch.rows[:, : test.channels]) if stretch.whole else np.zeros(1)
    sane = bool(np.all(np.isfinite(found))) and 0 < float(found.max()) < TALLEST
    return np.maximum(found, LITTLE * float(found.max())) if sane else None


def _noise(rows: Vector, silent: Vector, columns: Vector) -> float:
    """What noise moves in the first quarter, before anything can have grown much."""
    n = min(len(rows), len(silent)) // 4
    if not n:
        return 0.0
    with np.errstate(all="ignore"):
        off = np.sqrt(np.mean((rows[:n] - silent[:n]) ** 2, axis=0)) / columns
    return float(np.clip(np.nan_to_num(off.max(), nan=0.0, posinf=0.0), 0.0, 1.0))
