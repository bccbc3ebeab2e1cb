"""A signal with the wrong sign: it moves against what it should move with.

    s' = s - mean(s),  r' = r - mean(r),   all means over about the last w seconds
    value = - mean(s' r') / sqrt( mean(s'²) mean(r'²) ),   0 while mean(r'²) < a²              (1)

In good order the value is near -1, with a cable or a calibration the wrong way round near 1; a
signal that has nothing to do with the reference gives 0. Use it on the displacement with the
command as reference, and on the force of a spring with the displacement. Missed replies leave the
means as they are.
"""

from __future__ import annotations

from math import exp, sqrt
from typing import Any, ClassVar

from rths.guard._rehearsal import NEVER, Rehearsal, Suggestion, round_up
from rths.guard.base import BOUNDS, Guard, describe, judge, register
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields
from rths.quantity import Duration, PositiveMetres
from rths.site import Site

LEVEL = 0.5
"""Suggested level: a signal that moves with its reference comes to 1, one with noise alone to 0."""
FOLLOWS = 0.2
"""Largest value of a rehearsal in which a signal moves with its reference: the force of a dashpot
does not move with the displacement and comes to 0, to either side."""
PAIRS = (
    ("feedback.displacement", "safety.command"),
    ("feedback.force", "feedback.displacement"),
)
"""Signals that are suggested, each with its reference."""
QUIET = 0.1
"""Suggested a as a share of the largest motion."""
P = fields(**BOUNDS.meaning, of_now="share of a sample in a mean", quiet="a², m²")
X = fields(
    signal="mean of s",
    reference="mean of r, m",
    product="mean of s' r'",
    signal_square="mean of s'²",
    reference_square="mean of r'², m²",
    begun="whether there was a sample",
)


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # u = s, r, replies missed in a row
    q = p[P.of_now]
    if x[X.begun] == 0.0:
        x[X.signal], x[X.reference], x[X.begun] = u[0], u[1], 1.0
    if not u[2] > 0.0:
        x[X.signal] += q * (u[0] - x[X.signal])
        x[X.reference] += q * (u[1] - x[X.reference])
        s, r = u[0] - x[X.signal], u[1] - x[X.reference]
        x[X.product] += q * (s * r - x[X.product])
        x[X.signal_square] += q * (s * s - x[X.signal_square])
        x[X.reference_square] += q * (r * r - x[X.reference_square])
    value, both = 0.0, x[X.signal_square] * x[X.reference_square]
    if x[X.reference_square] >= p[P.quiet] and both > 0.0:
        value = -x[X.product] / sqrt(both)  # (1)
    judge(value, p, y)


@register
@describe
class SignFlip(Guard):
    """Bound on how much a signal moves against its reference."""

    example = {"signal": "feedback.displacement", "quiet": 1e-4, "window": 0.5, "trip": 0.5}

    one_sided: ClassVar[bool] = True

    signal: str
    """The signal, measured displacement or force."""
    quiet: PositiveMetres
    """Root mean square a of the reference below which nothing counts, m."""
    window: Duration
    """Time w over which means are taken, s: about a period of the motion."""
    reference: str = "safety.command"
    """What it should move with; feedback.displacement for a force."""
    missed: str = "hardware.missed"
    """The signal that counts missed replies."""

    @property
    def watches(self) -> tuple[str, ...]:
        """Name signal, reference and missed replies."""
        return (self.signal, self.reference, self.missed)

    @classmethod
    def suggest(cls, seen: Rehearsal) -> tuple[Suggestion, ...]:
        """Watch what moves with its reference, at a level between with and against."""
        if not seen.peak > 0.0:
            return ()
        quiet, window = round_up(QUIET * seen.peak), round_up(seen.period)
        found = []
        for signal, reference in PAIRS:
            given: dict[str, Any] = {
                "signal": signal,
                "reference": reference,
                "quiet": quiet,
                "window": window,
            }
            if seen.furthest(cls(warn=NEVER, **given)) <= FOLLOWS:
                reason = "1 is a sensor the wrong way round, -1 one in good order"
                found.append(seen.suggestion(cls, given, LEVEL, reason))
        return tuple(found)

    def block(self, site: Site) -> Block:
        """Yield the block of (1)."""
        of_now = 1 - exp(-site.interval / self.window)
        params = P.pack(**self.bounds, of_now=of_now, quiet=self.quiet**2)
        return Block(step, params, len(X), outputs=2, counters=[X.begun])
