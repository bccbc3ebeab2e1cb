"""A limit on the second difference of a signal.

    value = (s_k - 2 s_(k-1) + s_(k-2)) / T²,   0 at the first two samples                     (1)

On a displacement it is the acceleration; it sees a kink that a limit on the velocity lets pass. A
target, a command or a measured displacement has rested where the test begins: (1) counts from its
first sample on.
"""

from __future__ import annotations

from rths.guard._second_difference import SecondDifference
from rths.guard.base import describe, register
from rths.loop.block import Block
from rths.site import Site


@register
@describe
class Acceleration(SecondDifference):
    """Bounds on the acceleration of a signal."""

    example = {"signal": "compensator.command", "warn": 0.1, "trip": 1000.0}
    derivative = 2

    def block(self, site: Site) -> Block:
        """Yield the block of (1)."""
        return self.second_difference(site, site.interval * site.interval)
