"""The plan's own transfer and specimen behind a link that keeps the contract of all links.

    y_k = measurement of tick k - n, if it was not lost on the way                             (1)

Without faults and delay a live run gives the numbers of the rehearsal, bit for bit. With faults it
shows, by a virtual clock and repeatably, what a test does when replies are lost or come late and
when sensors, oil or operator fail. Use it before a rig is connected.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import ClassVar

from rths.errors import InputError
from rths.hardware.base import Hardware, Line, describe, register
from rths.hardware.emulated import fault
from rths.hardware.emulated.fault import Fault, active_value, draw_random, parse_fault, rows_of
from rths.hardware.wire.policy import (
    ANSWER,
    KEPT,
    SCALES,
    P,
    X,
    explain_loss,
    first_state,
    make_room,
    settle,
)
from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields, many
from rths.quantity import Index
from rths.site import Site

LOSS, JITTER = fault.LOSS, fault.JITTER
OWN = fields(late="n, ticks of delay", faults=many("ROW of each fault"))
"""Parameters behind those of a link."""
MEMORY = fields(
    random="state of the random numbers",
    newest="place of the newest measurement",
    measured=many("n + 1 measurements, ANSWER of the actuators each"),
)
"""States behind those of a link."""


@kernel
def step(x: Vector, p: Vector, u: Vector, y: Vector) -> int:
    # u = ANSWER of the actuators, time
    m = int(p[P.actuators])
    own, first, t = P.scales + len(SCALES) * m, X.kept + len(KEPT) * m, u[len(ANSWER) * m]
    n, faults, place = int(p[own + OWN.late]), own + OWN.faults, first + MEMORY.random
    x[X.sequence] += 1.0
    newest = int(x[first + MEMORY.newest])
    oldest = 0 if newest == n else newest + 1
    for i in range(len(ANSWER) * m):
        x[first + MEMORY.measured + newest * len(ANSWER) * m + i] = u[i]
    x[first + MEMORY.newest] = float(oldest)
    fresh, round_trip = True, 0.0
    odds = active_value(p, faults, LOSS, -1, t)
    if odds >= 0.0:
        fresh = draw_random(x, place) >= odds
    longest = active_value(p, faults, JITTER, -1, t)
    if longest >= 0.0:
        round_trip = draw_random(x, place) * longest
        if round_trip > 1e-9 * p[P.timeout]:
            x[X.refused] += 1.0 if fresh else 0.0  # it comes with the next tick, too late
            fresh = False
    if fresh:
        make_room(x, m)
        for i in range(len(ANSWER) * m):  # KEPT begins as ANSWER does
            x[X.kept + i] = x[first + MEMORY.measured + oldest * len(ANSWER) * m + i]  # (1)
    else:
        round_trip = 1e-9 * p[P.timeout]
    return settle(x, p, y, fresh, round_trip)


@register
@describe
class Simulated(Hardware):
    """A link without a wire: the rehearsal, live."""

    example = {"late": 1}

    simulated: ClassVar[bool] = True

    late: Index = 0
    """Whole ticks by which measurements are late, as with a rig that has a clock of its own."""
    faults: tuple[str, ...] = ()
    """What goes wrong and when, as in "loss=0.1@2+1" or "stuck_force@3:0"."""

    def __post_init__(self) -> None:
        """Refuse a fault that does not exist, or that needs a clock."""
        for text, found in zip(self.faults, self.parsed_faults, strict=True):
            if found.kind == fault.CLOCK:
                problem = "needs a rig with a clock of its own"
                remedy = f"Start one: rths rig PLAN --fault {text}."
                raise InputError("hardware.faults", text, problem, remedy)

    @cached_property
    def parsed_faults(self) -> tuple[Fault, ...]:
        """The faults, read."""
        return tuple(parse_fault(text) for text in self.faults)

    def block(self, site: Site, rest: Vector, scales: Sequence[tuple[float, float]]) -> Block:
        """Yield the block measurements of the simulated rig -> what the test gets of them."""
        own = [d / s[0] for d, s in zip(rest.tolist(), scales, strict=True)]
        none = [0.0] * len(own)
        row = ANSWER.pack(displacement=own, velocity=none, force=none, status=none)
        memory = MEMORY.pack(random=site.seed, newest=0, measured=[row] * (self.late + 1))
        behind = OWN.pack(late=self.late, faults=rows_of(self.parsed_faults))
        params = [*self.params(site, scales, 0), *behind]
        outputs = row.size + len(self.ports)
        return Block(step, params, first_state(own, memory), outputs, explains=explain_loss)

    def open(self) -> Line:
        """Give a wire that is none."""
        return Line(-1, -1)

    def serve(self) -> Line:
        """Give a wire that is none."""
        return Line(-1, -1)
