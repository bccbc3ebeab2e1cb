"""The way that a command goes while the measured displacement stands still.

    way = (c - c_0) sign(x_m),   apart = (c - x_m) sign(x_m)   while |x_m - x_0| <= a,          (1)
    x_0 = x_m,  c_0 = c                                        otherwise
    value = min(way, apart) outwards, min(-way, -apart) inwards, 0 if that is negative          (2)

Outwards is away from zero. The command must have moved, and be on that side of the displacement:
one that comes back from beyond the reach of an actuator has not passed it yet. Replies that are
missed are held by the link: c_0 goes along with the command then, and no way is counted.
"""

from __future__ import annotations

from typing import ClassVar

from rths.guard._following import Following, suggest_share
from rths.guard._rehearsal import Rehearsal, Suggestion, round_up
from rths.guard.base import BOUNDS, describe, judge
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields
from rths.quantity import PositiveMetres
from rths.site import Site

STILL_SHARE, NOISES = 0.02, 6.0
"""Suggested a: a fiftieth of the largest motion, and what six standard deviations of noise span."""
MARGIN = 3.0
"""Level over what the rehearsal shows: the way goes with the velocity and the delay, and a rig in
good order has neither three times as large."""
LEAST = 0.1
"""Least level as a share of the largest motion."""
P = fields(**BOUNDS.meaning, still="a, m", outwards="1 outwards, -1 inwards")
X = fields(measured="x_0, m", command="c_0, m", last="c_k-1, m", begun="whether there is one")


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # u = x_m, c, replies missed in a row
    if u[2] > 0.0:
        x[X.command] += u[1] - x[X.last]
    if x[X.begun] == 0.0 or not abs(u[0] - x[X.measured]) <= p[P.still]:
        x[X.measured], x[X.command], x[X.begun] = u[0], u[1], 1.0
    x[X.last] = u[1]
    side = -p[P.outwards] if u[0] < 0.0 else p[P.outwards]
    way, apart = (u[1] - x[X.command]) * side, (u[1] - u[0]) * side  # (1)
    judge(max(min(way, apart), 0.0), p, y)  # (2)


@describe
class Standstill(Following):
    """Base of guards on (2), in one direction."""

    one_sided: ClassVar[bool] = True
    outwards: ClassVar[float]
    """1 if the way outwards counts, -1 if the way inwards does."""

    still: PositiveMetres
    """Distance a within which a displacement stands still, m: above the noise of the sensor."""

    @classmethod
    def suggest(cls, seen: Rehearsal) -> tuple[Suggestion, ...]:
        """Allow three times the way of the rehearsal, and a tenth of the motion at least."""
        if not seen.peak > 0.0:
            return ()
        still = round_up(max(STILL_SHARE * seen.peak, NOISES * seen.noise))
        return suggest_share(cls, seen, {"still": still}, MARGIN, LEAST)

    def block(self, site: Site) -> Block:
        """Yield the block of (2), at rest where the actuator stands."""
        d = site.displacement
        params = P.pack(**self.bounds, still=self.still, outwards=self.outwards)
        states = X.pack(measured=d, command=d, last=d, begun=1)
        return Block(step, params, states, outputs=2, counters=[X.begun])
