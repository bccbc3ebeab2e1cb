"""A rig's own safety between the command that arrives and its actuators.

    waiting -> approaching -> following -> holding -> returning -> safe                       (1)

A session begins with an approach: the rig goes to the command at no more than its safe rate, and
follows once it has met it. When no valid command has come for the time-out, or its operator stops
it, it holds where it is and then returns to its safe position at the safe rate. It stays there,
whatever is sent, until a new session begins. A last command says goodbye: the rig returns without
an alarm.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rths.hardware.emulated import fault
from rths.hardware.emulated.fault import Fault, active, rows_of
from rths.hardware.wire.status import (
    APPROACHING,
    PRESSURE,
    RAMPING,
    SAFE,
    SATURATED,
    SILENCE,
    STOPPED,
)
from rths.loop.block import Block, Vector, kernel

WAITING, APPROACH, FOLLOW, HOLD, RETURN, AT_REST = range(6)
FIRST = 5
"""Parameters before the safe positions."""
STOP, LOST_PRESSURE, SATURATION = fault.STOP, fault.PRESSURE, fault.SATURATION


@dataclass(frozen=True)
class Safety:
    """What a rig does on its own."""

    timeout: float = 0.1
    """Seconds without a valid command after which it no longer follows."""
    hold: float = 0.5
    """Seconds for which it then stays where it is."""
    rate: float = 0.01
    """Fastest motion of an approach and of a return, m/s."""
    position: float | None = None
    """Where it is safe, m; where it was before the test if not given."""


def mode_now(x: Vector, p: Vector, u: Vector, m: int, t: float) -> int:
    """Give the mode of (1) for this tick; alarms are latched in x[4]."""
    mode = int(x[0])
    if u[m + 1] != x[1] and u[m + 1] != 0.0:
        x[1], x[4] = u[m + 1], 0.0
        mode = APPROACH
    if mode in (APPROACH, FOLLOW):
        stopped = active(p, FIRST + m, STOP, 0, t) >= 0.0
        if u[m] > p[2] or stopped:
            mode = HOLD
            x[3] = 0.0
            x[4] = float(STOPPED if stopped else SILENCE)
        elif u[m + 2] != 0.0:
            mode = RETURN
    if mode == HOLD:
        x[3] += 1.0
        if x[3] * p[1] > p[3]:
            mode = RETURN
    return mode


@kernel
def drive(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # p = m, tick, time-out, hold, rate, safe positions, faults
    # x = mode, session, ticks since the first command, ticks held, alarms, positions
    # u = commands, seconds of silence, session, goodbye;   y = positions, status, time
    m = int(p[0])
    t = x[2] * p[1]
    mode = mode_now(x, p, u, m, t)
    if mode != WAITING:
        x[2] += 1.0
    arrived = True
    for c in range(m):
        goal, bits = x[5 + c], int(x[4])
        if mode in (APPROACH, FOLLOW):
            goal = u[c]
        elif mode == RETURN:
            goal = p[FIRST + c]
        reach = active(p, FIRST + m, SATURATION, c, t)
        if reach >= 0.0 and abs(goal) > reach:
            goal = reach if goal > 0.0 else -reach
            bits |= SATURATED
        most = p[4] * p[1] if mode in (APPROACH, RETURN) else -1.0
        speed = active(p, FIRST + m, LOST_PRESSURE, c, t)
        if speed >= 0.0:
            bits |= PRESSURE
            most = speed * p[1] if most < 0.0 else min(most, speed * p[1])
        if most >= 0.0 and abs(goal - x[5 + c]) > most:
            goal = x[5 + c] + (most if goal > x[5 + c] else -most)
            arrived = False
        x[5 + c] = goal
        y[c] = goal
        y[m + c] = float(bits)
    if mode == APPROACH and arrived:
        mode = FOLLOW
    elif mode == RETURN and arrived:
        mode = AT_REST
    x[0] = float(mode)
    own = 0
    if mode in (WAITING, AT_REST):
        own = SAFE
    elif mode == RETURN:
        own = RAMPING
    elif mode == APPROACH:
        own = APPROACHING
    for c in range(m):
        y[m + c] += float(own)
    y[2 * m] = t


def drive_block(
    tick: float,
    rest: Sequence[float],
    safety: Safety,
    faults: tuple[Fault, ...],
    engaged: bool = False,
) -> Block:
    """Make the drive of all actuators; an engaged one follows from the first tick on."""
    m = len(rest)
    safe = [r if safety.position is None else safety.position for r in rest]
    params = [m, tick, safety.timeout, safety.hold, safety.rate, *safe, *rows_of(faults)]
    start = [float(FOLLOW), 1.0] if engaged else [float(WAITING), 0.0]
    return Block(drive, params, [*start, 0.0, 0.0, 0.0, *rest], 2 * m + 1)
