"""The way to safety with limited acceleration: braked, held, then led to a position or unloaded.

    d_k = c_k - c_(k-1),   |d_k - d_(k-1)| <= A = a h²   always                                (1)
    held:      d_k goes to 0                                                                  (2)
    position:  d_k = min(V, A (√(1 + 2 L/A) - 1)) towards s,   V = v h,   L = |s - c_(k-1)|     (3)
    force:     d_k = -V min(1, |f|/F) sign(f)                                                 (4)

each as near as (1) lets it come. (3) solves d + d²/(2A) = L: after the step there is room to brake,
and the next differs by d + A - √(A² + d²) <= A. The last A/2 are one step. A command that
comes too fast for s runs past it and returns; it came from where it has room to brake (guard
``braking``), and so it stays within the limits. (4) unloads the specimen, at full rate beyond the
force F and ever slower below it: an actuator that is late by τ does not make a specimen of
stiffness k swing as long as k v τ < F π/2. It has arrived when the force has been small for a time,
and stands at the end of its limits if the force leads there.
Steps are shortened by the round-off of their sums.
"""

from __future__ import annotations

from math import sqrt

from rths.loop.block import FINITE, Vector, kernel
from rths.loop.fields import fields, many, vectors
from rths.safety.path import ROUND_OFF
from rths.safety.phase import ARRIVED, HOLDING, MOVING, PASSING, RAMPING_OUT
from rths.safety.relief import DONE, NONE

WAYS = ("position", "force")
"""Ways of leaving a test, in the order of their numbers."""
TO_POSITION, TO_NO_FORCE = range(len(WAYS))
P = fields(
    way="which of WAYS",
    hold="ticks to hold",
    fastest="V, m",
    slowing="A, m",
    quiet="ticks for which the force must be small",
    channels=many("BOUNDS of the channels"),
)
BOUNDS = vectors(
    position="s, m",
    full="F, N",
    small="force that is small, N",
    lowest="lowest command, m",
    highest="highest command, m",
)
X = fields(ticks="ticks since the test was left", channels=many("LAST of the channels"))
LAST = vectors(
    command="last command, m",
    step="last step, m",
    quiet="ticks for which the force has been small",
)


def limit_change(step: float, last: float, slowing: float) -> float:
    """Bring a step as near to what is wanted as (1) lets it come."""
    return min(max(step, last - slowing), last + slowing)


def step_to_position(left: float, last: float, fastest: float, slowing: float) -> float:
    """Give the step (3) over a way that is left, after the last step."""
    way = abs(left)
    if way <= min(fastest, 0.5 * slowing) and abs(left - last) <= slowing:
        return left
    step = min(fastest, slowing * (sqrt(1.0 + 2.0 * way / slowing) - 1.0))  # (3)
    return limit_change(step if left > 0.0 else -step, last, slowing)


def step_to_no_force(force: float, last: float, fastest: float, full: float, A: float) -> float:
    """Give the step (4) against a force; none against one that is not a number."""
    step = 0.0
    if -FINITE <= force <= FINITE:
        step = -fastest * min(max(force / full, -1.0), 1.0)  # (4)
    return limit_change(step, last, A)


def keep_within(step: float, down: float, up: float, last: float, V: float, A: float) -> float:
    """Shorten a step so that there is room to brake before the ends, ``down`` and ``up`` away."""
    lowest, highest = step_to_position(down, last, V, A), step_to_position(up, last, V, A)
    return min(max(step, lowest), highest)


@kernel
def guided_path(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # u = command of each channel, phase, relief, force of each channel
    # y = command of each channel, then what its path does
    m = y.size // 2
    phase, relief = u[m], u[m + 1]
    if phase >= RAMPING_OUT:
        x[X.ticks] += 1.0
    for c in range(m):
        own, of = X.channels + c, P.channels + c
        last, before = x[own + LAST.command * m], x[own + LAST.step * m]
        if phase < RAMPING_OUT:
            x[own + LAST.step * m] = u[c] - last
            x[own + LAST.command * m] = u[c]
            y[c], y[m + c] = u[c], PASSING
            continue
        # what a sum of the size of the command rounds off, in a difference of two of its steps
        A = p[P.slowing] - 4.0 * ROUND_OFF * (abs(last) + abs(before) + p[P.slowing])
        V = p[P.fastest] - ROUND_OFF * (abs(last) + p[P.fastest])
        force, quiet, s = u[m + 2 + c], own + LAST.quiet * m, p[of + BOUNDS.position * m]
        full, small = p[of + BOUNDS.full * m], p[of + BOUNDS.small * m]
        low, high = p[of + BOUNDS.lowest * m], p[of + BOUNDS.highest * m]
        step, does = limit_change(0.0, before, A), HOLDING  # (2)
        if relief != NONE:
            does = ARRIVED if relief == DONE else HOLDING
        elif x[X.ticks] > p[P.hold] and p[P.way] == TO_POSITION:
            step = step_to_position(s - last, before, V, A)
            does = ARRIVED if last + step == s and abs(step) <= A else MOVING
        elif x[X.ticks] > p[P.hold]:
            step = step_to_no_force(force, before, V, full, A)
            step = keep_within(step, low - last, high - last, before, V, A)
            x[quiet] = x[quiet] + 1.0 if abs(force) <= small else 0.0
            does = ARRIVED if x[quiet] >= p[P.quiet] else MOVING
        x[own + LAST.command * m], x[own + LAST.step * m] = last + step, step
        y[c], y[m + c] = x[own + LAST.command * m], does
