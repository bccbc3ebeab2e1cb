"""Whether a loop that rests is another one later: a delay that swings, a fault that begins or ends.

    x(t + w) - x(t) = x(t + 2 w) - x(t + w) ≠ 0   of a state that is no motion: it counts        (1)

What counts while nothing moves may act later, declared or not: such a loop is pushed at many times,
and what was seen at one of them foretells nothing about another. Counters of what drives, disturbs
or injects are none of the loop's own, and a phase that goes round is not seen.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from rths.loop.block import Vector
from rths.stability.rehearsal import FADE_OUT, PULSE, Rehearsal

SAME = 1e-9
"""Share within which two steps of a counter are equal."""
OUTSIDE = ("excitation", "safety", PULSE, FADE_OUT)
"""Roles that are not part of the quiet loop."""


def has_own_time(rehearsal: Rehearsal, rest: Vector, window: int) -> bool:
    """Tell whether (1) holds of a state of the loop at rest, over two windows."""
    states = [rest]
    for _ in range(2):
        states.append(rehearsal.run(states[-1], window, quiet=True, noise=False).state)
    with np.errstate(invalid="ignore"):
        first, second = (b - a for a, b in pairwise(states))
        counts = (first != 0) & (np.abs(second - first) <= SAME * np.abs(first))
    return bool(np.any(counts & _mark_loop(rehearsal)))


def _mark_loop(rehearsal: Rehearsal) -> Vector:
    """Mark the states of blocks that belong to the loop, without places in rings."""
    first = rehearsal.layout.bus
    own = np.zeros(rehearsal.slots.size, bool)
    for p in rehearsal.layout.placed:
        n = p.block.states.size
        if p.role not in OUTSIDE and not p.block.injects:
            own[first : first + n] = True
            own[[first + ring.position for ring in p.block.rings]] = False
        first += n
    return own
