"""Blocks that do not answer to a motion next to nothing, such as a quantiser.

    y(2^-60) = y(0) but y(A) ≠ y(0), A the least power of two;  gain at large: y(1024 A)/1024 A  (1)

A derivative at rest would say that the loop is open there. For motions well above the threshold the
block is its gain at large, with a bounded error; that gain takes its place when roots are sought.
"""

from __future__ import annotations

import numpy as np

from rths.assembly.hybrid_test import CHANNEL_ROLES
from rths.loop.wiring import Placed

ABOVE = 1024.0
"""Factor of (1): an error of half a step of the threshold is then below 0.1 % of the gain."""


def gain_at_large(placed: Placed) -> float | None:
    """Gain of a block that is flat at rest and has neither memory nor several inputs, else None."""
    block = placed.block
    one = block.states.size == 0 and block.outputs == 1 and len(placed.inputs) == 1
    if not one or placed.role not in CHANNEL_ROLES:
        return None

    def answer(u: float) -> float:
        y = np.zeros(1)
        block.kernel(np.zeros(0), block.params, np.array([u]), y)
        return float(y[0])

    u, rest = 2.0**-60, answer(0.0)
    if answer(u) != rest or answer(1.0) == rest == answer(2.0**60):
        return None
    while answer(u) == rest:
        u *= 2
    return (answer(ABOVE * u) - rest) / (ABOVE * u)
