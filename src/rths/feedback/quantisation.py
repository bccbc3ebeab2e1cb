"""Quantisation: an analogue-to-digital converter of b bits over a range of ± R.

    v_m = q round(v/q),   q = 2R/2^b,   -R <= v_m <= R - q                                      (1)

The error is at most q/2 within the range and, for a moving signal, like white noise of standard
deviation q/√12; beyond the range the reading saturates.

Use it to choose the range of load cell and transducer: 16 bits of ± 4540 N are 0.14 N.

[widrow2008]; [carrion2006] (16 bits).
"""

from __future__ import annotations

from typing import Annotated

from rths.feedback.base import Feedback, describe, register
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields
from rths.quantity import PositiveMetres, PositiveNewtons, Range
from rths.site import Site

Bits = Annotated[int, Range("1", "a whole number", low=1, high=32, whole=True)]
WHOLE = 1.5 * 2.0**52
"""Added and taken away again it rounds any number below 2^51 to a whole one; a NaN stays one."""

P = fields(unit="q", lowest="lowest code", highest="highest code")


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    q = p[P.unit]
    n = (u[0] / q + WHOLE) - WHOLE  # (1)
    if n < p[P.lowest]:
        n = p[P.lowest]
    elif n > p[P.highest]:
        n = p[P.highest]
    y[0] = n * q


@register
@describe
class Quantisation(Feedback):
    """Converter of the force, the displacement or both; what has no range stays as it is."""

    cites = ("widrow2008", "carrion2006")
    example = {"force_range": 100.0}

    bits: Bits = 16
    """Bits b of the converter."""
    force_range: PositiveNewtons | None = None
    """Range R of the force, N."""
    displacement_range: PositiveMetres | None = None
    """Range R of the displacement, m."""

    def displacement_block(self, site: Site) -> Block | None:
        """Yield the block of (1) for the displacement."""
        return self._block(self.displacement_range)

    def block(self, site: Site) -> Block | None:
        """Yield the block of (1) for the force."""
        return self._block(self.force_range)

    def _block(self, limit: float | None) -> Block | None:
        if limit is None:
            return None
        half = 2.0 ** (self.bits - 1)
        return Block(step, P.pack(unit=limit / half, lowest=-half, highest=half - 1))
