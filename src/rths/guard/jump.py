"""A sensor that jumps: one sample is far from where the two before lead.

    value = s_k - (2 s_(k-1) - s_(k-2)),   0 at the first two samples                          (1)

A motion that the tick resolves is nearly straight over three samples, so that the level can be far
below its amplitude: a sine of amplitude A stays within A (ωT)². A loose cable does not. A target, a
command or a measured displacement has rested where the test begins: (1) counts from its first
sample on.
"""

from __future__ import annotations

from rths.guard._second_difference import SecondDifference
from rths.guard.base import describe, register
from rths.loop.block import Block
from rths.site import Site


@register
@describe
class Jump(SecondDifference):
    """Bounds on the part of a sample that the two before do not foretell."""

    example = {"signal": "feedback.force", "warn": 0.001, "trip": 10.0}

    def block(self, site: Site) -> Block:
        """Yield the block of (1)."""
        return self.second_difference(site, 1.0)
