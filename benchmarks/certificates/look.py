"""What is seen of one run of a loop beside another: how far it went, and what is left of it.

    gain    largest distance / max(first distance, 0.05 A, R/15)                              (1)
    swing   half the way about its straight line, in each quarter of the quiet end             (2)
    pace    steps of the mean from quarter to quarter                                         (3)

A is the motion that the test is meant to have, R how far the original itself goes. Two runs that
both stay within R are never further apart than 2 R, however they got there: such a distance is no
loss, and a gain of 30 begins where it ends. A plastic set is a line and no swing.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import numpy as np

from benchmarks.certificates.rehearsal import Rows
from rths.stability.yardstick import CERTAIN, SHARE

Trend = Literal["lost", "grows", "lasts", "small", "decays", "gone"]
MATTERS, NOTHING = CERTAIN, 0.8 * SHARE
"""Shares of the motion from which on a lasting swing matters, and up to which it does not: where
there is noise, a certificate states where in between it draws the line."""
SILENT = 1.25 * SHARE
"""Share from which on it matters where there is no noise: the line is at SHARE."""
LOST = 30.0
"""Gain (1) from which on a run counts as lost."""
FLOOR = 0.05
"""Share of the motion that a first distance counts for at least: play within it is no growth."""
GROWS, DECAYS, STEADILY = 1.1, 0.9, 0.97
"""Ratio of the last two swings from which on a run grows, and up to which it decays; the last is
for three swings in a row, growing or decaying."""
SWELLS = 4.0
"""Ratio of two swings of a run that is more than noise."""
SPEEDING = 1.2, 0.03
"""Ratio of two steps (3), and share of the motion, from which on a drift speeds up."""


@dataclass(frozen=True)
class Look:
    """One run, seen beside its original; lengths are shares of the motion."""

    name: str
    size: float
    """First distance; infinite if the run is the test itself."""
    gain: float = 0.0
    swings: tuple[float, ...] = ()
    """None if the run was lost before its end."""
    means: tuple[float, ...] = ()
    alone: bool = False
    """Whether the swings are those of the run itself, and not of its distance."""
    settled: bool = False
    """Whether the run was long enough to be judged by how it ends."""
    wanted: float = 0.0
    """Size of its push, had the structure been linear and alone."""
    own: float = 0.0
    """Swing of the run itself in the last quarter, whatever that of its original."""
    beside: float = 0.0
    """Swing of its original in the last quarter."""
    furthest: float = 0.0
    """Largest distance."""
    falls: bool = False
    """Whether the run and its original both swing less from quarter to quarter."""
    course: tuple[float, ...] = ()
    """Swing of the run itself in each part of a long one."""
    matters: float = MATTERS
    """Swing from which on it matters."""

    @property
    def trend(self) -> Trend:
        """How the run ends."""
        if not self.swings or self.gain > LOST:
            return "lost"
        second, third, last = self.swings[-3:]
        steadily = last * STEADILY > third and third * STEADILY > second
        if self._speeds_up() or (last > self.matters and (last > GROWS * third or steadily)):
            return "grows"
        if last < NOTHING:
            return "gone"
        if last < DECAYS * third or (last < STEADILY * third and third < STEADILY * second):
            return "decays"
        return "lasts" if last > self.matters else "small"

    @property
    def strays(self) -> bool:
        """Whether a small push has led a whole motion away."""
        return 0 < self.wanted <= FLOOR and self.furthest > max(1.0, LOST * self.wanted)

    @property
    def bursts(self) -> bool:
        """Whether the run has calmed down and swings up again by what matters."""
        calm = np.minimum.accumulate(self.course)
        return bool(np.any(self.course > np.maximum(MATTERS, SWELLS * calm)))

    def _speeds_up(self) -> bool:
        ratio, share = SPEEDING
        first, second, third = np.diff(self.means) * np.sign(self.means[-1])
        far = abs(self.means[-1]) > MATTERS and third > share
        return bool(far and third > ratio * second > ratio**2 * first > 0)

    def __str__(self) -> str:
        def shown(values: tuple[float, ...]) -> str:
            return " ".join(f"{v:.2g}" for v in values)

        if not self.swings:
            return f"{self.name}: lost"
        return (
            f"{self.name}: gain {self.gain:.2g}, swings {shown(self.swings)}, "
            f"means {shown(self.means)} motions"
        )


def look_at(
    name: str,
    rows: Rows,
    base: Rows,
    quiet: int,
    begin: int,
    motion: Rows,
    alone: bool = False,
    matters: float = MATTERS,
) -> Look:
    """Look at a run beside its original: it begins within some ticks, and its end is quiet.

    ``motion`` is that of the test, by column. Where nothing comes from outside, what is left is
    that of the run ``alone``.
    """
    apart, whole = (rows - base[: len(rows)]) / motion, len(rows) == len(base)
    far = np.abs(apart).max(axis=1, initial=0.0)
    size = float(far[: max(begin, 1)].max(initial=0.0))
    reach = float(np.abs(base[: len(rows)] / motion).max(initial=0.0))
    furthest = float(far.max(initial=0.0))
    gain = furthest / max(size, FLOOR, 2 * reach / LOST)
    if not whole:
        return Look(name, size, gain, furthest=furthest)
    own = split_swings(rows[-quiet:] / motion)
    left = own if alone else split_swings(apart[-quiet:])
    beside = split_swings(base[-quiet:] / motion)[0]
    falls = all(a > b for swings in (own[0], beside) for a, b in pairwise(swings))
    ends = {"own": own[0][-1], "beside": beside[-1], "furthest": furthest, "matters": matters}
    return Look(name, size, gain, *left, alone=alone, falls=falls, **ends)


def split_swings(rows: Rows) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Give the swing (2) and the mean of the most moved signal in each quarter of a run."""
    swings, means = [], []
    for part in np.array_split(rows, 4):
        t = np.linspace(-1.0, 1.0, len(part))[:, None]
        middle = part.mean(axis=0)
        line = middle + t * (t * part).sum(axis=0) / (t * t).sum()
        swings.append(0.5 * float(np.ptp(part - line, axis=0).max()))
        means.append(middle)
    most = int(np.argmax(np.abs(means[-1])))
    return tuple(swings), tuple(float(m[most]) for m in means)
