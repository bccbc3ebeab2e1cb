"""After the test: nothing drives any more, and all must come to rest and stay there.

    m_w = half the way of each signal in window w, largest of all, in shares of A                (1)
    decays: m < matters at the end, or m_end < SLOWER m_mid                                     (2)
    grows:  m_end > FASTER m_mid and matters,  or it leaves for good
    keeps:  neither; motions from several sizes that keep one and the same size are a cycle      (3)

The loop is pushed, without noise, by pulses of all sizes, lengths and signs. A fast motion that
grows from next to nothing is seen in the changes from tick to tick long before it is seen in (1):
while these grow, it is watched on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from rths.loop.block import Vector
from rths.stability.disturbance import Pusher, Start, ladder
from rths.stability.rehearsal import Pulse, Rehearsal
from rths.stability.yardstick import Yardstick

SLOWER, FASTER = 0.95, 1.05
"""Factors between the middle and the end of a motion below and above which it changes."""
WINDOWS = 30
"""Windows in which a release must decide itself; they are two slowest periods long."""
PATIENCE = 10
"""How many times as long a motion is watched whose changes from tick to tick still grow."""
SEEN = 1e-9
"""Change from tick to tick, as a share of the motion, below which there is only round-off."""
SAME = 1.25
"""Factor within which two motions that keep their size are one, and beyond which pushes differ."""
BESIDE = (0.6, 1.6)
"""Factors on a push whose motion was kept."""
FALLEN = 0.05
"""Share of its first size, and of what matters, below which a release is over."""
Fate = Literal["decays", "keeps", "grows", "lost"]


@dataclass(frozen=True)
class Release:
    """One push of the quiet loop and what became of it."""

    size: float
    """Size of the push, m."""
    sign: int
    mode: int
    fate: Fate
    first: float
    """Amplitude in the first window, with what the test has left, as a share of the motion."""
    left: float
    """Amplitude at the end."""
    frequency: float
    """Of what is left, Hz."""
    time: float
    """How long it was watched, s."""
    pulse: Pulse | None = None


class QuietLoop:
    """The loop after the test, without noise."""

    def __init__(
        self, rehearsal: Rehearsal, end: Vector, window: int, yardstick: Yardstick, pusher: Pusher
    ) -> None:
        self.rehearsal, self.end, self.window = rehearsal, end, window
        self.yardstick, self.pusher = yardstick, pusher

    def release(self, start: Start) -> Release:
        """Push once and watch until it decides itself."""
        state, pulse = self.end, self.pusher.pulse(start, int(self.end[0]))
        sizes: list[float] = []
        changes: list[float] = []
        fate: Fate | None = None
        rows = np.zeros((0, 1))
        while fate is None and not self._is_over(sizes, changes):
            stretch = self.rehearsal.run(state, self.window, pulse, quiet=True, noise=False)
            state, rows = stretch.state, stretch.rows
            if not stretch.whole or self.yardstick.is_lost(rows):
                fate = "lost"
            else:
                sizes.append(amplitude(rows, self.yardstick))
                changes.append(amplitude(np.diff(rows, axis=0), self.yardstick))
        left = np.inf if fate else sizes[-1]
        size = start.size * float(self.yardstick.motion.max())
        watched = (float(state[0]) - float(self.end[0])) * self.rehearsal.test.tick
        pitch = frequency_of(rows, self.rehearsal.test.tick)
        fate = fate or fate_of(sizes, self.yardstick.matters)
        first, mode = max(sizes[:1], default=np.inf), start.mode + 1
        return Release(size, start.sign, mode, fate, first, left, pitch, watched, pulse)

    def _is_over(self, sizes: Sequence[float], changes: Sequence[float]) -> bool:
        """Tell whether a motion has fallen, or was watched for long enough."""
        n, matters = len(sizes), self.yardstick.matters
        if n < 2:
            return False
        rising = changes[-1] > SEEN and changes[-1] > FASTER * changes[n // 2]
        if n >= WINDOWS:
            return n >= PATIENCE * WINDOWS or sizes[-1] > matters or not rising
        return sizes[-1] < FALLEN * matters and changes[-1] < changes[-2] * SLOWER


def amplitude(rows: Vector, yardstick: Yardstick) -> float:
    """(1)."""
    return float(np.max(0.5 * np.ptp(yardstick.measure(rows), axis=0)))


def fate_of(sizes: Sequence[float], matters: float) -> Fate:
    """(2), from amplitudes by window."""
    last, half = sizes[-1], sizes[len(sizes) // 2]
    if last < matters or last < SLOWER * half:
        return "decays"
    return "grows" if last > FASTER * half else "keeps"


def frequency_of(rows: Vector, tick: float) -> float:
    """Frequency of the signal that moves most, Hz, from its upward passages through its mean."""
    if len(rows) < 2 or not np.isfinite(rows).all():
        return 0.0
    most = rows[:, int(np.ptp(rows, axis=0).argmax())]
    x = most - most.mean()
    up = np.flatnonzero((x[:-1] < 0) & (x[1:] >= 0))
    if up.size < 2:
        return 0.0
    at = up - x[up] / (x[up + 1] - x[up])
    return float((at.size - 1) / ((at[-1] - at[0]) * tick))


def release_all(loop: QuietLoop) -> list[Release]:
    """Push with every size and sign, modes in turn, until a push is lost.

    Where a motion was kept, a smaller and a larger push tell whether it has a size of its own.
    """
    found: list[Release] = []
    for j, size in enumerate(ladder(loop.yardstick)):
        for k, sign in enumerate((1, -1)):
            mode = loop.pusher.pick_mode(2 * j + k, float(size))
            found.append(loop.release(Start(0, float(size), sign, mode)))
            if found[-1].fate in ("lost", "grows"):
                return found
    kept = [r for r in found if r.fate == "keeps"]
    if kept and not is_cycle(kept):
        r = kept[-1]
        for factor in BESIDE:
            size = factor * r.size / float(loop.yardstick.motion.max())
            found.append(loop.release(Start(0, size, r.sign, r.mode - 1)))
    return found


def is_cycle(kept: Sequence[Release]) -> bool:
    """Tell whether motions of several first sizes keep one and the same (3)."""
    for r in kept:
        same = [o.first for o in kept if r.left / SAME < o.left < r.left * SAME]
        if max(same) > SAME * min(same):
            return True
    return False
