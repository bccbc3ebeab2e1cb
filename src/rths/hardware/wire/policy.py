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

from numpy.typing import ArrayLike

from rths.hardware.wire.layout import MEASURED
from rths.hardware.wire.status import LINK_LOST
from rths.loop.block import Vector
from rths.loop.fields import fields, many, vectors
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
    scales=many("SCALES of the actuators; what a link without a wire needs follows"),
)
SCALES = vectors(length="length of the test for one of the rig", force="force likewise")
X = fields(
    sequence="number of the command",
    in_a_row="replies missed in a row",
    last="a",
    before="b",
    refused="packets refused",
    kept=many("KEPT of the actuators"),
    behind=many("buffers of a wire, or what a link without one remembers"),
)
ANSWER = vectors(**MEASURED.meaning)
"""What the test gets of the actuators at a tick: the first outputs."""
KEPT = vectors(
    **ANSWER.meaning,
    displacement_before="displacement of the answer before the last one, m",
    force_before="force of the answer before the last one, N",
)
"""The last answer, as the rig gave it, and what (2) needs of the one before."""
LINK_PORTS = (Port("round_trip", "s"), Port("missed"), Port("sequence"), Port("refused"))
"""Outputs behind the answers."""
PORT = fields(**{port.name: port.unit for port in LINK_PORTS})
"""Where each of them stands."""


def settle(x: Vector, p: Vector, y: Vector, fresh: bool, round_trip: float) -> int:
    """Give the outputs of a tick from the last answers, by the policy; say whether to go on."""
    m = int(p[P.actuators])
    x[X.in_a_row] = 0.0 if fresh else x[X.in_a_row] + 1.0
    lost = x[X.in_a_row] >= p[P.missed]
    ahead = 0.0
    if p[P.policy] == EXTRAPOLATE and x[X.before] > 0.0 and not fresh:
        ahead = min((x[X.sequence] - x[X.last]) / (x[X.last] - x[X.before]), 1.0)
    for c in range(m):
        length, scale = p[P.scales + SCALES.length * m + c], p[P.scales + SCALES.force * m + c]
        kept = X.kept + c
        d, f = x[kept + KEPT.displacement * m], x[kept + KEPT.force * m]
        if ahead > 0.0:
            d += (d - x[kept + KEPT.displacement_before * m]) * ahead  # (2)
            f += (f - x[kept + KEPT.force_before * m]) * ahead
        y[ANSWER.displacement * m + c] = d * length
        y[ANSWER.velocity * m + c] = x[kept + KEPT.velocity * m] * length
        y[ANSWER.force * m + c] = f * scale
        status = x[kept + KEPT.status * m] + (float(LINK_LOST) if lost else 0.0)
        y[ANSWER.status * m + c] = status
    ports = len(ANSWER) * m
    y[ports + PORT.round_trip] = round_trip
    y[ports + PORT.missed] = x[X.in_a_row]
    y[ports + PORT.sequence] = x[X.last]
    y[ports + PORT.refused] = x[X.refused]
    return 1 if lost and p[P.policy] == TRIP else 0  # (3)


def make_room(x: Vector, m: int) -> None:
    """Make the last answer the one before it: a new one is to be kept."""
    x[X.before] = x[X.last]
    x[X.last] = x[X.sequence]
    for c in range(m):
        x[X.kept + KEPT.displacement_before * m + c] = x[X.kept + KEPT.displacement * m + c]
        x[X.kept + KEPT.force_before * m + c] = x[X.kept + KEPT.force * m + c]


def first_state(rest: Sequence[float], behind: ArrayLike) -> Vector:
    """Give the state before the first tick: at rest, nothing answered."""
    none = [0.0] * len(rest)
    kept = KEPT.pack(
        displacement=rest,
        velocity=none,
        force=none,
        status=none,
        displacement_before=rest,
        force_before=none,
    )
    made: Vector = X.pack(
        sequence=0, in_a_row=0, last=0, before=0, refused=0, kept=kept, behind=behind
    )
    return made


def explain_loss(halt: Halt) -> Stop:
    """Say what the one stop code of a link means."""
    ports = len(ANSWER) * int(halt.placed.block.params[P.actuators])
    missed = halt.outputs[ports + PORT.missed]
    text = f"stopped {halt.when}: link lost: {missed:.0f} replies missed in a row"
    return halt.stop("block", text, block=halt.placed.label, code=halt.code)


def session_place(actuators: int) -> int:
    """Give the state at which a wire's buffers begin: number and key of the session, packet out."""
    return X.kept + len(KEPT) * actuators  # type: ignore[no-any-return]
