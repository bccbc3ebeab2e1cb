"""A displacement that is off: on the average it is not where the command is.

    m' = ((x_m - c) - m)/w,   value = m                                                       (1)

A delay τ moves this mean by no more than 2Aτ/w with an amplitude A: over a period or more little is
left of it, while an offset or a drift of the sensor stays. Missed replies leave the mean as it is.
"""

from __future__ import annotations

from math import exp

from rths.guard._following import Following, suggest_share
from rths.guard._rehearsal import Rehearsal, Suggestion, round_up
from rths.guard.base import BOUNDS, describe, judge, register
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields
from rths.quantity import Duration
from rths.site import Site

CYCLES = 1.0
"""Suggested window in periods of the motion."""
MARGIN = 4.0
"""Level over what the rehearsal shows: while an adaptive compensator learns, another rig in good
order has come to three times as much."""
LEAST = 0.05
"""Least level as a share of the largest motion: a calibration may be off by that much."""
P = fields(**BOUNDS.meaning, of_now="share of a sample in m")
X = fields(mean="m, m")


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # u = x_m, c, replies missed in a row
    if not u[2] > 0.0:
        x[X.mean] += p[P.of_now] * (u[0] - u[1] - x[X.mean])  # (1)
    judge(x[X.mean], p, y)


@register
@describe
class DisplacementOffset(Following):
    """Bounds on the mean of measured less commanded displacement."""

    example = {"window": 0.5, "trip": 0.002}

    window: Duration
    """Time w over which the mean is taken, s: a period of the motion or more."""

    @classmethod
    def suggest(cls, seen: Rehearsal) -> tuple[Suggestion, ...]:
        """Allow four times the mean of the rehearsal, and 5 % of the motion at least."""
        if not seen.peak > 0.0:
            return ()
        window = round_up(CYCLES * seen.period)
        return suggest_share(cls, seen, {"window": window}, MARGIN, LEAST)

    def block(self, site: Site) -> Block:
        """Yield the block of (1)."""
        params = P.pack(**self.bounds, of_now=1 - exp(-site.interval / self.window))
        return Block(step, params, len(X), outputs=2)
