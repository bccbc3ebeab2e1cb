"""Loss of the link to the rig.

    value = samples in a row for which nothing new came from the rig                          (1)

In a test without a rig nothing is missed. Its own time-out makes the rig safe when the loop is
silent; this guard does the same the other way round.
"""

from __future__ import annotations

from rths.guard.base import describe, register
from rths.guard.limit import Limit


@register
@describe
class Link(Limit):
    """Bounds on missed samples."""

    example = {"trip": 10}

    signal: str = "hardware.missed"
    """The signal that counts them."""
