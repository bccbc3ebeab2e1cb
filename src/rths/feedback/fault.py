"""A sensor that fails: from a time on it is stuck, drifts, jumps, or its samples go astray.

    stuck   y = s(t_0)                       drift   y = s + a (t - t_0)                       (1)
    jump    y = s + a                        nan     y is not a number
    lost    each sample is lost with the chance a, and the one before is used again           (2)
    late    each sample is up to a seconds old, by chance, as over a network                   (3)

Samples that were lost in a row are reported as missed. Use it to see what a loop and its guards do
with a fault before a rig shows it to them.
"""

from __future__ import annotations

from math import nan
from typing import Literal

import numpy as np

from rths.errors import InputError
from rths.feedback._philox import LOW, philox
from rths.feedback.base import Feedback, describe, register
from rths.loop.block import Block, Ring, Vector, kernel, ring_size
from rths.loop.fields import fields, many
from rths.loop.port import Port
from rths.quantity import Duration, Real, Seconds
from rths.site import Site

FAULTS = ("stuck", "drift", "jump", "nan", "lost", "late")
STUCK, DRIFT, JUMP, NAN, LOST, LATE = range(len(FAULTS))
P = fields(
    fault="which of FAULTS",
    first="first tick",
    last="first tick after it",
    size="a: in a tick of a drift, in ticks of late samples",
    seed="first half of the key",
    sensor="second half of the key",
)
X = fields(
    tick="ticks so far",
    sample="last sample that came",
    missed="samples lost in a row",
    newest="place of the newest in the ring",
    ring=many("samples"),
)


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # y = s, missed
    k, fault, ring = int(x[X.tick]), int(p[P.fault]), x[X.ring :]
    mask = ring.size - 1
    x[X.tick] += 1.0
    at = k & mask
    ring[at], x[X.newest] = u[0], at
    y[0], missed = u[0], 0.0
    if p[P.first] <= k < p[P.last]:
        a, _, _, _ = philox(k & LOW, k >> 32, int(p[P.seed]), int(p[P.sensor]))
        chance = (a + 0.5) * 2.0**-32
        if fault == STUCK:
            y[0] = x[X.sample]
        elif fault == DRIFT:
            y[0] = u[0] + p[P.size] * (k - p[P.first])  # (1)
        elif fault == JUMP:
            y[0] = u[0] + p[P.size]
        elif fault == NAN:
            y[0] = nan
        elif fault == LOST and chance < p[P.size]:
            y[0], missed = x[X.sample], x[X.missed] + 1.0  # (2)
        elif fault == LATE:
            y[0] = ring[(k - int(chance * (p[P.size] + 1.0))) & mask]  # (3)
    if fault != NAN:
        x[X.sample] = y[0]
    x[X.missed] = missed
    if y.size > 1:
        y[1] = missed


@register
@describe
class Fault(Feedback):
    """One fault of the force or the displacement sensor."""

    ports = (Port("missed"),)
    example = {"fault": "lost", "start": 0.1, "size": 0.5}

    fault: Literal["stuck", "drift", "jump", "nan", "lost", "late"]
    """What happens."""
    start: Seconds
    """Time at which it begins, s."""
    size: Real = 0.0
    """How much a: N or m for a jump, in a second for a drift, a chance for lost, s for late."""
    duration: Duration | None = None
    """How long it lasts, s; to the end if not given."""
    sensor: Literal["force", "displacement"] = "force"
    """Which sensor fails."""

    def __post_init__(self) -> None:
        """Refuse a chance that is none, and samples from the future."""
        highest = 1.0 if self.fault == "lost" else float("inf")
        if self.fault in ("lost", "late") and not 0 <= self.size <= highest:
            remedy = "Give a chance from 0 to 1, or a time of 0 or more."
            raise InputError("feedback.size", self.size, f"is no size of {self.fault}", remedy)

    def displacement_block(self, site: Site) -> Block | None:
        """Yield the faulty displacement sensor; None if the other one fails."""
        if self.sensor == "force":
            return None
        return self._block(site, site.displacement, 1)

    def block(self, site: Site) -> Block:
        """Yield the faulty force sensor; one in good order reports that nothing is missed."""
        if self.sensor == "displacement":
            nothing = P.pack(fault=JUMP, first=0, last=0, size=0, seed=0, sensor=0)
            states = X.pack(tick=0, sample=0, missed=0, newest=0, ring=np.zeros(ring_size(2)))
            return Block(step, nothing, states, outputs=2)
        return self._block(site, 0.0, 2)

    def _block(self, site: Site, rest: float, outputs: int) -> Block:
        h = site.tick
        size = {"drift": self.size * h, "late": round(self.size / h)}.get(self.fault, self.size)
        first = round(self.start / h)
        last = float("inf") if self.duration is None else first + round(self.duration / h)
        ring = ring_size(int(size) + 2 if self.fault == "late" else 2)
        params = P.pack(
            fault=FAULTS.index(self.fault),
            first=first,
            last=last,
            size=size,
            seed=site.seed & LOW,
            sensor=outputs,
        )
        states = X.pack(tick=0, sample=rest, missed=0, newest=0, ring=np.full(ring, rest))
        rings, counters = [Ring(X.ring, ring, X.newest)], [X.tick, X.missed]
        return Block(step, params, states, outputs, rings, counters)
