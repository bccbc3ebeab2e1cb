"""Whether a loop that rests is another one later: a delay that swings, a fault that begins or ends.

    x(t + w) - x(t) = x(t + 2 w) - x(t + w) = ... ≠ 0   of a state, within SAME: it counts       (1)

What counts while nothing moves may act later, declared or not: such a loop is pushed at many times,
and what was seen at one of them foretells nothing about another. So may a phase that goes round
slowly, of which one of two states counts for a while; one that goes round in less than some hundred
windows is met by pushes at all times of it. Counters of what drives, disturbs or injects are none
of the loop's own.
"""

from __future__ import annotations

import numpy as np

from rths.loop.block import Vector
from rths.stability.rehearsal import FADE_OUT, PULSE, Rehearsal

SAME, WINDOWS = 0.01, 3
"""Share within which the steps of a counter are equal, and windows that are compared: a motion that
decays does so by a tenth in a window with 1 % of damping."""
OUTSIDE = ("excitation", "safety", PULSE, FADE_OUT)
"""Roles that are not part of the quiet loop."""


def has_own_time(rehearsal: Rehearsal, rest: Vector, window: int) -> bool:
    """Tell whether (1) holds of a state of the loop at rest, over some windows."""
    states = [rest]
    for _ in range(WINDOWS):
        states.append(rehearsal.run(states[-1], window, quiet=True, noise=False).state)
    with np.errstate(invalid="ignore"):
        steps = np.diff(states, axis=0)
        alike = np.abs(np.diff(steps, axis=0)).max(axis=0) <= SAME * np.abs(steps[0])
    return bool(np.any(alike & (steps[0] != 0) & _mark_loop(rehearsal)))


def _mark_loop(rehearsal: Rehearsal) -> Vector:
    """Mark the states of blocks that belong to the loop, without places in rings.

    Laws that adapt are not marked: what they do at rest is asked of them by themselves.
    """
    first, laws = rehearsal.layout.bus, rehearsal.test.descriptions("compensator")
    own = np.zeros(rehearsal.slots.size, bool)
    for p in rehearsal.layout.placed:
        n = p.block.states.size
        law = p.role == "compensator" and not p.owner.part and laws[p.owner.channel or 0].adapts
        if p.role not in OUTSIDE and not p.block.injects and not law:
            own[first : first + n] = True
            own[[first + ring.position for ring in p.block.rings]] = False
        first += n
    return own
