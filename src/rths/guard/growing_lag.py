"""A lag that grows: how late the measured displacement is behind the command.

    value = mean( v (c - x_m) ) / mean( v² ),   v = (c_k - c_k-1)/T,   0 while mean(v²) < a²    (1)

is the delay τ, s, of the least squares x_m(t) = c(t) - τ v(t), with means over about the last w
seconds. It does not depend on the amplitude: oil that gets warm, a valve that wears or a loop that
is about to be lost is seen while motions are still small. Missed replies leave the means as they
are.
"""

from __future__ import annotations

from math import exp
from typing import Any, ClassVar

import numpy as np

from rths.guard._following import Following
from rths.guard._rehearsal import NEVER, Rehearsal, Suggestion, round_up
from rths.guard.base import BOUNDS, describe, judge, register
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields
from rths.quantity import Duration, PositiveMetresPerSecond
from rths.site import Site

CYCLES = 2.0
"""Suggested window in periods of the motion."""
QUIET = 0.2
"""Suggested a as a share of the rehearsed velocity, root mean square: below it noise counts."""
GROWTH = 0.5
"""Share of the actuator's delay by which the lag may grow beyond that of the rehearsal."""
TICKS = 2.0
"""Ticks by which it may grow at least: less is not told from the rounding of a delay."""
P = fields(**BOUNDS.meaning, of_now="share of a sample in a mean", quiet="a², m²/s²", interval="T")
X = fields(
    last="c of the sample before, m",
    product="mean of v (c - x_m), m²/s",
    square="mean of v², m²/s²",
    begun="whether there was a sample",
)


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # u = x_m, c, replies missed in a row
    v = (u[1] - x[X.last]) / p[P.interval] if x[X.begun] != 0.0 else 0.0
    x[X.last], x[X.begun] = u[1], 1.0
    if not u[2] > 0.0:
        x[X.product] += p[P.of_now] * (v * (u[1] - u[0]) - x[X.product])
        x[X.square] += p[P.of_now] * (v * v - x[X.square])
    value = 0.0
    if x[X.square] >= p[P.quiet]:
        value = x[X.product] / x[X.square]  # (1)
    judge(value, p, y)


@register
@describe
class GrowingLag(Following):
    """Bound on the lag behind the command."""

    example = {"window": 1.0, "quiet": 0.001, "warn": 0.005, "trip": 0.05}

    one_sided: ClassVar[bool] = True

    window: Duration
    """Time w over which means are taken, s: a few periods of the motion."""
    quiet: PositiveMetresPerSecond
    """Root mean square a of the command's velocity below which nothing counts, m/s."""

    @classmethod
    def suggest(cls, seen: Rehearsal) -> tuple[Suggestion, ...]:
        """Allow the lag of the rehearsal and half of the actuator's delay."""
        speed = max(float(np.std(np.diff(r))) for r in seen.columns("safety.command"))
        if not speed > 0.0:
            return ()
        quiet = round_up(QUIET * speed / seen.tick)
        given: dict[str, Any] = {"window": round_up(CYCLES * seen.period), "quiet": quiet}
        usual = seen.furthest(cls(warn=NEVER, **given))
        level = usual + max(GROWTH * seen.lag, TICKS * seen.tick)
        reason = f"{usual:.3g} s in the rehearsal, and half of the actuator's {seen.lag:.3g} s"
        return (seen.suggestion(cls, given, level, reason),)

    def block(self, site: Site) -> Block:
        """Yield the block of (1), at rest where the actuator stands."""
        T = site.interval
        of_now = 1 - exp(-T / self.window)
        params = P.pack(**self.bounds, of_now=of_now, quiet=self.quiet**2, interval=T)
        states = X.pack(last=site.displacement, product=0, square=0, begun=1)
        return Block(step, params, states, outputs=2, counters=[X.begun])
