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
    w, d, m = p[P.weights :], x[X.targets :], int(p[P.spacing])
    place, mask = x.view(np.int64), d.size - 1
    k = (place[X.newest] + 1) & mask
    d[k] = u[0]
    place[X.newest] = k
    s = w[0] * u[0]
    for i in range(1, w.size):
        s += w[i] * d[(k - i * m) & mask]  # (1)
    y[0] = s


def past_block(weights: Sequence[float] | Vector, spacing: int, rest: float) -> Block:
    """Yield the block of (1), with a history at rest."""
    size = ring_size((len(weights) - 1) * spacing + 1)
    params = P.pack(spacing=spacing, weights=weights)
    states = X.pack(newest=0, targets=np.full(size, rest))
    return Block(step, params, states, rings=[Ring(X.targets, size, X.newest)])
