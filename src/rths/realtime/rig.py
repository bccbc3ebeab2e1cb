"""A rig that is not there: transfer and specimen of a plan in a process of its own.

It answers a loop over the wire of the plan's hardware as a controller would, moves by its own
clock, and looks after itself: see hardware/emulated/drive.py for its safety and fault.py for what
can be made to go wrong.
"""

from __future__ import annotations

import gc
import secrets
import struct
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import inf

import numpy as np

from rths.assembly.hybrid_test import HybridTest
from rths.assembly.live import LiveConnection, RigParts
from rths.assembly.tick import move_rig
from rths.errors import InputError
from rths.hardware.base import Hardware, Line
from rths.hardware.emulated import fault
from rths.hardware.emulated.drive import RigSafety
from rths.hardware.emulated.fault import Fault
from rths.hardware.emulated.protection import Limits
from rths.hardware.wire.greeting import (
    CAUSE,
    NAME_BYTES,
    RELEASE_WORDS,
    SECOND,
    pad_text,
    read_text,
    release_words,
    welcome_words,
)
from rths.hardware.wire.layout import COMMAND, MEASUREMENT, words_of
from rths.hardware.wire.medium import MEMORY, SCRATCH
from rths.loop.layout import Layout
from rths.loop.table import table_of
from rths.realtime import rig_words
from rths.realtime.machine import PRIORITY, claim
from rths.realtime.rig_memory import RigMemory
from rths.realtime.serving import load_serve, state_words
from rths.site import Site

VISIT = 0.05
"""Seconds that compiled code serves before Python looks whether to go on."""
SLOWEST, FASTEST = 1.0, 100_000.0
"""Ticks per second that a rig may have."""
NO_LIMITS: Limits = (inf, inf, inf, inf)
ON_THE_WIRE = (fault.LOSS, fault.JITTER, fault.CLOCK)
"""Faults of the wire and the clock; all others are inside the rig."""


class RigConnection(LiveConnection):
    """Wires the rig of a plan and nothing else, at the rig's own tick."""

    def __init__(self, test: HybridTest, hardware: Hardware, tick: float) -> None:
        self.own_tick = tick
        super().__init__(test, None, hardware)

    @property
    def moves_plant(self) -> bool:
        """They are this rig."""
        return True

    def site(self, role: str, channel: int, interval: float) -> Site:
        """Tell a block where it stands: at the rig's clock."""
        return replace(
            super().site(role, channel, interval), tick=self.own_tick, interval=self.own_tick
        )

    def lay_out(
        self,
        safety: RigSafety,
        faults: tuple[Fault, ...],
        latched: bool,
        limits: tuple[Limits, ...],
    ) -> Layout:
        """Lay out safety, actuators, specimens and sensors."""
        self.reserve_signals()
        self.reserve_rig(RigParts(self.own_tick, safety, faults, False, latched, limits))
        move_rig(self)
        return Layout.of(self.w, ["rig.measured"])


@dataclass(frozen=True)
class Rig:
    """What an emulated rig is made of."""

    test: HybridTest
    safety: RigSafety = field(default_factory=RigSafety)
    faults: tuple[Fault, ...] = ()
    rate: float | None = None
    """Ticks per second of the rig; those of the plan if not given."""
    triggered: bool = False
    """Whether it moves with each command instead of by its own clock."""
    identity: str = ""
    """Who it is, at most 64 bytes of text; name of the test and place of the wire if not given."""
    limits: tuple[Limits, ...] | None = None
    """Limits of each actuator: a loop is told, and what is beyond them ends a session. Those of the
    file that the plan names as its rig's if not given."""
    two_names: bool = False
    """Whether two people must release it."""
    memory: RigMemory = field(default_factory=RigMemory)
    """What it keeps over a restart."""

    def __post_init__(self) -> None:
        """Refuse a clock that cannot be kept, and faults that this rig cannot have."""
        if self.rate is not None and not SLOWEST <= self.rate <= FASTEST:
            problem, remedy = "cannot be kept", f"Give {SLOWEST:g} to {FASTEST:g} ticks per second."
            raise InputError("rig.rate", self.rate, problem, remedy)
        if len(self.identity.encode()) > NAME_BYTES:
            remedy = f"Give {NAME_BYTES} bytes of text at the most."
            raise InputError("rig.identity", self.identity, "is too long for a packet", remedy)
        if self.limits is not None and len(self.limits) != self.test.channels:
            remedy = f"Give four numbers for each of {self.test.channels} actuator(s)."
            raise InputError("rig.limits", self.limits, "are not those of the actuators", remedy)
        if not all(limit > 0.0 for own in self.own_limits for limit in own):
            remedy = "Give a number above 0 for each, or inf for none."
            raise InputError("rig.limits", self.limits, "cannot all be limits", remedy)
        fault.check_actuators(self.faults, self.test.channels)
        for kind in ON_THE_WIRE:
            if sum(f.kind == kind for f in self.faults) > 1:
                name = list(fault.NAMES)[kind]
                problem = "is given more than once, and a wire has it once"
                raise InputError("fault", name, problem, f"Give one {name} with a longer LENGTH.")

    @property
    def own_limits(self) -> tuple[Limits, ...]:
        """Limits of each actuator; nothing if none are known."""
        if self.limits is not None or self.test.rig is None:
            return self.limits or ()
        return tuple(
            (max(map(abs, a.stroke)), a.velocity, a.acceleration, a.force)
            for a in self.test.rig.rig.actuators(self.test.channels)
        )

    @property
    def hardware(self) -> Hardware:
        """The link of the plan, which must have a wire."""
        found = self.test.hardware
        if found is None or found.simulated:
            raise InputError(
                "hardware.kind",
                found.kind if found else None,
                "has no wire to a rig",
                'Give the plan a table [hardware] with kind = "udp" or "shared_memory".',
            )
        return found

    def serve(
        self,
        line: Line,
        seconds: float = inf,
        wanted: Callable[[Serving], bool] = lambda serving: True,
    ) -> Serving:
        """Serve for some time, as long as it is wanted."""
        serving = Serving(self, line)
        end = time.monotonic() + seconds
        gc_was = gc.isenabled()
        gc.disable()
        try:
            while time.monotonic() < end and wanted(serving):
                serving.advance(min(VISIT, end - time.monotonic()))
        finally:
            if gc_was:
                gc.enable()
        return serving


class Serving:
    """A rig at work: its arena and its counters."""

    def __init__(self, rig: Rig, line: Line) -> None:
        self._line = line  # compiled code uses its memory: keep it mapped
        self.memory, self._noted = rig.memory, 0
        tick = rig.test.tick if rig.rate is None or rig.triggered else 1 / rig.rate
        inside = tuple(f for f in rig.faults if f.kind not in ON_THE_WIRE)
        connection = RigConnection(rig.test, rig.hardware, tick)
        self.layout = connection.lay_out(
            rig.safety, inside, latched=self.memory.latch != 0, limits=rig.own_limits
        )
        self.arena = self.layout.initial.copy()
        self._table = table_of(
            self.layout, self.arena, [p.block.kernel.address for p in self.layout.placed]
        )
        m = rig.test.channels
        self._inbox = np.zeros(max(words_of(COMMAND, m), release_words()) + 1)
        self._outbox = np.zeros(max(words_of(MEASUREMENT, m), welcome_words(m)))
        self._scratch, self._odds = np.zeros(SCRATCH, np.int64), _odds(rig.faults)
        self._serve = load_serve()
        fast = next((f.value for f in rig.faults if f.kind == fault.CLOCK), 0.0)
        self.state = state_words(m)
        given = {
            rig_words.TRANSPORT: line.transport,
            rig_words.HANDLE: line.handle,
            rig_words.ACTUATORS: m,
            rig_words.PERIOD: round(1e9 * tick / (1 + fast)),
            rig_words.TRIGGERED: rig.triggered,
            rig_words.TIMEOUT: round(1e9 * rig.safety.timeout),
            rig_words.RANDOM: rig.test.seed + 1,
            rig_words.DUE: time.monotonic_ns(),
            rig_words.SEEN: _pending_count(line),
            rig_words.LATCH: self.memory.latch,
            rig_words.LATCHES: self.memory.latches,
            rig_words.TWO_NAMES: rig.two_names,
        }
        for place, value in given.items():
            self.state[place] = value
        self._give_secrets(line)
        name = rig.identity or f"{rig.test.name} at {line.where}"
        self._write(rig_words.IDENTITY, pad_text(name, NAME_BYTES))
        self._write(
            rig_words.LIMITS,
            b"".join(struct.pack("<4d", *own) for own in rig.own_limits or [NO_LIMITS] * m),
        )

    def _give_secrets(self, line: Line) -> None:
        """Write the key, the highest session, and a challenge that no rig had before."""
        self._write(rig_words.KEY, line.key)
        self._write(rig_words.SESSION, self.memory.session.to_bytes(16, "little"))
        self._write(rig_words.SEED, secrets.token_bytes(16))
        self._write(rig_words.CHALLENGE, secrets.token_bytes(16))

    def _write(self, place: int, data: bytes) -> None:
        words = np.frombuffer(data, np.int64)
        self.state[place : place + len(words)] = words

    def advance(self, seconds: float) -> None:
        """Serve without looking up, but to remember at once what must outlive the rig."""
        signals, bus = self.layout.signals, self.arena.ctypes.data
        at = {n: bus + 8 * signals[n].first for n in ("rig.command", "rig.wire", "rig.measured")}
        until = time.monotonic_ns() + round(1e9 * max(seconds, 0.0))
        given = (
            self.state.ctypes.data, self._table.rows.ctypes.data, len(self._table.rows),
            at["rig.command"], at["rig.wire"], at["rig.measured"], self._inbox.ctypes.data,
            self._outbox.ctypes.data, self._odds.ctypes.data, self._scratch.ctypes.data, until,
        )  # fmt: skip
        self._serve(*given)
        while time.monotonic_ns() < until:
            self.remember()
            self._serve(*given)
        self.remember()

    @property
    def status(self) -> int:
        """Status bits of all actuators together."""
        s = self.layout.signals["rig.measured"]
        bits = self.arena[list(s.slots[3 * s.width // 4 :])]
        return int(np.bitwise_or.reduce(bits.astype(np.int64)))

    @property
    def released_by(self) -> dict[str, str]:
        """Who has released the rig last, and the cause; nothing if nobody has."""
        if not self.state[rig_words.RELEASES]:
            return {}
        body = self.state[rig_words.RELEASED : rig_words.RELEASED + RELEASE_WORDS].tobytes()
        parts = (body[: 8 * SECOND], body[8 * SECOND : 8 * CAUSE], body[8 * CAUSE :])
        return dict(zip(("by", "second", "cause"), map(read_text, parts), strict=True))

    @property
    def outdated(self) -> int:
        """The version of the wire that a loop spoke and this rig does not; 0 if none did."""
        return int(self.state[rig_words.OUTDATED])

    def remember(self) -> None:
        """Keep what must outlive the rig."""
        state, session = self.state, slice(rig_words.SESSION, rig_words.SESSION + 2)
        known, releases = self.memory.releases, int(state[rig_words.RELEASES])
        if releases > self._noted:
            known, self._noted = [*known, self.released_by], releases
        self.memory.keep(
            latch=int(state[rig_words.LATCH]),
            latches=int(state[rig_words.LATCHES]),
            session=int.from_bytes(state[session].tobytes(), "little"),
            engaged=not state[rig_words.ENDED],
            releases=known,
        )

    @property
    def counts(self) -> dict[str, int]:
        """What came, what was refused, what was dropped on purpose, how often the rig moved."""
        names = ("accepted", "refused", "dropped", "moved", "slips")
        return {n: int(self.state[getattr(rig_words, n.upper())]) for n in names}


def _odds(faults: tuple[Fault, ...]) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Value, start and end of loss and jitter, for compiled code; never if there is none."""
    odds = np.array([0.0, inf, inf, 0.0, inf, inf])
    for place, kind in ((rig_words.LOSS, fault.LOSS), (rig_words.JITTER, fault.JITTER)):
        for f in (f for f in faults if f.kind == kind):
            odds[place : place + 3] = f.value, f.start, f.end
    return odds


def _pending_count(line: Line) -> int:
    """Count of the packet that lies in shared memory already: its loop may be long dead."""
    return int(line.kept[1][0]) if line.transport == MEMORY else 0


def prepare(priority: int = PRIORITY) -> list[str]:
    """Ask the machine for a punctual rig; say what was granted."""
    return [a.words for a in claim(priority)]
