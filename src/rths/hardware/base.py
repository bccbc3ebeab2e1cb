"""What every link to a rig has: a block that turns commands into measurements, and a wire.

A live test has one link for all actuators in the place of transfer and specimen. A rehearsal of the
same plan does not need it: there the plan's own transfer and specimen answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from rths.description import describe
from rths.errors import InputError
from rths.hardware.wire import layout as wire
from rths.hardware.wire.keyed_hash import PUBLIC
from rths.hardware.wire.policy import (
    ANSWER,
    LINK_PORTS,
    POLICIES,
    SCALES,
    P,
    X,
    explain_loss,
    first_state,
    session_place,
)
from rths.hardware.wire.session import NOBODY, Session
from rths.hardware.wire.session import WORDS as SESSION_WORDS
from rths.loop.block import Block, Vector
from rths.loop.layout import Layout
from rths.loop.port import Port
from rths.quantity import Count, Duration
from rths.registry import register
from rths.site import Site

__all__ = ["Hardware", "Line", "WiredHardware", "attach", "describe", "register", "send_goodbye"]


@dataclass(frozen=True, eq=False)
class Line:
    """An open wire: how it is called from compiled code, and who keeps it open."""

    transport: int
    handle: int
    """Number of the socket, or address of the memory."""
    kept: Any = None
    """What must live as long as the wire."""
    send: Callable[[bytes], Any] = len
    """Sends bytes from Python; nowhere if the wire is none."""
    receive: Callable[[], bytes | None] = lambda: None
    """Takes what came, from Python and without waiting; None if nothing did."""
    shut: Callable[[], None] = lambda: None
    where: str = ""
    """Where it can be reached, in words."""
    key: bytes = field(default=PUBLIC, repr=False)
    """The key that both ends share; all zeros if there is none."""
    session: Session = NOBODY
    """The session that a greeting began."""

    def close(self) -> None:
        """Close the wire."""
        self.shut()


@describe
class Hardware:
    """Base of all links: one block for all channels, called every tick."""

    role: ClassVar[str] = "hardware"
    kind: ClassVar[str]
    example: ClassVar[Mapping[str, Any]]
    """Fields of a working member: what tests, benches and ``rths explain`` take."""
    simulated: ClassVar[bool] = False
    """Whether the plan's own transfer and specimen stand behind the link."""
    ports: ClassVar[tuple[Port, ...]] = LINK_PORTS
    """What the block writes after displacement, velocity, force and status of all actuators."""

    policy: Literal["hold", "extrapolate", "trip"] = "hold"
    """What stands for a reply that did not come in time: the last one, a straight line through the
    last two that goes on by their distance at the most, or the last one until the link is lost and
    the test ends; with [safety] every loss of the link leads to safety."""
    missed: Count = 10
    """Missed replies in a row that count as loss of the link."""
    timeout: Duration | None = None
    """How long a tick waits for its reply, s; half a tick if not given."""

    @property
    def inputs(self) -> tuple[str, ...]:
        """Signals that are sent, each with an element for every actuator."""
        return ("compensator.command",)

    @property
    def place(self) -> str:
        """Where the rig is looked for, in words; nowhere if there is no wire."""
        return ""

    def patience(self, tick: float) -> float:
        """Give the time-out, s; it must leave something of the tick."""
        wait = 0.5 * tick if self.timeout is None else self.timeout
        if wait >= tick:
            raise InputError(
                "hardware.timeout",
                wait,
                f"is not shorter than the tick of {tick:g} s",
                f"Wait at most {0.8 * tick:.3g} s.",
            )
        return wait

    def params(self, site: Site, scales: Sequence[tuple[float, float]], flags: int) -> Vector:
        """Give the parameters of a link's block, its wire not yet attached."""
        made: Vector = P.pack(
            actuators=len(scales),
            policy=POLICIES.index(self.policy),
            missed=self.missed,
            timeout=round(1e9 * self.patience(site.tick)),
            transport=0,
            handle=-1,
            period=round(1e9 * site.tick),
            flags=flags,
            scales=SCALES.pack(length=[s[0] for s in scales], force=[s[1] for s in scales]),
        )
        return made

    def block(self, site: Site, rest: Vector, scales: Sequence[tuple[float, float]]) -> Block:
        """Yield the block inputs -> displacement, velocity, force, status, ports.

        ``rest`` are the displacements before the first tick and ``scales`` length and force of the
        test for one of the rig, for each actuator.
        """
        raise NotImplementedError

    def open(self) -> Line:
        """Open the wire at the loop's end; done once, in the process that runs the loop."""
        raise NotImplementedError

    def serve(self) -> Line:
        """Open the wire at the rig's end."""
        raise NotImplementedError


@describe
class WiredHardware(Hardware):
    """Base of links whose rig is another process or machine."""

    velocity: str | None = None
    """Signal to send as the velocity command, such as integrator.velocity; none if not given."""
    force: str | None = None
    """Signal to send as force feed-forward, such as feedback.force; none if not given."""
    key: str | None = None
    """File with the key that loop and rig share, beginning with / or ~; without one only rigs on
    this machine are spoken to."""

    @property
    def inputs(self) -> tuple[str, ...]:
        """Command, then velocity and force if they are to be sent."""
        return ("compensator.command", *(s for s in (self.velocity, self.force) if s is not None))

    def block(self, site: Site, rest: Vector, scales: Sequence[tuple[float, float]]) -> Block:
        """Yield the block that sends a packet and waits for its answer."""
        from rths.hardware.wire.link import buffers, link

        if len(scales) > wire.MOST:
            problem = f"has no room for {len(scales)} actuators in a packet"
            raise InputError("hardware.kind", self.kind, problem, f"Use {wire.MOST} at the most.")
        own = [d / s[0] for d, s in zip(rest.tolist(), scales, strict=True)]
        flags = wire.HAS_VELOCITY * (self.velocity is not None)
        flags |= wire.HAS_FORCE * (self.force is not None)
        states = first_state(own, [0.0] * buffers(len(own)))
        outputs = len(ANSWER) * len(own) + len(self.ports)
        params = self.params(site, scales, flags)
        return Block(link, params, states, outputs, explains=explain_loss)


def attach(line: Line, layout: Layout, arena: Vector) -> None:
    """Give an open wire and its session to the link of a wired test."""
    for placed, place in zip(layout.placed, layout.places, strict=True):
        if placed.role == "hardware" and line.handle >= 0:
            arena[place.p + P.transport] = line.transport
            arena[place.p + P.handle] = line.handle
            words = line.session.words
            first = place.x + session_place(int(arena[place.p + P.actuators]))
            arena[first : first + len(words)].view(words.dtype)[:] = words


def send_goodbye(line: Line, layout: Layout, arena: Vector, tripped: bool = False) -> None:
    """Send the last command of a session once more: the rig may return to its safe position.

    After a trip it is told so, and latches. Was it to release its pressure, it is told again: it
    may have heard nothing of that.
    """
    from rths.hardware.wire.packet import Packet

    for placed, place in zip(layout.placed, layout.places, strict=True):
        number = int(arena[place.x + X.sequence]) if placed.role == "hardware" else 0
        if number == 0 or line.handle < 0:
            continue
        m = int(arena[place.p + P.actuators])
        out = place.x + session_place(m) + SESSION_WORDS
        body, word = out + wire.HEADER_WORDS, out + wire.TO_FLAGS // 8
        sent = int(arena[word : word + 1].view("int64")[0])
        each = len(wire.COMMANDED)
        values = tuple((d, 0.0, 0.0) for d in arena[body : body + each * m : each].tolist())
        flags = wire.GOODBYE | (wire.TRIPPED if tripped else 0) | sent & wire.RELEASE_PRESSURE
        session = line.session
        packet = Packet(wire.COMMAND, number + 1, 0, session.number, values, flags)
        with suppress(OSError):  # a rig that is gone needs no goodbye
            line.send(packet.pack(session.key))
