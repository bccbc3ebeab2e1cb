"""Levels one after another, each held for a while.

    e(t) = l_i + (l_i+1 - l_i) min(s/T, 1),   s = t - t_0 - i (T + H),   l_0 = 0                 (1)

From each level the signal runs straight to the next within the rise T, and stays there for the
hold H; it keeps the last level, so end with 0 to come back.

Use it as a command to see how an actuator answers a step, or as a force for static levels.
"""

from __future__ import annotations

import numpy as np

from rths.excitation.base import Excitation, describe, register
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields, many
from rths.quantity import Duration, RealVector, Seconds
from rths.site import Site

P = fields(
    interval="time between calls, s",
    start="t_0, s",
    rise="T, s",
    hold="H, s",
    levels=many("l_0, l_1, ..."),
)
X = fields(calls="calls so far")
ROUND_OFF = 1e-9
"""Part of an interval by which a time may miss the end of a level."""


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    h = p[P.interval]
    t, T = x[X.calls] * h - p[P.start] + ROUND_OFF * h, p[P.rise]
    x[X.calls] += 1.0
    levels = p[P.levels :]
    i = min(int(t / (T + p[P.hold])), levels.size - 1) if t > 0.0 else 0
    low = levels[i]
    way = levels[i + 1] - low if t > 0.0 and i + 1 < levels.size else 0.0
    s = t - i * (T + p[P.hold])
    y[0] = low + way * (s / T if s < T else 1.0)  # (1)
    if y.size == 2:
        y[1] = way / T if s < T else 0.0


@register
@describe
class Steps(Excitation):
    """Up, hold, down, hold, as often as there are levels."""

    example = {"levels": [1.0, 0.0, -1.0, 0.0], "hold": 0.03, "rise": 0.01}

    levels: RealVector
    """Levels l_1, l_2, ..., in m/s², N or m, as the signal acts."""
    hold: Duration
    """Time H at each level, s."""
    rise: Seconds = 0.0
    """Time T from one level to the next, s; 0 for a jump."""
    start: Seconds = 0.0
    """Quiet time t_0 before the first level, s."""

    def block(self, site: Site) -> Block:
        """Yield the block of (1)."""
        params = P.pack(
            interval=site.interval,
            start=self.start,
            rise=self.rise,
            hold=self.hold,
            levels=np.array([0.0, *self.levels]),
        )
        return Block(step, params, X.pack(calls=0), outputs=self.outputs, counters=[X.calls])
