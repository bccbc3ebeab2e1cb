"""Heartbeat of the supervisor: who looks after the loop must show that it is alive.

    value = seconds since the supervisor's last beat                                          (1)

A virtual test has no supervisor, and the value is 0.
"""

from __future__ import annotations

from rths.guard.base import describe, register
from rths.guard.limit import Limit


@register
@describe
class Heartbeat(Limit):
    """Bounds on the supervisor's silence."""

    example = {"trip": 0.5}
    watches_supervisor = True

    signal: str = "realtime.silence"
    """The signal that measures it, s."""
