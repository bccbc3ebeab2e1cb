"""A limit on the acceleration of a displacement that is measured, noise and gaps included.

    value = acceleration of a parabola through the last N samples                                (1)

Use it on what a sensor says, where a plain difference is mostly noise; a command has none and is
better looked at by the guard acceleration.
"""

from __future__ import annotations

from rths.guard._fitted_motion import FittedMotion
from rths.guard.base import describe, register


@register
@describe
class MeasuredAcceleration(FittedMotion):
    """Bounds on the acceleration of a measured displacement."""

    example = {"signal": "transfer.displacement", "warn": 0.1, "trip": 50.0}

    order = 2
