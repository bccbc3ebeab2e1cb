"""A displacement that is frozen: it stands still while the command turns back and goes on.

    value = way of the command inwards, past x_m, while |x_m - x_0| <= a                      (1)

Sensor or actuator may be the cause. An actuator at the end of its reach stands still too, but then
the command is further out: that is a saturation. Unlike a stuck sensor the displacement may still
have noise on it. A motion in good order with velocity v and delay τ stands still at its turning
points only, where the command goes little further than a. What ``rths guards`` suggests allows
three times the value of the rehearsal.
"""

from __future__ import annotations

from rths.guard._standstill import Standstill
from rths.guard.base import describe, register


@register
@describe
class FrozenDisplacement(Standstill):
    """Bound on the way inwards of a command that nothing follows."""

    example = {"still": 1e-4, "trip": 0.002}

    outwards = -1.0
