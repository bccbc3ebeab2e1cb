"""A limit on the acceleration of a displacement that is measured, noise and gaps included.

    value = acceleration of a parabola through the last N samples                                (1)

Use it on what a sensor says, where a plain difference is mostly noise; a command has none and is
better looked at by the guard acceleration.
"""

from __future__ import annotations

from rths.guard._fitted_motion import FittedMotion
from rths.guard.base import describe, register
from rths.loop.block import Block
from rths.site import Site


@register
@describe
class MeasuredAcceleration(FittedMotion):
    """Bounds on the acceleration of a measured displacement."""

    example = {"signal": "transfer.displacement", "warn": 0.1, "trip": 50.0}

    def block(self, site: Site) -> Block:
        """Yield the block of (1)."""
        return self.fitted(site, 2)
