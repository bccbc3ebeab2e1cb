"""The latch looks at all guards before the command leaves, and decides in which phase a test is.

The first guard that trips is kept with its value and its tick; from that tick on no command passes,
and once every channel has arrived at the safe position the test ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rths.loop.block import FINITE, Block, Vector, kernel
from rths.loop.fields import fields, many
from rths.loop.halt import Halt
from rths.loop.row import GO_ON
from rths.loop.stop import Stop
from rths.safety.bounds import BOUNDS
from rths.safety.guided_path import TO_NO_FORCE, guided_path
from rths.safety.guided_path import P as PATH
from rths.safety.phase import ARRIVED, RAMPING_IN, RAMPING_OUT, RUNNING, TRIPPED
from rths.safety.relief import explain_relief, relieve

if TYPE_CHECKING:
    from rths.loop.cycle import Cycle

BY_TRIP, BY_OPERATOR, AS_PLANNED = 1, 2, 3
"""Codes with which the latch ends a test."""
LATCH = ("phase", "trip", "value", "tick")
"""What the latch writes."""
P = fields(
    planned="ticks planned",
    fading="ticks of the fade",
    guards="how many guards there are",
    each=many("GUARD of each of them"),
)
GUARD = fields(late="ticks by which it is late", lasting="whether it counts while ramping out")
X = fields(
    tick="ticks so far",
    phase="phase of the test",
    end="code with which the test is to end, or 0",
    trip="number of the guard that tripped, from 1, or 0",
    value="its value",
    tripped="its tick",
)


@kernel
def latch(x: Vector, p: Vector, u: Vector, y: Vector) -> int:
    # u = level and value of each guard, the operator's request, path of each channel
    # y = phase, number of the guard that tripped, its value, its tick
    guards = int(p[P.guards])
    k = x[X.tick]
    x[X.tick] += 1.0
    if x[X.phase] == RAMPING_IN and k >= p[P.fading]:
        x[X.phase] = RUNNING
    for g in range(guards):
        own = P.each + len(GUARD) * g
        lasts = x[X.phase] == RAMPING_OUT and p[own + GUARD.lasting] != 0.0
        if (x[X.phase] < RAMPING_OUT or lasts) and u[2 * g] >= 2.0:
            x[X.phase], x[X.end] = TRIPPED, BY_TRIP
            x[X.trip], x[X.value] = g + 1.0, u[2 * g + 1]
            x[X.tripped] = k - p[own + GUARD.late]
    if x[X.phase] < RAMPING_OUT:
        if u[2 * guards] != 0.0:
            x[X.phase], x[X.end] = RAMPING_OUT, BY_OPERATOR
        elif k >= p[P.planned]:
            x[X.phase], x[X.end] = RAMPING_OUT, AS_PLANNED
    y[0], y[1], y[2], y[3] = x[X.phase], x[X.trip], x[X.value], x[X.tripped]
    for c in range(2 * guards + 1, u.size):
        if u[c] != ARRIVED:
            return 0
    return int(x[X.end])


def latch_block(planned: int, fading: int, guards: Sequence[tuple[int, bool]]) -> Block:
    """Latch guards; each is late by some ticks and counts while ramping out, or does not."""
    each = [GUARD.pack(late=late, lasting=lasting) for late, lasting in guards]
    params = P.pack(planned=planned, fading=fading, guards=len(guards), each=each)
    first = RAMPING_IN if fading else RUNNING
    states = X.pack(tick=0, phase=first, end=0, trip=0, value=0, tripped=0)
    return Block(latch, params, states, len(LATCH), counters=[X.tick], explains=explain_end)


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
    low, high = guard.block.params[[BOUNDS.trip_low, BOUNDS.trip_high]].tolist()
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


def find_trip(cycle: Cycle) -> Stop | None:
    """Give the trip of a test whose loop has ended otherwise, on the way to safety; None if none.

    The latch says it itself, with what it has kept.
    """
    for k, placed in enumerate(cycle.layout.placed):
        if placed.block.kernel is latch:
            x = cycle.layout.places[k].x
            if cycle.arena[x + X.phase] == TRIPPED:
                return cycle.stop_of(k, GO_ON + BY_TRIP)
    return None


def _explain_rest(halt: Halt) -> str:
    """Say where the path has led to."""
    first = 2 * int(halt.placed.block.params[P.guards]) + 1
    if (halt.arena[list(halt.placed.inputs[first:])] != ARRIVED).any():
        return "on the way to safety"
    path = next((p for p in halt.layout.placed if p.block.kernel is guided_path), None)
    unloaded = path is not None and path.block.params[PATH.way] == TO_NO_FORCE
    return "with the force released" if unloaded else "at the safe position"
