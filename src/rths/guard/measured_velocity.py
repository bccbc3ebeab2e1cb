"""A limit on the velocity of a displacement that is measured, noise and gaps included.

    value = velocity of a parabola through the last N samples                                (1)

Use it on what a sensor says, where a plain difference is mostly noise; a command has none and is
better looked at by the guard rate.
"""

from __future__ import annotations

from rths.guard._fitted_motion import FittedMotion
from rths.guard.base import describe, register


@register
@describe
class MeasuredVelocity(FittedMotion):
    """Bounds on the velocity of a measured displacement."""

    example = {"signal": "transfer.displacement", "warn": 0.001, "trip": 0.5}

    order = 1
