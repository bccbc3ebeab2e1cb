"""Sobol's sequence with a random scrambling: points that fill the cube more evenly than chance.

[sobol1967] USSR Comput. Math. Math. Phys. 7(4), 86-112; [owen1998] J. Complexity 14(4), 466-489.
"""

from __future__ import annotations

import threading
import warnings
from dataclasses import dataclass

import numpy as np
from scipy.stats import qmc

from rths.errors import InputError
from rths.loop.block import Vector
from rths.sweep.points.base import Design

BITS = 30
"""Bits of a point: the sequence has 2 to this power of them."""


@dataclass(frozen=True)
class Sobol(Design):
    """A scrambled Sobol sequence; a power of two is the best number of runs."""

    @property
    def size(self) -> int:
        """Number of points."""
        if super().size > 1 << BITS:
            raise InputError("runs", self.runs, "is beyond the sequence", f"At most 2^{BITS}.")
        return super().size

    def shares(self, first: int, count: int) -> Vector:
        """Give the points of a stretch."""
        return draw_sobol(len(self.variables), self.seed, first, count)


_places = threading.local()
"""Where the sequences of a thread stand: to go on costs nothing, to start anew all before it."""


def draw_sobol(width: int, seed: int, first: int, count: int) -> Vector:
    """Draw points of the sequence from one on."""
    known = vars(_places).setdefault("sequences", {})
    sequence = known.pop((width, seed), None)
    if sequence is None or sequence.num_generated > first:
        sequence = qmc.Sobol(width, scramble=True, bits=BITS, rng=np.random.default_rng(seed))
    known.clear()
    known[width, seed] = sequence
    if first > sequence.num_generated:
        sequence.fast_forward(first - sequence.num_generated)
    with warnings.catch_warnings():  # that a stretch is no power of two is no fault
        warnings.simplefilter("ignore", UserWarning)
        return np.asarray(sequence.random(count))


DESIGN = Sobol
