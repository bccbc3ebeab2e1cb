"""Whether a loop is linear, and the same at all times of the test: then its roots prove all.

    F(z + a v) - F(z) = a J v     at rest, a = ± each of SIZES                                   (1)
    y_k(p_k) - y_k(0) = a_k (y_0(p_0) - y_0(0))     p_k = a_k p_0, a pulse in each stretch k     (2)
    n_k = n (1 + frac(k φ))/2,   n: until the answer has fallen to FADED, φ the golden ratio     (3)

(2) is superposition along the rehearsed test and the quiet after it, with excitation, noise and
faults on: the answer to a pulse is that of the first stretch, whatever its sign and size, from the
resolution of a sensor to the limits of the plan, and whenever it comes; and what counts counts on
as it would without a pulse: it is no part of (1), and may act later. A one-sided law fails (1),
a saturation or a gap that no motion at rest reaches fails (2), and so does a delay that drifts or a
fault in the middle. Stretches (3) follow each other without a gap, and while the answer is still
seen, so that nothing is changed and changed back unseen; their lengths have no common measure, for
what swings in step with equal ones would look the same in each.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, sqrt

import numpy as np

from rths.loop.block import Vector
from rths.stability.disturbance import SIZES as LADDER
from rths.stability.disturbance import ladder
from rths.stability.linearisation import ROUND_OFF, Linearisation, any_numbers, follows
from rths.stability.loop_map import SETTLING, LoopMap, period_of
from rths.stability.rehearsal import Pulse, Rehearsal, Stretch
from rths.stability.timeline import Timeline
from rths.stability.yardstick import Yardstick

SIZES = (2.0**-10, 1.0, 2.0**10)
"""Sizes a of (1): a millimetre or newton next to nothing, one, and a thousand of each."""
ANSWER = 1e-7
"""Share of the answer by which (2) may be off: central differences with 10,000 steps a period lose
eight of sixteen digits, and what adapts is off by more."""
MOTION = 1e-10
"""Share of the test's own motion, whose last digits the difference in (2) consists of."""
TICKS = 3
"""Length of the pulses of (2): all modes answer."""
FADED = 1e-3
"""Share of an answer at which the next pulse is due: a thousandth of what is left shows in (2)."""
SHORTEST, MOST = 16, 40_000
"""Shortest stretch, in lengths of a pulse, and most stretches."""
GOLDEN = (sqrt(5) - 1) / 2


def is_linear_at_rest(loop: LoopMap, linear: Linearisation) -> bool:
    """Tell whether (1) holds."""
    if not linear.linear:
        return False
    v = any_numbers(linear.size)
    every = [sign * size for size in SIZES for sign in (1.0, -1.0)]
    return all(follows(loop, linear.entries, linear.kept, a * v, ROUND_OFF) for a in every)


def superposes(
    line: Timeline, force: float, yardstick: Yardstick, further: float, quiet: int = 0
) -> bool:
    """Tell whether (2) holds in the test and some ticks of quiet after it.

    ``force`` moves the loop by about its motion in its slowest mode, N; the largest pulse is
    ``further`` than the limits of the plan, so that faster ones are moved as far.
    """
    rehearsal, steps = line.rehearsal, ladder(yardstick)
    sizes = np.geomspace(steps[0], further * steps[-1], steps.size)
    state, least = rehearsal.start, _least_ticks(rehearsal, quiet)
    rows = rehearsal.run(state, max(line.window, least)).rows
    settled = SETTLING * period_of(rehearsal.test, rehearsal.layout)  # first steps differ
    begun = _pulse(rehearsal, state, len(rows), force, settled)
    first = begun.rows - rows if begun.whole else None
    if first is None or not (np.isfinite(first).all() and first.any()):
        return False
    if (rehearsal.ticks + quiet) / MOST > max(SHORTEST * TICKS, _reach(first)):
        return False  # too long to be looked at all through: what lies between is not seen
    counts = rehearsal.counters
    later = first[settled:]  # from the second stretch on it is pushed at once
    for k, (ticks, driven) in enumerate(_stretches(rehearsal, later, least, quiet)):
        base = rehearsal.run(state, ticks, quiet=not driven)
        if not (base.whole and np.isfinite(base.rows).all()):
            break  # it has run away, as its roots say
        a = float(sizes[k % sizes.size]) * (-1.0 if (k // sizes.size + k) % 2 else 1.0)
        after, expected = (0, later) if k else (settled, first)
        pushed = _pulse(rehearsal, state, ticks, a * force, after, quiet=not driven)
        if not pushed.whole or not np.array_equal(pushed.state[counts], base.state[counts]):
            return False
        seen = pushed.rows - base.rows
        if not _agree(seen, a * expected[: len(seen)], base.rows):
            return False
        state = base.state
    return True


def _agree(seen: Vector, expected: Vector, rows: Vector) -> bool:
    """Tell whether an answer is as expected, as far as numbers tell."""
    allowed = ANSWER * np.abs(expected).max() + MOTION * np.abs(rows).max()
    return bool(np.all(np.abs(seen - expected) <= allowed))


def _least_ticks(rehearsal: Rehearsal, quiet: int) -> int:
    """Ticks of the shortest stretch, whole periods."""
    every = period_of(rehearsal.test, rehearsal.layout)
    least = max(SHORTEST * TICKS, 4 * SETTLING * every, (rehearsal.ticks + quiet) / MOST)
    return ceil(least / every) * every


def _stretches(
    rehearsal: Rehearsal, first: Vector, least: int, quiet: int
) -> Iterator[tuple[int, bool]]:
    """Give ticks (3) of each stretch, whole periods, and whether it is driven."""
    every = period_of(rehearsal.test, rehearsal.layout)
    most = max(least, min(_reach(first), rehearsal.ticks // (2 * LADDER)))
    k = 0
    for left, driven in ((rehearsal.ticks, True), (quiet, False)):
        while left > 0:
            wanted = most * (1 + k * GOLDEN % 1) / 2
            ticks = min(ceil(left / every), len(first) // every, ceil(wanted / every)) * every
            yield ticks, driven
            left, k = left - ticks, k + 1


def _reach(first: Vector) -> int:
    """Ticks until an answer has faded."""
    size = np.abs(first).max(axis=1)
    return int(np.flatnonzero(size >= FADED * size.max())[-1]) + 1


def _pulse(
    rehearsal: Rehearsal, state: Vector, ticks: int, force: float, after: int, quiet: bool = False
) -> Stretch:
    """Run some ticks with a pulse that comes after some of them."""
    weights = np.linspace(1.0, 0.5, rehearsal.channels)
    pulse = Pulse(int(state[0]) + after, TICKS, tuple((force * weights).tolist()))
    return rehearsal.run(state, ticks, pulse, quiet=quiet)
