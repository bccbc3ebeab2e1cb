"""The rehearsed test cut into windows, with the state at the beginning of each.

    windows of  w >= PERIODS slowest periods of structure and specimens                        (1)

A window shorter than a period would take phase for growth. What a copy is compared with, and where
it may start, is kept here.
"""

from __future__ import annotations

from math import lcm

import numpy as np

from rths.loop.block import Vector
from rths.stability.rehearsal import Rehearsal
from rths.stability.structural_modes import Modes

PERIODS = 2
"""Slowest periods in a window."""
FEWEST, MOST = 4, 48
"""Windows of a test."""


def window_of(rehearsal: Rehearsal, modes: Modes) -> int:
    """Ticks of a window (1), whole periods of the loop."""
    test, n = rehearsal.test, rehearsal.ticks
    slowest = 1 / max(float(np.min(modes.frequencies)), 1 / test.duration)
    wanted = max(PERIODS * slowest / test.tick, n / MOST)
    every = lcm(rehearsal.layout.period, test.clock.stage_ticks * test.clock.stages)
    return max(1, round(min(wanted, n / FEWEST) / every)) * every


def quiet_window_of(rehearsal: Rehearsal, modes: Modes) -> int:
    """Ticks of a window (1) after the test, however short that was."""
    test = rehearsal.test
    slowest = 1 / max(float(np.min(modes.frequencies)), 1 / (FEWEST * test.duration))
    every = lcm(rehearsal.layout.period, test.clock.stage_ticks * test.clock.stages)
    return max(1, round(PERIODS * slowest / test.tick / every)) * every


class Timeline:
    """The test as rehearsed: rows and states by window, and when it was lost, if it was."""

    def __init__(self, rehearsal: Rehearsal, window: int) -> None:
        self.rehearsal, self.window = rehearsal, window
        self.states, self.rows = [rehearsal.start], []
        self.whole = True
        left = rehearsal.ticks
        while left > 0 and self.whole:
            # a rest of some ticks, such as the one at t = T, is no window: nothing moves in it
            ticks = left if left < 1.5 * window else window
            stretch = rehearsal.run(self.states[-1], ticks)
            self.states.append(stretch.state)
            self.rows.append(stretch.rows)
            self.whole = stretch.whole and bool(np.isfinite(stretch.rows).all())
            left -= ticks

    @property
    def windows(self) -> int:
        """Number of windows that were run, the last one perhaps shorter."""
        return len(self.rows)

    @property
    def motion(self) -> Vector:
        """All rows."""
        return np.concatenate(self.rows)

    @property
    def end(self) -> Vector:
        """The state after the last tick."""
        return self.states[-1]
