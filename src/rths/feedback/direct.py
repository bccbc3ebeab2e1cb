"""Ideal sensors: what is measured is what is there.

f_m(t) = f(t)                                                                            (1)
"""

from __future__ import annotations

from rths.feedback.base import Feedback, describe, register
from rths.loop.block import Block
from rths.site import Site


@register
@describe
class Direct(Feedback):
    """No noise, no filter, no quantisation."""

    example = {}

    def block(self, site: Site) -> Block | None:
        """Yield nothing: the measured force is the force."""
        return None
