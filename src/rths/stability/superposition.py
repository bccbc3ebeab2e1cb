"""Whether a loop is linear, and the same at all times of the test: then its roots prove all.

    F(z + a v) - F(z) = a J v     at rest, a = ± each of SIZES                                   (1)
    y_w(p_w) - y_w(0) = a_w (y_0(p_0) - y_0(0))     p_w = a_w p_0, a pulse in each window w      (2)

(2) is superposition along the rehearsed test, with its excitation, noise and faults on: the answer
to a pulse is that of the first window, whatever its sign and size, from the resolution of a sensor
to the limits of the plan, and whenever it comes. A one-sided law fails (1), a saturation or a gap
that no motion at rest reaches fails (2), and so does a delay that drifts or a fault in the middle.
"""

from __future__ import annotations

import numpy as np

from rths.loop.block import Vector
from rths.stability.disturbance import ladder
from rths.stability.linearisation import ROUND_OFF, Linearisation, any_numbers, follows
from rths.stability.loop_map import SETTLING, LoopMap, period_of
from rths.stability.rehearsal import Pulse
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


def is_linear_at_rest(loop: LoopMap, linear: Linearisation) -> bool:
    """Tell whether (1) holds."""
    if not linear.linear:
        return False
    v = any_numbers(linear.size)
    every = [sign * size for size in SIZES for sign in (1.0, -1.0)]
    return all(follows(loop, linear.entries, linear.kept, a * v, ROUND_OFF) for a in every)


def superposes(line: Timeline, force: float, yardstick: Yardstick) -> bool:
    """Tell whether (2) holds in all windows; ``force`` moves the loop by about its motion, N."""
    sizes = ladder(yardstick)
    first = _answer(line, 0, force, 1.0)
    if first is None:
        return False
    for w in range(line.windows):
        if not np.isfinite(line.rows[w]).all():
            break  # it has run away, as its roots say
        a = float(sizes[w % sizes.size]) * (-1.0 if w % 2 else 1.0)
        seen = _answer(line, w, force, a)
        if seen is None:
            return False
        expected = a * first[: len(seen)]
        off = np.abs(seen - expected)
        allowed = ANSWER * np.abs(expected).max() + MOTION * np.abs(line.rows[w]).max()
        if not np.all(off <= allowed):
            return False
    return True


def _answer(line: Timeline, window: int, force: float, size: float) -> Vector | None:
    """What a pulse in a window changes there; None if the loop stops."""
    state, rehearsal = line.states[window], line.rehearsal
    weights = np.linspace(1.0, 0.5, rehearsal.channels)
    settled = SETTLING * period_of(rehearsal.test, rehearsal.layout)  # first steps differ
    first = int(state[0]) + settled
    pulse = Pulse(first, TICKS, tuple((size * force * weights).tolist()))
    stretch = rehearsal.run(state, len(line.rows[window]), pulse)
    return stretch.rows - line.rows[window] if stretch.whole else None
