"""Whether a loop that rests is another one later: a delay that swings, a fault that begins or ends.

    x(t + w) ≠ x(t)   of a state that is the same to the last bit if the loop is pushed          (1)
    |d_j - d| < EVEN |d|   of each of n steps d_j of a state with mean d, taken at equal times,
              and |n d| > UNMOVED times what the push has changed in the end                     (2)
    (2) of a loop that rests, whatever a push does, and LATER windows on still with the mean d',
              |d' - d| < LASTING |d|                                                             (3)
    after a push, a declared count that is another than without it, but for the package's laws, or
              steps that are all alike and others than without it                                (4)

What goes on by itself, whatever the loop does, is a clock: it counts, or goes round, and may act
later, declared or not. What decays, learns or swings answers a push. Oil that warms by itself
answers too, but hardly: by (2), as it goes on evenly and not as a motion would, it is a clock as
well. So is (3) what a push moves as well, but goes on at the same pace when all else has calmed
down: oil that the flow warms beside its pump, a count of how long nothing has moved. A loop with a
clock is pushed at many times, and what was seen at one of them foretells nothing about another.
What only a push sets counting (4) is a timer, and acts when the motion is long over. Clocks of what
drives, disturbs or declares that it merely draws noise are none of the loop's own; what a law has
learnt fades in its own way (`other_ends`). What a block of one's own makes of all that it remembers
only its code says: what is tried of a loop with such a block is followed as one with a clock, and
what goes on by itself in such a block is never proved.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from rths.loop.block import Vector
from rths.loop.wiring import Placed
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
LATER, LASTING = 8, 0.2
"""Windows, after which the pace of (3) is asked again, and share by which it may have changed: oil
that cools as well warms evenly for minutes, a motion of 80 periods has decayed by more."""
FELT = 1e-6
"""Share of a state that it must go in (3) and (4), and of a step of (4): less is round-off."""
OUTSIDE = ("excitation", "safety", PULSE, FADE_OUT)
"""Roles that are not part of the quiet loop."""


def has_own_time(rehearsal: Rehearsal, begin: Vector, window: int, motion: float) -> bool:
    """Tell whether a state of the quiet loop is a clock, from some state on."""
    return bool(mark_clocks(rehearsal, begin, window, motion).any())


def mark_clocks(
    rehearsal: Rehearsal, begin: Vector, window: int, motion: float
) -> NDArray[np.bool_]:
    """Mark the states of the quiet loop of which (1) or (2) holds, from some state on."""
    e = rehearsal.test.equation
    mobility = float(np.abs(np.diag(e.L @ np.linalg.solve(e.M, e.L.T))).min())
    ticks = max(1, window // 4)
    force = PUSHED * motion / (mobility * (ticks * rehearsal.test.tick) ** 2)
    pulse = Pulse(int(begin[0]), ticks, (force,) * rehearsal.channels)
    own = _mark_loop(rehearsal)
    slow = own & ~_mark_laws(rehearsal)
    alone = pushed = begin
    steps: list[Vector] = []
    for _ in range(WINDOWS):
        before = alone
        gone, alone = _run_in_parts(rehearsal, alone, window)
        steps += gone
        pushed = rehearsal.run(pushed, window, pulse, quiet=True, noise=False).state
        own &= (alone != before) & (alone == pushed)
    with np.errstate(all="ignore"):
        whole = alone - begin
        even = np.abs(np.array(steps) - whole / len(steps)).max(axis=0)
        slow &= even < EVEN * np.abs(whole) / len(steps)
        hardly = slow & (np.abs(whole) > UNMOVED * np.abs(alone - pushed))
    return np.asarray(own | hardly)


def goes_on_evenly(rehearsal: Rehearsal, state: Vector, window: int) -> bool:
    """Tell whether a state of the loop that rests goes on evenly, and still does so later (3)."""
    begin, steps = state, list[Vector]()
    for _ in range(WINDOWS):
        gone, state = _run_in_parts(rehearsal, state, window)
        steps += gone
    slow = _mark_loop(rehearsal) & ~_mark_laws(rehearsal)
    with np.errstate(all="ignore"):
        whole = state - begin
        even = np.abs(np.array(steps) - whole / len(steps)).max(axis=0)
        slow &= even < EVEN * np.abs(whole) / len(steps)
        slow &= np.abs(whole) > FELT * np.abs(state)
    if not slow.any():
        return False
    pace = whole / WINDOWS
    later = rehearsal.run(state, LATER * window, quiet=True, noise=False).state
    after = rehearsal.run(later, window, quiet=True, noise=False).state
    return bool((slow & (np.abs(after - later - pace) < LASTING * np.abs(pace))).any())


def _run_in_parts(rehearsal: Rehearsal, state: Vector, window: int) -> tuple[list[Vector], Vector]:
    """Leave the quiet loop alone for a window; give its steps, and its state at the end."""
    steps: list[Vector] = []
    for part in np.diff(np.arange(PARTS + 1) * window // PARTS).tolist():
        last, state = state, rehearsal.run(state, part, quiet=True, noise=False).state
        steps.append(state - last)
    return steps, state


def starts_timer(rehearsal: Rehearsal, rest: Vector, pushed: Vector, window: int) -> bool:
    """Tell whether a push has set something counting (4), by the state it has led to from rest."""
    own, alone = _mark_loop(rehearsal), rest
    counts = np.zeros_like(own)
    counts[rehearsal.counters] = True
    laws = _mark_laws(rehearsal)
    own &= ~laws | (counts & mark_own_code(rehearsal))
    if (own & counts).any():
        since = int(pushed[0] - rest[0])
        alone = rehearsal.run(rest, since, quiet=True, noise=False).state
        if (own & counts & (alone != pushed)).any():
            return True
    every = max(1, window // (PARTS * rehearsal.layout.period)) * rehearsal.layout.period
    first: Vector | None = None
    for _ in range(WINDOWS * PARTS):
        if not own.any():
            return False
        last, before = pushed, alone
        pushed = rehearsal.run(pushed, every, quiet=True, noise=False).state
        alone = rehearsal.run(alone, every, quiet=True, noise=False).state
        with np.errstate(all="ignore"):
            gone, apart = pushed - last, np.abs(pushed - last - (alone - before))
            first = gone if first is None else first
            least = FELT * np.abs(gone)
            own &= (np.abs(gone - first) <= least) & (apart > least)
            own &= np.abs(gone) > FELT * np.abs(pushed)
    return bool(own.any())


def _mark_loop(rehearsal: Rehearsal) -> NDArray[np.bool_]:
    """Mark the states of blocks that belong to the loop, without places in rings and of draws."""
    own = _mark(rehearsal, lambda p: p.role not in OUTSIDE)
    first = rehearsal.layout.bus
    for p in rehearsal.layout.placed:
        own[[first + ring.position for ring in p.block.rings]] = False
        if p.block.draws:
            own[[first + counter for counter in p.block.counters]] = False
        first += p.block.states.size
    return own


def mark_own_code(rehearsal: Rehearsal) -> NDArray[np.bool_]:
    """Mark the states of the loop's blocks whose step is not the package's."""
    own = _mark(rehearsal, lambda p: p.role not in OUTSIDE and not p.block.kernel.is_shipped)
    return own & _mark_loop(rehearsal)


def holds_own_code(rehearsal: Rehearsal) -> bool:
    """Tell whether a block of one's own remembers something: a push may set it counting."""
    return bool(mark_own_code(rehearsal).any())


def _mark_laws(rehearsal: Rehearsal) -> NDArray[np.bool_]:
    """Mark the states of laws that adapt."""
    laws = rehearsal.test.descriptions("compensator")
    return _mark(rehearsal, lambda p: p.role == "compensator" and laws[p.owner.channel or 0].adapts)


def _mark(rehearsal: Rehearsal, wanted: Callable[[Placed], bool]) -> NDArray[np.bool_]:
    """Mark the states of some blocks."""
    placed = rehearsal.layout.placed
    states = [np.full(p.block.states.size, wanted(p)) for p in placed]
    return np.concatenate([np.zeros(rehearsal.layout.bus, bool), *states])
