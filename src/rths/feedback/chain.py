"""Feedbacks in series: each takes what the one before has made of force and displacement.

f_0 = f,   f_i = link_i(f_(i-1))                                                          (1)

The order matters: a converter behind a filter sees less noise than one before it. Each link has
random numbers of its own.

Use it to build a measuring chain: noise, filter, quantisation, then optimal feedback or a
substructuring ratio.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

from rths.errors import InputError
from rths.feedback.base import Feedback, describe, register
from rths.loop.block import Block
from rths.registry import build_nested
from rths.site import Site


@register
@describe
class Chain(Feedback):
    """Several feedbacks, from the specimen to the structure."""

    example = {
        "links": [
            {"kind": "filter", "edge": 60.0, "order": 4, "displacement": True},
            {"kind": "quantisation", "force_range": 100.0},
        ]
    }

    links: tuple[dict[str, Any], ...]
    """The feedbacks in their order, each as a table of its own: kind and fields."""

    def __post_init__(self) -> None:
        """Check the tables."""
        if not self.links:
            raise InputError("feedback.links", [], "is empty", "Use direct for ideal sensors.")
        told = [port.name for link in self.members for port in link.ports]
        twice = sorted({name for name in told if told.count(name) > 1})
        if twice:
            raise InputError(
                "feedback.links",
                [link.kind for link in self.members],
                f"writes {', '.join(twice)} twice",
                "Use such a link once in a chain.",
            )

    @cached_property
    def members(self) -> tuple[Feedback, ...]:
        """The links as descriptions; a chain within a chain is taken apart."""
        found: list[Feedback] = []
        for i, table in enumerate(self.links):
            found += build_nested("feedback", table, f"feedback.links.{i}", True).series
        return tuple(found)

    @property
    def series(self) -> tuple[Feedback, ...]:
        """Give the links."""
        return self.members

    def block(self, site: Site) -> Block | None:
        """Yield nothing: the loop takes the blocks of the links."""
        return None
