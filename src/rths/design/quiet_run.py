"""A minute of nothing after the test: does the command come to rest, or chatter?

    n = rms(d/dt (u - x)) over the last half of the quiet / rms(du/dt) over the test           (1)

u is the command, x its target. What the structure still does is in both; what is left is what the
compensator makes of noise, or keeps up by itself. It chatters if (1) still grows by half from one
quarter of the quiet to the next.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf

import numpy as np

from rths.assembly.hybrid_test import HybridTest
from rths.loop.block import Vector

QUIET = 60.0
"""Length of the quiet, s."""
GROWS, SEEN = 1.5, 1e-3
"""Growth from quarter to quarter that is chatter, if (1) is above this."""


@dataclass(frozen=True)
class Quiet:
    """What became of a loop without excitation."""

    share: float
    """(1); infinite if the run was lost."""
    chatters: bool


def run_quiet(test: HybridTest) -> Quiet:
    """Run a rehearsed test, which records target and command first, into the quiet."""
    longer = replace(test, duration=test.duration + QUIET)
    rows = np.empty((longer.clock.ticks, len(longer.layout.record_slots)))
    done = longer.cycle("table").advance(len(rows), rows)
    m, shaken = test.channels, test.clock.ticks
    if done < len(rows) or not np.isfinite(rows).all():
        return Quiet(inf, False)
    target, command = rows[:, :m], rows[:, m : 2 * m]
    moving = _rms(np.diff(command[:shaken], axis=0)) or inf
    beyond = np.diff((command - target)[shaken:], axis=0)
    quarters = [_rms(part) / moving for part in np.array_split(beyond, 4)]
    grows = quarters[3] > GROWS * quarters[2] and quarters[3] > SEEN
    return Quiet(_rms(beyond[len(beyond) // 2 :]) / moving, bool(grows))


def _rms(values: Vector) -> float:
    return float(np.sqrt(np.mean(values**2))) if values.size else 0.0
