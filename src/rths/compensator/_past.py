"""A command that is a weighted sum of past targets.

u_k = sum_i w_i d_(k-im),   i = 0...n                                                     (1)
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rths.loop.block import Block, Ring, Vector, kernel, ring_size
from rths.loop.fields import fields, many

P = fields(spacing="m, ticks from one target to the next", weights=many("w_0...w_n, newest first"))
X = fields(newest="place of the newest target, a whole number's bits", targets=many("ring of d"))


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # Places are counted from the beginning: a slice would be checked against the size each tick.
    m, mask = int(p[P.spacing]), x.size - X.targets - 1
    place = x.view(np.int64)
    k = (place[X.newest] + 1) & mask
    x[X.targets + k] = u[0]
    place[X.newest] = k
    s = p[P.weights] * u[0]
    for i in range(1, p.size - P.weights):
        s += p[P.weights + i] * x[X.targets + ((k - i * m) & mask)]  # (1)
    y[0] = s


def past_block(weights: Sequence[float] | Vector, spacing: int, rest: float) -> Block:
    """Yield the block of (1), with a history at rest."""
    size = ring_size((len(weights) - 1) * spacing + 1)
    params = P.pack(spacing=spacing, weights=weights)
    states = X.pack(newest=0, targets=np.full(size, rest))
    return Block(step, params, states, rings=[Ring(X.targets, size, X.newest)])
