"""Limits stop the test when a signal leaves them.

    lower_i <= u_i <= upper_i   or the step answers with code i + 1                            (1)

It is written so that a NaN fails too. Limits that nobody set are the largest finite numbers, so
that infinity stops the test as well. Limits are a block like any other: where it stands in the
loop is when it looks, on the command before it leaves and on each measurement as it comes in.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rths.loop.block import FINITE, Block, Vector, kernel
from rths.loop.fields import fields
from rths.loop.halt import Halt
from rths.loop.stop import Stop

P = fields(lower="lower", upper="upper")
"""Parameters of one signal; those of the next follow."""


@kernel
def check_limits(x: Vector, p: Vector, u: Vector, y: Vector) -> int:
    for i in range(u.size):
        own = len(P) * i
        if not (p[own + P.lower] <= u[i] <= p[own + P.upper]):  # (1)
            return i + 1
    return 0


def limits_block(limits: Sequence[tuple[float, float]]) -> Block:
    """Limit as many signals as there are pairs (lower, upper)."""
    params = [P.pack(lower=lower, upper=upper) for lower, upper in limits]
    return Block(check_limits, np.ravel(params), outputs=0, explains=explain_limit)


def explain_limit(halt: Halt) -> Stop:
    """Say which signal left which limit, and with which value."""
    i = halt.code - 1
    slot = halt.placed.inputs[i]
    name, value = halt.layout.slot_name(slot), float(halt.arena[slot])
    found = {"signal": name, "value": value, "block": halt.placed.label}
    if not np.isfinite(value):
        return halt.stop("not finite", f"stopped {halt.when}: {name} is {value}", **found)
    low, high = halt.placed.block.params[len(P) * i :][: len(P)].tolist()
    side = f"above its limit {high:g}" if value > high else f"below its limit {low:g}"
    text = f"stopped {halt.when}: {name} = {value:.6g} is {side}"
    limit = (max(low, -FINITE), min(high, FINITE))
    return halt.stop("limit", text, limit=limit, **found)
