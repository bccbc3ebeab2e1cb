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
from rths.loop.site import Site
from rths.quantity import Duration, Hertz, Positive


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # p = bounds, b0, a1, a2 of the filter b0 (1 - z^-2)/(1 + a1 z^-1 + a2 z^-2), decay of m_w and
    #     m_p in a sample, a²;   x = last two samples, last two of b, m_w, m_p, begun
    if x[6] == 0.0:
        x[0], x[1], x[6] = u[0], u[0], 1.0
    b = p[BOUNDS] * (u[0] - x[1]) - p[BOUNDS + 1] * x[2] - p[BOUNDS + 2] * x[3]
    x[1] = x[0]
    x[0] = u[0]
    x[3] = x[2]
    x[2] = b
    x[4] += p[BOUNDS + 3] * (b * b - x[4])  # (1)
    x[5] += p[BOUNDS + 4] * (b * b - x[5])
    judge(sqrt(x[4] / max(x[5], p[BOUNDS + 5])), p, y)  # (2)


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
        filter_ = [alpha / (1 + alpha), -2 * cos(w) / (1 + alpha), (1 - alpha) / (1 + alpha)]
        decay = [1 - exp(-T / self.window), 1 - exp(-T / self.past)]
        params = [*self.bounds, *filter_, *decay, self.floor * self.floor]
        return Block(step, params, 7, outputs=2, counters=(6,))
