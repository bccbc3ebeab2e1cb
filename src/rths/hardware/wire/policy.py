"""What a link gives at a tick whether or not an answer came.

    hold         y_k = y_a                                                                    (1)
    extrapolate  y_k = y_a + (y_a - y_b) min(k - a, M) / (a - b)                              (2)
    trip         as hold, and the step answers with code 1 after M missed replies             (3)

a and b are the numbers of the last two answers that were accepted, M the number of missed replies
in a row that means loss of the link. In a test with a way to safety (3) is (1): the loss is in the
status, the guard link_lost trips on it, and the command is led to safety.
"""

from __future__ import annotations

from collections.abc import Sequence

from rths.hardware.wire.status import LINK_LOST
from rths.loop.block import Vector
from rths.loop.halt import Halt
from rths.loop.stop import Stop

POLICIES = ("hold", "extrapolate", "trip")
ACTUATORS, POLICY, MISSED, TIMEOUT, TRANSPORT, HANDLE, SESSION, PERIOD, FLAGS = range(9)
SETTINGS = 9
"""Parameters: the names above, then for each actuator length and force at the test's scale for one
at the rig's."""
SEQUENCE, IN_A_ROW, LAST, BEFORE, REFUSED = range(5)
KEPT = 5
"""States: the names above, then displacements, velocities, forces, status of the last answer, then
displacements and forces of the one before; a wire's buffers follow."""
REPORTS = ("round_trip", "missed", "sequence", "refused")
"""Outputs after displacements, velocities, forces and status."""


def settle(x: Vector, p: Vector, y: Vector, fresh: bool, round_trip: float) -> int:
    """Give the outputs of a tick from the last answers, by the policy; say whether to go on."""
    m = int(p[ACTUATORS])
    x[IN_A_ROW] = 0.0 if fresh else x[IN_A_ROW] + 1.0
    lost = x[IN_A_ROW] >= p[MISSED]
    ahead = 0.0
    if p[POLICY] == 1.0 and x[BEFORE] > 0.0 and not fresh:
        ahead = min(x[SEQUENCE] - x[LAST], p[MISSED]) / (x[LAST] - x[BEFORE])
    for c in range(m):
        length, scale, k = p[SETTINGS + c], p[SETTINGS + m + c], KEPT + c
        d, f = x[k], x[k + 2 * m]
        if ahead > 0.0:
            d += (d - x[k + 4 * m]) * ahead  # (2)
            f += (f - x[k + 5 * m]) * ahead
        y[c] = d * length
        y[m + c] = x[k + m] * length
        y[2 * m + c] = f * scale
        y[3 * m + c] = x[k + 3 * m] + (float(LINK_LOST) if lost else 0.0)
    y[4 * m] = round_trip
    y[4 * m + 1] = x[IN_A_ROW]
    y[4 * m + 2] = x[LAST]
    y[4 * m + 3] = x[REFUSED]
    return 1 if lost and p[POLICY] == 2.0 else 0  # (3)


def make_room(x: Vector, m: int) -> None:
    """Make the last answer the one before it: a new one is to be kept."""
    x[BEFORE] = x[LAST]
    x[LAST] = x[SEQUENCE]
    for c in range(m):
        x[KEPT + 4 * m + c] = x[KEPT + c]
        x[KEPT + 5 * m + c] = x[KEPT + 2 * m + c]


def first_state(rest: Sequence[float]) -> list[float]:
    """Give the state before the first tick: at rest, nothing answered."""
    m = len(rest)
    return [0.0] * KEPT + [*rest] + [0.0] * (3 * m) + [*rest] + [0.0] * m


def explain_loss(halt: Halt) -> Stop:
    """Say what the one stop code of a link means."""
    missed = halt.outputs[4 * int(halt.placed.block.params[ACTUATORS]) + REPORTS.index("missed")]
    text = f"stopped {halt.when}: link lost: {missed:.0f} replies missed in a row"
    return halt.stop("block", text, block=halt.placed.label, code=halt.code)
