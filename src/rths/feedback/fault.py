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
from typing import ClassVar, Literal

from rths.errors import InputError
from rths.feedback.base import Feedback, describe, register
from rths.feedback.noise import LOW, philox
from rths.loop.block import Block, Ring, Vector, kernel, ring_size
from rths.loop.site import Site
from rths.quantity import Duration, Real, Seconds

FAULTS = ("stuck", "drift", "jump", "nan", "lost", "late")
OWN_STATES = 3
"""States before the ring."""


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # p = fault, first and last tick, a (by tick for drift, in ticks for late), key (2)
    # x = tick, last sample that came, missed, then ring of samples and its place;   y = s, missed
    k, fault, mask = int(x[0]), int(p[0]), x.size - OWN_STATES - 2
    x[0] += 1.0
    at = k & mask
    x[OWN_STATES + at], x[-1] = u[0], at
    y[0], missed = u[0], 0.0
    if p[1] <= k < p[2]:
        a, _, _, _ = philox(k & LOW, k >> 32, int(p[4]), int(p[5]))
        chance = (a + 0.5) * 2.0**-32
        if fault == 0:
            y[0] = x[1]
        elif fault == 1:
            y[0] = u[0] + p[3] * (k - p[1])  # (1)
        elif fault == 2:
            y[0] = u[0] + p[3]
        elif fault == 3:
            y[0] = nan
        elif fault == 4 and chance < p[3]:
            y[0], missed = x[1], x[2] + 1.0  # (2)
        elif fault == 5:
            y[0] = x[OWN_STATES + ((k - int(chance * (p[3] + 1.0))) & mask)]  # (3)
    if fault != 3:
        x[1] = y[0]
    x[2] = missed
    if y.size > 1:
        y[1] = missed


@register
@describe
class Fault(Feedback):
    """One fault of the force or the displacement sensor."""

    example = {"fault": "lost", "start": 0.1, "size": 0.5}

    reports: ClassVar[tuple[tuple[str, str], ...]] = (("missed", "1"),)

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
            return Block(step, [2.0, 0.0, 0.0, 0.0, 0.0, 0.0], [0.0] * (OWN_STATES + 65), outputs=2)
        return self._block(site, 0.0, 2)

    def _block(self, site: Site, rest: float, outputs: int) -> Block:
        h = site.tick
        size = {"drift": self.size * h, "late": round(self.size / h)}.get(self.fault, self.size)
        first = round(self.start / h)
        last = float("inf") if self.duration is None else first + round(self.duration / h)
        key = [site.seed & LOW, outputs]
        ring = ring_size(int(size) + 2 if self.fault == "late" else 2)
        states = [0.0, rest, 0.0, *[rest] * ring, 0.0]
        return Block(
            step,
            [float(FAULTS.index(self.fault)), first, last, size, *key],
            states,
            outputs,
            rings=[Ring(OWN_STATES, ring, OWN_STATES + ring)],
            counters=(0, 2),
        )
