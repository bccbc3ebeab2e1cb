"""Growth of high-frequency content: an oscillation that is about to take over.

    b = band-pass of s,   m_T' = (b² - m_T)/T                                                  (1)
    value = sqrt( m_w / max(m_p, a²) )                                                        (2)

m_w is the mean square over the last w seconds, m_p over a longer past p, a an amplitude below which
nothing counts. A steady oscillation gives 1; one that grows like exp(σt) gives, whatever its size,

    value = sqrt( (1 + 2σp) / (1 + 2σw) )                                                      (3)

so that a level is a rate of growth. Use it on the command or the force, with a band that begins
above the motion that is wanted.
"""

from __future__ import annotations

from math import cos, exp, pi, sin, sqrt
from typing import ClassVar

from rths.errors import InputError
from rths.guard.base import BOUNDS, Guard, describe, judge, register
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields
from rths.quantity import Duration, Hertz, Positive
from rths.site import Site

P = fields(
    **BOUNDS.meaning,
    b0="b0 of the filter b0 (1 - z^-2)/(1 + a1 z^-1 + a2 z^-2)",
    a1="a1 of the filter",
    a2="a2 of the filter",
    of_now="share of a sample in m_w",
    of_past="share of a sample in m_p",
    floor="a²",
)
X = fields(
    last="s_k-1",
    before="s_k-2",
    band="b_k-1",
    band_before="b_k-2",
    now="m_w",
    past="m_p",
    begun="whether there was a sample",
)


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    if x[X.begun] == 0.0:
        x[X.last], x[X.before], x[X.begun] = u[0], u[0], 1.0
    b = p[P.b0] * (u[0] - x[X.before]) - p[P.a1] * x[X.band] - p[P.a2] * x[X.band_before]
    x[X.before] = x[X.last]
    x[X.last] = u[0]
    x[X.band_before] = x[X.band]
    x[X.band] = b
    x[X.now] += p[P.of_now] * (b * b - x[X.now])  # (1)
    x[X.past] += p[P.of_past] * (b * b - x[X.past])
    judge(sqrt(x[X.now] / max(x[X.past], p[P.floor])), p, y)  # (2)


@register
@describe
class HighFrequency(Guard):
    """Bound on how fast the content of a band grows."""

    example = {
        "signal": "feedback.force",
        "lowest": 10.0,
        "highest": 100.0,
        "floor": 0.1,
        "warn": 1.5,
    }

    one_sided: ClassVar[bool] = True

    signal: str
    """The signal to listen to."""
    lowest: Hertz
    """Lower end of the band, Hz."""
    highest: Hertz
    """Upper end of the band, Hz."""
    floor: Positive
    """Root mean square a below which nothing counts, in the unit of the signal."""
    window: Duration = 0.25
    """Time w of the present, s."""
    past: Duration = 2.5
    """Time p of the past, s."""

    def __post_init__(self) -> None:
        """Refuse a band or times that are upside down."""
        super().__post_init__()
        if not self.lowest < self.highest:
            remedy = "Give a frequency above it as highest."
            raise InputError("guard.lowest", self.lowest, "is not below highest", remedy)
        if not self.window < self.past:
            remedy = "Give a longer past."
            raise InputError("guard.window", self.window, "is not shorter than the past", remedy)

    @property
    def watches(self) -> tuple[str, ...]:
        """Name the signal."""
        return (self.signal,)

    def block(self, site: Site) -> Block:
        """Yield the block of (1) and (2): a resonator between the ends of the band."""
        T = site.interval
        middle = sqrt(self.lowest * self.highest)
        if 2 * middle * T >= 1:
            problem = f"is in the middle of a band beyond half of {1 / T:g} samples a second"
            raise InputError("guard.highest", self.highest, problem, "Lower the band.")
        w = 2 * pi * middle * T
        alpha = 0.5 * sin(w) * (self.highest - self.lowest) / middle
        params = P.pack(
            **self.bounds,
            b0=alpha / (1 + alpha),
            a1=-2 * cos(w) / (1 + alpha),
            a2=(1 - alpha) / (1 + alpha),
            of_now=1 - exp(-T / self.window),
            of_past=1 - exp(-T / self.past),
            floor=self.floor * self.floor,
        )
        return Block(step, params, len(X), outputs=2, counters=[X.begun])
