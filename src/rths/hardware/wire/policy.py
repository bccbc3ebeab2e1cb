"""What a link gives at a tick whether or not an answer came.

    hold         y_k = y_a                                                                    (1)
    extrapolate  y_k = y_a + (y_a - y_b) min((k - a) / (a - b), 1)                            (2)
    trip         as hold, and the step answers with code 1 after M missed replies             (3)

a and b are the numbers of the last two answers that were accepted, M the number of missed replies
in a row that means loss of the link. (2) goes no further than from b to a: noise with the standard
deviation σ makes a step of 1.4 σ of its own, where a line over M ticks would make 1.4 M σ of it. In
a test with a way to safety (3) is (1): the loss is in the status, the guard link_lost trips on it,
and the command is led to safety.
"""

from __future__ import annotations

from collections.abc import Sequence

from rths.hardware.wire.status import LINK_LOST
from rths.loop.block import Vector
from rths.loop.fields import fields, many
from rths.loop.halt import Halt
from rths.loop.port import Port
from rths.loop.stop import Stop

POLICIES = ("hold", "extrapolate", "trip")
HOLD, EXTRAPOLATE, TRIP = range(len(POLICIES))
P = fields(
    actuators="m",
    policy="which of POLICIES",
    missed="M, missed replies that mean loss of the link",
    timeout="time to wait for a reply, ns",
    transport="how the wire is called",
    handle="number of the socket, or address of the memory",
    period="tick, ns",
    flags="what is sent beside the command, and whether the rig is armed",
    scales=many("length of the test for one of the rig of each actuator, then force"),
)
X = fields(
    sequence="number of the command",
    in_a_row="replies missed in a row",
    last="a",
    before="b",
    refused="packets refused",
    kept=many(
        "displacements, velocities, forces, status of the last answer, then displacements and "
        "forces of the one before; a wire's buffers follow"
    ),
)
MISSED = Port("missed")
LINK_PORTS = (Port("round_trip", "s"), MISSED, Port("sequence"), Port("refused"))
"""Outputs after displacements, velocities, forces and status."""


def settle(x: Vector, p: Vector, y: Vector, fresh: bool, round_trip: float) -> int:
    """Give the outputs of a tick from the last answers, by the policy; say whether to go on."""
    m = int(p[P.actuators])
    x[X.in_a_row] = 0.0 if fresh else x[X.in_a_row] + 1.0
    lost = x[X.in_a_row] >= p[P.missed]
    ahead = 0.0
    if p[P.policy] == EXTRAPOLATE and x[X.before] > 0.0 and not fresh:
        ahead = min((x[X.sequence] - x[X.last]) / (x[X.last] - x[X.before]), 1.0)
    for c in range(m):
        length, scale, k = p[P.scales + c], p[P.scales + m + c], X.kept + c
        d, f = x[k], x[k + 2 * m]
        if ahead > 0.0:
            d += (d - x[k + 4 * m]) * ahead  # (2)
            f += (f - x[k + 5 * m]) * ahead
        y[c] = d * length
        y[m + c] = x[k + m] * length
        y[2 * m + c] = f * scale
        y[3 * m + c] = x[k + 3 * m] + (float(LINK_LOST) if lost else 0.0)
    y[4 * m] = round_trip
    y[4 * m + 1] = x[X.in_a_row]
    y[4 * m + 2] = x[X.last]
    y[4 * m + 3] = x[X.refused]
    return 1 if lost and p[P.policy] == TRIP else 0  # (3)


def make_room(x: Vector, m: int) -> None:
    """Make the last answer the one before it: a new one is to be kept."""
    x[X.before] = x[X.last]
    x[X.last] = x[X.sequence]
    for c in range(m):
        x[X.kept + 4 * m + c] = x[X.kept + c]
        x[X.kept + 5 * m + c] = x[X.kept + 2 * m + c]


def first_state(rest: Sequence[float]) -> list[float]:
    """Give the state before the first tick: at rest, nothing answered."""
    m = len(rest)
    return [0.0] * X.kept + [*rest] + [0.0] * (3 * m) + [*rest] + [0.0] * m


def explain_loss(halt: Halt) -> Stop:
    """Say what the one stop code of a link means."""
    first = 4 * int(halt.placed.block.params[P.actuators])
    missed = halt.outputs[first + LINK_PORTS.index(MISSED)]
    text = f"stopped {halt.when}: link lost: {missed:.0f} replies missed in a row"
    return halt.stop("block", text, block=halt.placed.label, code=halt.code)


def session_place(actuators: int) -> int:
    """Give the state at which a wire's buffers begin: number and key of the session, packet out."""
    return X.kept + 6 * actuators  # type: ignore[no-any-return]
