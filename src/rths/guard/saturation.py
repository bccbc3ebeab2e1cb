"""An actuator that saturates: it stands still while the command goes further out.

    value = way of the command outwards while |x_m - x_0| <= a                                (1)

A stroke, a valve or a pressure is at its end. When the command comes back the displacement follows
it again: one that does not is frozen. A rig that says itself that it saturates is heard by
rig_status.
"""

from __future__ import annotations

from rths.guard._standstill import Standstill
from rths.guard.base import describe, register


@register
@describe
class Saturation(Standstill):
    """Bound on the way outwards of a command that nothing follows."""

    example = {"still": 1e-4, "trip": 0.002}

    outwards = 1.0
