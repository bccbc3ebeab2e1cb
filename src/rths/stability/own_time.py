"""Whether a loop that rests is another one later: a delay that swings, a fault that begins or ends.

    x(t + w) ≠ x(t)   of a state that is the same to the last bit if the loop is pushed          (1)
    |d_j - d| < EVEN |d|   of each of n steps d_j of a state with mean d, taken at equal times,
              and |n d| > UNMOVED times what the push has changed in the end                     (2)

What goes on by itself, whatever the loop does, is a clock: it counts, or goes round, and may act
later, declared or not. What decays, learns or swings answers a push. Oil that warms by itself
answers too, but hardly: by (2), as it goes on evenly and not as a motion would, it is a clock as
well. A loop with a clock is pushed at many times, and what was seen at one of them foretells
nothing about another. Clocks of what drives, disturbs or injects are none of the loop's own; what a
law has learnt fades in its own way (`other_ends`).
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
PARTS = 4
"""Steps of (2) in a window: what swings does not go as far in all of them, and to one side."""
EVEN, UNMOVED = 0.1, 1e4
"""Share by which steps of (2) may differ, and how many times as far as a push has moved it a state
must go on: what a motion has left answers by a hundredth of itself."""
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
    alone = pushed = begin
    steps: list[Vector] = []
    for _ in range(WINDOWS):
        before = alone
        for part in np.diff(np.arange(PARTS + 1) * window // PARTS).tolist():
            last, alone = alone, rehearsal.run(alone, part, quiet=True, noise=False).state
            steps.append(alone - last)
        pushed = rehearsal.run(pushed, window, pulse, quiet=True, noise=False).state
        own &= (alone != before) & (alone == pushed)
    with np.errstate(all="ignore"):
        whole = alone - begin
        even = np.abs(np.array(steps) - whole / len(steps)).max(axis=0)
        slow &= even < EVEN * np.abs(whole) / len(steps)
        slow &= np.abs(whole) > UNMOVED * np.abs(alone - pushed)
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
