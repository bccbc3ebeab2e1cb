"""Independent random points, in blocks that each have a stream of their own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rths.loop.block import Vector
from rths.sweep.points.base import Design

BLOCK = 1024
"""Points of one stream: what comes before a point within its block is drawn with it."""


@dataclass(frozen=True)
class Random(Design):
    """Plain Monte Carlo."""

    def shares(self, first: int, count: int) -> Vector:
        """Draw the points of a stretch."""
        blocks = range(first // BLOCK, -(-(first + count) // BLOCK))
        drawn = [_draw_block(self.seed, b, len(self.variables)) for b in blocks]
        start = first - blocks.start * BLOCK
        return np.concatenate(drawn)[start : start + count]


def _draw_block(seed: int, block: int, width: int) -> Vector:
    return np.random.default_rng([seed, block]).random((BLOCK, width))


DESIGN = Random
