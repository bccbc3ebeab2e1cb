"""The latch looks at all guards before the command leaves, and decides in which phase a test is.

The first guard that trips is kept with its value and its tick; from that tick on no command passes,
and once every channel has arrived at the safe position the test ends.
"""

from __future__ import annotations

from collections.abc import Sequence

from rths.loop.block import FINITE, Block, Vector, kernel
from rths.loop.halt import Halt
from rths.loop.stop import Stop
from rths.safety.guided_path import TO_NO_FORCE, P, guided_path
from rths.safety.phase import ARRIVED, RAMPING_IN, RAMPING_OUT, RUNNING, TRIPPED
from rths.safety.relief import explain_relief, relieve

BY_TRIP, BY_OPERATOR, AS_PLANNED = 1, 2, 3
"""Codes with which the latch ends a test."""
LATCH = ("phase", "trip", "value", "tick")
"""What the latch writes."""


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


def latch_block(planned: int, fading: int, guards: Sequence[tuple[int, bool]]) -> Block:
    """Latch guards; each is late by some ticks and counts while ramping out, or does not."""
    each = [float(v) for guard in guards for v in guard]
    first = RAMPING_IN if fading else RUNNING
    states = [0.0, first, 0.0, 0.0, 0.0, 0.0]
    params = [float(planned), float(fading), float(len(guards)), *each]
    return Block(latch, params, states, len(LATCH), counters=(0,), explains=explain_end)


def explain_end(halt: Halt) -> Stop:
    """Say why a latch has ended the test: which guard, on which signal, at which value and tick."""
    if halt.code == AS_PLANNED:
        return halt.stop("completed", "completed")
    if halt.code == BY_OPERATOR:
        return halt.stop("interrupted", f"ended {halt.when}: the operator ramped it out")
    _, number, value, at = halt.outputs.tolist()
    level = halt.placed.inputs[2 * (int(number) - 1)]
    guard = next(p for p in halt.layout.placed if level in p.output_slots)
    name, signal = guard.owner.name, halt.layout.slot_name(guard.inputs[0])
    low, high = guard.block.params[2:4].tolist()
    limit: tuple[float, float] | None = (low, high)
    found = f" on {signal}: {value:.6g} {_beyond(value, low, high)}"
    if guard.block.kernel is relieve:  # it was ramping out, and no guard had tripped
        signal, limit, found = guard.label, None, ""
    text = (
        f"tripped at tick {int(at)} (t = {at * halt.interval:.6g} s) by {name}{found}; "
        f"ended {halt.when}, {explain_relief(halt) or _explain_rest(halt)}"
    )
    return halt.stop(
        "trip", text, signal=signal, value=value, limit=limit,
        block=guard.label, guard=name, tripped=int(at),
    )  # fmt: skip


def _beyond(value: float, low: float, high: float) -> str:
    if not -FINITE <= value <= FINITE:
        return "is not finite"
    return f"is above {high:g}" if value > high else f"is below {low:g}"


def _explain_rest(halt: Halt) -> str:
    """Say where the path has led to."""
    path = next((p for p in halt.layout.placed if p.block.kernel is guided_path), None)
    unloaded = path is not None and path.block.params[P.way] == TO_NO_FORCE
    return "with the force released" if unloaded else "at the safe position"
