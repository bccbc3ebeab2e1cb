"""A rig's own safety between the command that arrives and its actuators.

    waiting -> approaching -> following -> holding -> returning -> safe                       (1)
                                        -> without oil                                        (2)

A session begins with an approach: the rig goes to the command at no more than its safe rate, and
follows once it has met it. When no valid command has come for the time-out, or its operator stops
it, it holds where it is and then returns to its safe position at the safe rate. It stays there and
is latched: whatever is sent, no session begins until a person releases it. A last command says
goodbye: the rig returns without an alarm, and is latched only if it is told of a trip. A command
may release the oil pressure (2): the actuators stay where they are, and the rig is latched. What is
beyond the rig's own limits (protection.py) ends a session as silence does.

An actuator that could not follow, because oil pressure was lost or its reach was cut, makes up for
it at the safe rate, and follows again once it has met the command. It never jumps when the fault
begins or ends. One that lags is late by a time constant τ that grows:

    x_k = x_k-1 + (u_k - x_k-1) h / (h + τ)                                                   (3)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rths.errors import InputError
from rths.hardware.emulated import fault
from rths.hardware.emulated.fault import Fault, active_value, check_actuators, offset, rows_of
from rths.hardware.wire.status import (
    APPROACHING,
    BEYOND,
    LATCHED,
    PRESSURE,
    RAMPING,
    SAFE,
    SATURATED,
    SILENCE,
    STANDING,
    STOPPED,
)
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields, many, vectors

WAITING, APPROACH, FOLLOW, HOLD, RETURN, AT_REST, WITHOUT_OIL = range(7)
WIRE = fields(
    silence="s since the last command, or since the rig's last tick if that is longer ago",
    session="how many sessions have begun",
    goodbye="whether the last command was a goodbye",
    tripped="whether it told of a trip",
    without_oil="whether it released the oil pressure",
    releases="how often a person has released the rig",
    since="s since the last command",
)
"""What the wire tells the drive, after the commands."""
P = fields(
    actuators="m",
    tick="h, s",
    timeout="silence after which it no longer follows, s",
    hold="time to hold, s",
    rate="safe rate, m/s",
    latch="status bit of a latch, 0 behind a simulated link: there nobody could release it",
    safe=many("safe position of each actuator, m, then the rows of the faults"),
)
X = fields(
    mode="mode of (1)",
    session="sessions that have begun",
    releases="releases that were seen",
    ticks="ticks since the first command",
    held="ticks for which it has held",
    alarms="status bits that are latched",
    motion=many("MOTION of the actuators"),
)
MOTION = vectors(
    position="position, m",
    cut="reach by which the goal was cut, m, or -1",
    behind="whether it is behind its goal",
    lagged="whether it has lagged",
)
STOP, LOST_PRESSURE, SATURATION, LAG = fault.STOP, fault.PRESSURE, fault.SATURATION, fault.LAG
NO_JUMP = -1
"""A kind that no fault has."""


@dataclass(frozen=True)
class RigSafety:
    """What a rig does on its own."""

    timeout: float = 0.1
    """Seconds without a valid command after which it no longer follows."""
    hold: float = 0.5
    """Seconds for which it then stays where it is."""
    rate: float = 0.01
    """Fastest motion of an approach and of a return, m/s."""
    position: float | None = None
    """Where it is safe, m; where it was before the test if not given."""

    def __post_init__(self) -> None:
        """Refuse numbers with which a rig would not be safe."""
        for name, value, low, high, unit in (
            ("timeout", self.timeout, 1e-6, 1e6, "s"),
            ("hold", self.hold, 0.0, 1e6, "s"),
            ("safe_rate", self.rate, 1e-9, 1e3, "m/s"),
            ("position", self.position or 0.0, -1e3, 1e3, "m"),
        ):
            if not low <= value <= high:  # also what is not a number
                problem, remedy = "is impossible", f"Give {low:g} to {high:g} {unit}."
                raise InputError(f"rig.{name}", value, problem, remedy)


def decide_mode(x: Vector, p: Vector, u: Vector, m: int, t: float) -> int:
    """Give the mode of (1) for this tick; alarms are latched until a person releases the rig."""
    mode = int(x[X.mode])
    if u[m + WIRE.releases] != x[X.releases]:
        x[X.releases], x[X.alarms] = u[m + WIRE.releases], 0.0
        if mode == WITHOUT_OIL:
            mode = RETURN
    if u[m + WIRE.session] != x[X.session]:
        x[X.session] = u[m + WIRE.session]
        mode = APPROACH if x[X.alarms] == 0.0 else mode
    alarm = find_alarm(p, u, m, t)
    if mode in (APPROACH, FOLLOW):
        if alarm:
            mode = HOLD
            x[X.held] = 0.0
        elif u[m + WIRE.goodbye] != 0.0:
            mode = RETURN
            alarm = int(p[P.latch]) if u[m + WIRE.tripped] != 0.0 else 0
        x[X.alarms] = float(alarm)
    if u[m + WIRE.without_oil] != 0.0 and mode in (APPROACH, FOLLOW, HOLD, RETURN, AT_REST):
        mode = WITHOUT_OIL
        x[X.alarms] = float(int(x[X.alarms]) | PRESSURE | int(p[P.latch]))
    if mode == HOLD:
        x[X.held] += 1.0
        if x[X.held] * p[P.tick] > p[P.hold]:
            mode = RETURN
    return mode


def find_alarm(p: Vector, u: Vector, m: int, t: float) -> int:
    """Give the status bits of what ends a session by itself; 0 if nothing does."""
    if active_value(p, P.safe + m, STOP, 0, t) >= 0.0:
        return STOPPED | int(p[P.latch])
    if u[m + WIRE.silence] > p[P.timeout]:  # what comes behind it is not followed, and not judged
        return SILENCE | int(p[P.latch])
    return BEYOND | int(p[P.latch]) if u[m + len(WIRE)] != 0.0 else 0


def move_actuator(x: Vector, p: Vector, goal: float, mode: int, c: int, t: float) -> int:
    """Move an actuator towards its goal as far as this tick allows; give its status bits."""
    m, bits = int(p[P.actuators]), 0
    own, cut = X.motion + MOTION.position * m + c, X.motion + MOTION.cut * m + c
    behind, lagged = X.motion + MOTION.behind * m + c, X.motion + MOTION.lagged * m + c
    here = x[own]
    reach = active_value(p, P.safe + m, SATURATION, c, t)
    if (reach >= 0.0 and abs(here) > reach) or (x[cut] >= 0.0 and x[cut] != reach):
        x[behind] = 1.0  # the reach has changed under it: neither is a motion of the command
    x[cut] = -1.0
    if reach >= 0.0 and abs(goal) > reach:
        goal = reach if goal > 0.0 else -reach
        x[cut] = reach
        bits |= SATURATED
    lag = offset(p, P.safe + m, LAG, NO_JUMP, c, t)
    if x[lagged] != 0.0 and lag == 0.0:
        x[behind] = 1.0  # what it is late by is no motion of the command either
    x[lagged] = 1.0 if lag > 0.0 else 0.0
    goal = here + (goal - here) * p[P.tick] / (p[P.tick] + lag) if lag > 0.0 else goal  # (3)
    most = -1.0
    if mode in (APPROACH, RETURN) or x[behind] != 0.0:
        most = p[P.rate] * p[P.tick]
    speed = active_value(p, P.safe + m, LOST_PRESSURE, c, t)
    if speed >= 0.0:
        bits |= PRESSURE
        most = speed * p[P.tick] if most < 0.0 else min(most, speed * p[P.tick])
    x[behind] = 0.0
    if most >= 0.0 and abs(goal - here) > most:
        goal = here + (most if goal > here else -most)
        x[behind] = 1.0
        if mode == FOLLOW and speed < 0.0:
            bits |= APPROACHING
    x[own] = goal
    return bits


@kernel
def drive(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # u = commands, then WIRE, then whether a limit was left;   y = positions, status, time
    m = int(p[P.actuators])
    t = x[X.ticks] * p[P.tick]
    mode = decide_mode(x, p, u, m, t)
    if mode != WAITING:
        x[X.ticks] += 1.0
    arrived = True
    for c in range(m):
        own, behind = X.motion + MOTION.position * m + c, X.motion + MOTION.behind * m + c
        goal = x[own]
        if mode in (APPROACH, FOLLOW):
            goal = u[c]
        elif mode == RETURN:
            goal = p[P.safe + c]
        bits = 0 if mode == WITHOUT_OIL else move_actuator(x, p, goal, mode, c, t)
        near = abs(x[own] - goal) <= p[P.rate] * p[P.tick]  # not so if it lags, or its reach is cut
        arrived = arrived and near and x[behind] == 0.0
        y[c] = x[own]
        y[m + c] = float(bits | int(x[X.alarms]))
    if mode == APPROACH and arrived:
        mode = FOLLOW
    elif mode == RETURN and arrived:
        mode = AT_REST
    x[X.mode] = float(mode)
    shown = 0
    if mode in (WAITING, AT_REST):
        shown = SAFE
    elif mode == RETURN:
        shown = RAMPING
    elif mode == APPROACH:
        shown = APPROACHING
    elif mode == WITHOUT_OIL:
        shown = STANDING
    for c in range(m):
        y[m + c] += float(shown)
    y[2 * m] = t


def drive_block(
    tick: float,
    rest: Sequence[float],
    safety: RigSafety,
    faults: tuple[Fault, ...],
    engaged: bool = False,
    latched: bool = False,
) -> Block:
    """Make the drive of all actuators; an engaged one follows from the first tick on.

    That is the one behind a simulated link, which begins anew with every run and never latches.
    """
    m = len(rest)
    check_actuators(faults, m)
    safe = [r if safety.position is None else safety.position for r in rest]
    params = P.pack(
        actuators=m,
        tick=tick,
        timeout=safety.timeout,
        hold=safety.hold,
        rate=safety.rate,
        latch=0 if engaged else LATCHED,
        safe=[*safe, *rows_of(faults)],
    )
    none = [0.0] * m
    motion = MOTION.pack(position=rest, cut=[-1.0] * m, behind=none, lagged=none)
    states = X.pack(
        mode=FOLLOW if engaged else WAITING,
        session=1 if engaged else 0,
        releases=0,
        ticks=0,
        held=0,
        alarms=LATCHED if latched else 0,
        motion=motion,
    )
    return Block(drive, params, states, 2 * m + 1)
