"""The way a command takes: faded in, passed on while all is well, then held and led to safety.

    ramping in:   c_k = r + (k/n) (u_k - r),   k < n                                           (1)
    running:      c_k = u_k
    left:         c_k = c_(k-1) while it holds, then                                           (2)
                  c_k = c_(k-1) ± min(|s - c_(k-1)|, v h) until it is at the safe position s    (3)

The latch looks at all guards before the command leaves. The first that trips is kept with its value
and its tick; from that tick on no command passes, and once every channel has arrived the test ends.
A step (3) is shortened by the round-off of its sum, so that it is never longer than v h, not even
by a bit. What was measured is trusted while the test runs and finite; afterwards the structure
goes on with the last that was, so that nothing that is not a number gets into it.

What is sent beside a command goes its way: the velocity w of the structure only while it runs, else
that of the command, and a force f with the share of the command,

    v_k = w_k while running, else (c_k - c_(k-1))/h;   f_k times k/n, 1, 0                     (4)

and 0 for what is not a number.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rths.loop.block import Block, Vector, kernel
from rths.loop.guard import FINITE
from rths.loop.stop import Stop

if TYPE_CHECKING:
    from rths.loop.layout import Layout
    from rths.loop.wiring import Placed

RAMPING_IN, RUNNING, RAMPING_OUT, TRIPPED = 0.0, 1.0, 2.0, 3.0
"""Phases of a test, as the signal safety.phase gives them."""
PASSING, HOLDING, MOVING, ARRIVED = 0.0, 1.0, 2.0, 3.0
"""What the path of a channel does, as the signal safety.arrival gives it."""
BY_TRIP, BY_OPERATOR, AS_PLANNED = 1, 2, 3
"""Codes with which the latch ends a test."""
ROUND_OFF = 2.0**-52
LATCH = ("phase", "trip", "value", "tick")


@kernel
def fade(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # p = n, then r of each channel;   x = tick
    k = x[0]
    x[0] += 1.0
    for c in range(u.size):
        y[c] = u[c]
        if k < p[0]:
            y[c] = p[1 + c] + k / p[0] * (u[c] - p[1 + c])  # (1)


@kernel
def latch(x: Vector, p: Vector, u: Vector, y: Vector) -> int:
    # p = ticks planned, ticks of the fade, guards, then for each: ticks by which it is late, and
    #     whether it counts while ramping out
    # x = tick, phase, who ended it, then trip, value and tick of the trip
    # u = level and value of each guard, the operator's request, path of each channel
    # y = phase, number of the guard that tripped, its value, its tick
    guards = int(p[2])
    k = x[0]
    x[0] += 1.0
    if x[1] == RAMPING_IN and k >= p[1]:
        x[1] = RUNNING
    for g in range(guards):
        counts = x[1] < RAMPING_OUT or (x[1] == RAMPING_OUT and p[4 + 2 * g] != 0.0)
        if counts and u[2 * g] >= 2.0:
            x[1], x[2] = TRIPPED, BY_TRIP
            x[3], x[4], x[5] = g + 1.0, u[2 * g + 1], k - p[3 + 2 * g]
    if x[1] < RAMPING_OUT:
        if u[2 * guards] != 0.0:
            x[1], x[2] = RAMPING_OUT, BY_OPERATOR
        elif k >= p[0]:
            x[1], x[2] = RAMPING_OUT, AS_PLANNED
    y[0], y[1], y[2], y[3] = x[1], x[3], x[4], x[5]
    for c in range(2 * guards + 1, u.size):
        if u[c] != ARRIVED:
            return 0
    return int(x[2])


@kernel
def path(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # p = ticks to hold, v h, then s of each channel;   u = command of each channel, phase
    # x = last command of each channel, ticks held;   y = command of each, then what its path does
    m = u.size - 1
    if u[m] < RAMPING_OUT:
        for c in range(m):
            x[c] = u[c]
            y[c], y[m + c] = u[c], PASSING
        return
    holds = x[m] < p[0]
    x[m] += 1.0
    for c in range(m):
        y[m + c] = HOLDING  # (2)
        if not holds:
            last, left = x[c], p[2 + c] - x[c]
            r = p[1] - ROUND_OFF * (abs(last) + p[1])
            if abs(left) <= r:
                x[c] = p[2 + c]
            elif left > 0.0:
                x[c] = last + r  # (3)
            else:
                x[c] = last - r
            y[m + c] = ARRIVED if x[c] == p[2 + c] else MOVING
        y[c] = x[c]


@kernel
def trust(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # u = what was measured, phase;   x = the last of it that was trusted
    n = u.size - 1
    for i in range(n):
        if u[n] < RAMPING_OUT and -FINITE <= u[i] <= FINITE:
            x[i] = u[i]
        y[i] = x[i]


@kernel
def companion_velocity(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # p = h;   x = last command of each channel;   u = safe command and velocity of each, phase
    m = y.size
    for c in range(m):
        v = u[m + c] if u[2 * m] == RUNNING else (u[c] - x[c]) / p[0]  # (4)
        x[c] = u[c]
        y[c] = v if -FINITE <= v <= FINITE else 0.0


@kernel
def companion_force(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # p = n;   x = tick;   u = force of each channel, phase
    m = y.size
    share = 0.0
    if u[m] == RUNNING:
        share = 1.0
    elif u[m] == RAMPING_IN:
        share = x[0] / p[0]
    x[0] += 1.0
    for c in range(m):
        y[c] = share * u[c] if -FINITE <= u[c] <= FINITE else 0.0  # (4)


def latch_block(planned: int, fading: int, guards: Sequence[tuple[int, bool]]) -> Block:
    """Latch guards; each is late by some ticks and counts while ramping out, or does not."""
    each = [float(v) for guard in guards for v in guard]
    first = RAMPING_IN if fading else RUNNING
    states = [0.0, first, 0.0, 0.0, 0.0, 0.0]
    params = [float(planned), float(fading), float(len(guards)), *each]
    return Block(latch, params, states, outputs=len(LATCH), counters=(0,))


def guard_stop(
    layout: Layout, arena: Vector, placed: Placed, code: int, done: int, tick: float
) -> Stop:
    """Say why a latch has ended the test: which guard, on which signal, at which value and tick."""
    when = f"ended at tick {done} (t = {done * tick:.6g} s)"
    if code == AS_PLANNED:
        return Stop("completed", done, done * tick, "completed")
    if code == BY_OPERATOR:
        text = f"{when}: the operator ramped it out"
        return Stop("interrupted", done, done * tick, text)
    _, number, value, at = arena[placed.output : placed.output + len(LATCH)].tolist()
    level = placed.inputs[2 * (int(number) - 1)]
    guard = next(p for p in layout.placed if p.output == level and p.role == "guard")
    signal, name = layout.slot_name(guard.inputs[0]), guard.owner.part
    low, high = guard.block.params[2:4].tolist()
    beyond = "is not finite"
    if -FINITE <= value <= FINITE:
        beyond = f"is above {high:g}" if value > high else f"is below {low:g}"
    text = (
        f"tripped at tick {int(at)} (t = {at * tick:.6g} s) by {name} on {signal}: "
        f"{value:.6g} {beyond}; {when}, at the safe position"
    )
    return Stop(
        "trip", done, done * tick, text, signal=signal, value=value,
        limit=(low, high), block=guard.label, guard=name, tripped=int(at),
    )  # fmt: skip
