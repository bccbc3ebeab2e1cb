"""Latin hypercube: of n equal parts of each variable every one is met once.

    u_ij = (π_j(i) + r_ij)/n                                                                   (1)

π_j are permutations of 0…n-1, r_ij random within the part. A permutation is not kept: it is a
network of four rounds that mixes the upper and the lower half of the bits of i (a cipher of Luby
and Rackoff), repeated until the result is below n, so that a billion points need no memory.

[mckay1979] Technometrics 21(2), 239-245; [luby1988] SIAM J. Comput. 17(2), 373-386.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rths.loop.block import Vector
from rths.sweep.points.base import Design
from rths.sweep.points.random import Random

ROUNDS = 4
Words = NDArray[np.uint64]


@dataclass(frozen=True)
class LatinHypercube(Design):
    """Stratified in each variable."""

    def shares(self, first: int, count: int) -> Vector:
        """Give (1) for a stretch."""
        within = Random(self.variables, self.runs, self.seed).shares(first, count)
        i, n = np.arange(first, first + count, dtype=np.uint64), self.size
        parts = [permute(i, n, self.seed, j) for j in range(len(self.variables))]
        return (np.column_stack(parts).astype(float) + within) / n


def permute(i: Words, size: int, seed: int, number: int) -> Words:
    """Give π(i) of a permutation of 0…size-1, one for each seed and number."""
    half = max(1, -(-(size - 1).bit_length() // 2))
    keys = np.random.default_rng([seed, number, size]).integers(1 << 63, size=ROUNDS)
    found, todo = _mix(i, half, keys), np.ones(i.shape, bool)
    while (todo := found >= size).any():
        found[todo] = _mix(found[todo], half, keys)
    return found


def _mix(i: Words, half: int, keys: NDArray[np.int64]) -> Words:
    mask = np.uint64((1 << half) - 1)
    left, right = i >> np.uint64(half), i & mask
    for key in keys.astype(np.uint64):
        left, right = right, left ^ (_scramble(right + key) & mask)
    return np.asarray((left << np.uint64(half)) | right)


def _scramble(x: Words) -> Words:
    """Spread each bit over all of them (the last step of splitmix64)."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


DESIGN = LatinHypercube
