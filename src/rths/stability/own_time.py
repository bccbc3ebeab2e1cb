"""Whether a loop that rests is another one later: a delay that swings, a fault that begins or ends.

    x(t + w) ≠ x(t)   of a state that is the same to the last bit if the loop is pushed          (1)
    d_2 > d_1 exp(-w/LASTS),   d_k > UNMOVED times what the push changes,   d_k: change of a
              state in window k                                                                  (2)

What goes on by itself, whatever the loop does, is a clock: it counts, or goes round, and may act
later, declared or not. What decays, learns or swings answers a push. Oil that warms by itself
answers too, but hardly: by (2) it is a clock as well, as it goes on for minutes. A loop with a
clock is pushed at many times, and what was seen at one of them foretells nothing about another.
Clocks of what drives, disturbs or injects are none of the loop's own; what a law has learnt fades
in its own way (`other_ends`).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rths.loop.block import Vector
from rths.stability.rehearsal import FADE_OUT, PULSE, Pulse, Rehearsal

WINDOWS = 2
"""Windows that are compared."""
PUSHED = 0.01
"""Part of a motion by which the loop is pushed, about: what answers at all differs by that."""
LASTS, UNMOVED = 60.0, 1e4
"""Time, s, for which a change goes on that is none of the motion's, and how many times as far as a
push moves it: what a motion has left answers by a hundredth of itself."""
OUTSIDE = ("excitation", "safety", PULSE, FADE_OUT)
"""Roles that are not part of the quiet loop."""


def has_own_time(rehearsal: Rehearsal, begin: Vector, window: int, motion: float) -> bool:
    """Tell whether (1) or (2) holds of a state of the quiet loop, from some state on."""
    e = rehearsal.test.equation
    mobility = float(np.abs(np.diag(e.L @ np.linalg.solve(e.M, e.L.T))).min())
    ticks = max(1, window // 4)
    force = PUSHED * motion / (mobility * (ticks * rehearsal.test.tick) ** 2)
    pulse = Pulse(int(begin[0]), ticks, (force,) * rehearsal.channels)
    own, slow = _mark_loop(rehearsal), _mark_loop(rehearsal, laws=False)
    last = np.exp(-window * rehearsal.test.tick / LASTS)
    alone = pushed = begin
    changes: list[Vector] = []
    for _ in range(WINDOWS):
        before = alone
        alone = rehearsal.run(before, window, quiet=True, noise=False).state
        pushed = rehearsal.run(pushed, window, pulse, quiet=True, noise=False).state
        changes.append(np.abs(alone - before))
        own &= (alone != before) & (alone == pushed)
        with np.errstate(all="ignore"):
            slow &= changes[-1] > UNMOVED * np.abs(alone - pushed)
            slow &= changes[-1] > last * changes[0]
    return bool((own | slow).any())


def _mark_loop(rehearsal: Rehearsal, *, laws: bool = True) -> NDArray[np.bool_]:
    """Mark the states of blocks that belong to the loop, without places in rings.

    Those of laws that adapt are among them, or not.
    """
    first = rehearsal.layout.bus
    own = np.zeros(rehearsal.slots.size, bool)
    for p in rehearsal.layout.placed:
        n = p.block.states.size
        law = p.role == "compensator" and rehearsal.learns
        if p.role not in OUTSIDE and not p.block.injects and (laws or not law):
            own[first : first + n] = True
            own[[first + ring.position for ring in p.block.rings]] = False
        first += n
    return own
