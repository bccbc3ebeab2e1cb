"""A guard stops the test when a signal leaves its limits.

    lower_i <= u_i <= upper_i   or the step answers with code i + 1                            (1)

It is written so that a NaN fails too. Limits that nobody set are the largest finite numbers, so
that infinity stops the test as well. A guard is a block like any other: where it stands in the
loop is when it looks, on the command before it leaves and on each measurement as it comes in.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rths.loop.block import Block, Vector, kernel

FINITE = float(np.finfo(float).max)


@kernel
def guard(x: Vector, p: Vector, u: Vector, y: Vector) -> int:
    # p = lower_0, upper_0, lower_1, upper_1, ...
    for i in range(u.size):
        if not (p[2 * i] <= u[i] <= p[2 * i + 1]):  # (1)
            return i + 1
    return 0


def guard_block(limits: Sequence[tuple[float, float]]) -> Block:
    """Guard as many signals as there are pairs (lower, upper)."""
    return Block(guard, params=np.array(limits, float).ravel(), outputs=0)
