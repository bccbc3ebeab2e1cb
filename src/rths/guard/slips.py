"""Slips: periods that the loop has lost because a tick came late.

    value = whole periods slipped so far                                                      (1)

In a virtual test there are none.
"""

from __future__ import annotations

from rths.guard.base import describe, register
from rths.guard.limit import Limit


@register
@describe
class Slips(Limit):
    """Bounds on slipped periods."""

    example = {"warn": 1, "trip": 100}

    signal: str = "realtime.slips"
    """The signal that counts them."""
