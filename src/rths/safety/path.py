"""The way a command takes: faded in, passed on while all is well, then held and led to safety.

    ramping in:   c_k = r + (k/n) (u_k - r),   k < n                                           (1)
    running:      c_k = u_k
    left:         c_k = c_(k-1) while it holds, then                                           (2)
                  c_k = c_(k-1) ± min(|s - c_(k-1)|, v h) until it is at the safe position s    (3)

A step (3) is shortened by the round-off of its sum, so that it is never longer than v h, not even
by a bit. What was measured is trusted while the test runs and finite; afterwards the structure
goes on with the last that was, so that nothing that is not a number gets into it.

What is sent beside a command goes its way: the velocity w of the structure only while it runs, else
that of the command, and a force f with the share of the command,

    v_k = w_k while running, else (c_k - c_(k-1))/h;   f_k times k/n, 1, 0                     (4)

and 0 for what is not a number.
"""

from __future__ import annotations

from rths.loop.block import FINITE, Vector, kernel
from rths.loop.fields import fields, many
from rths.safety.phase import ARRIVED, HOLDING, MOVING, PASSING, RAMPING_IN, RAMPING_OUT, RUNNING

ROUND_OFF = 2.0**-52
"""From 1 to the next number: twice the largest round-off of a sum, as a share of it."""
FADE = fields(ticks="n", rest=many("r of each channel"))
P = fields(hold="ticks to hold", fastest="v h, m", positions=many("s of each channel"))
X = fields(commands=many("last command of each channel"), held="ticks held")


@kernel
def fade(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # p = FADE;   x = tick
    k = x[0]
    x[0] += 1.0
    for c in range(u.size):
        y[c] = u[c]
        if k < p[FADE.ticks]:
            r = p[FADE.rest + c]
            y[c] = r + k / p[FADE.ticks] * (u[c] - r)  # (1)


@kernel
def path(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # u = command of each channel, phase;   y = command of each, then what its path does
    m = u.size - 1
    if u[m] < RAMPING_OUT:
        for c in range(m):
            x[X.commands + c] = u[c]
            y[c], y[m + c] = u[c], PASSING
        return
    holds = x[X.held] < p[P.hold]
    x[X.held] += 1.0
    for c in range(m):
        y[m + c] = HOLDING  # (2)
        if not holds:
            own, s = X.commands + c, p[P.positions + c]
            last = x[own]
            left, r = s - last, p[P.fastest] - ROUND_OFF * (abs(last) + p[P.fastest])
            if abs(left) <= r:
                x[own] = s
            elif left > 0.0:
                x[own] = last + r  # (3)
            else:
                x[own] = last - r
            y[m + c] = ARRIVED if x[own] == s else MOVING
        y[c] = x[X.commands + c]


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
