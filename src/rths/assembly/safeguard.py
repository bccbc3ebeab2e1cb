"""Wires guards, latch and path of a test into its tick: see safety.py for what they are.

The guards come in the order of their numbers: finiteness, the operator, the plan's limits,
velocity, heartbeat, the rig's status, the rig's limits, those of the plan. A relief is read by the
latch as one guard more.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rths.assembly.guarding import Limit, bounds_of
from rths.assembly.ordinal import ordinal
from rths.assembly.rig_bounds import COMMAND, check_within_rig, command_bounds, rig_bounds
from rths.assembly.safe_signals import FADED, MEASURED, RELIEF, SAFE
from rths.assembly.safety import ASKING, QUIET, STANDING, Safety
from rths.errors import InputError
from rths.guard.finite import Finite
from rths.guard.heartbeat import Heartbeat
from rths.guard.limit import Limit as LimitGuard
from rths.guard.rate import Rate
from rths.guard.rig_status import SERIOUS, RigStatus
from rths.loop.block import Block, Vector
from rths.loop.channel_name import name_actuator, name_channel
from rths.loop.wiring import Owner, Signal, Wiring
from rths.records.guard_levels import LEVEL, ROLE, VALUE
from rths.safety import guided_path as guided
from rths.safety.latch import LATCH, latch_block
from rths.safety.limits import limits_block
from rths.safety.path import FADE, companion_force, companion_velocity, fade, path, trust
from rths.safety.path import P as PATH
from rths.safety.path import X as PATH_STATE
from rths.safety.relief import PARTS, relief_block

EARLY = ("integrator", "compensator", "safety", "realtime", "operator")
"""Roles whose signals are known before a command leaves."""
PHYSICAL = ("transfer", "specimen", "feedback", "hardware", "safety", "realtime", "operator")
"""Roles whose signals mean something also when the command no longer follows the target."""
NEAR = 0.05
"""Share of the stroke by which an actuator may be away from a command that leads it to safety."""
FULL = 0.1
"""Share of the rig's force down to which a force is released at the full rate."""
BY_HAND = 1.5
"""The operator writes 1 to operator.ramp_out to ramp out, and 2 to trip."""
SILENCE = 0.5
"""Seconds without a beat of the supervisor that trip, unless the plan has its own guard."""
OUTSIDE = (
    ("realtime", "slips"),
    ("realtime", "silence"),
    ("hardware", "missed"),
    ("hardware", "status"),
)
"""Signals that come from outside of the loop, and are 0 in a test without that outside."""


@dataclass(frozen=True, eq=False)
class Watch:
    """A guard on one channel: its block, what it reads and writes, and when it looks."""

    owner: Owner
    block: Block
    inputs: list[str]
    outputs: list[str]
    early: bool
    """Whether all it reads is known before a command leaves."""
    physical: bool
    """Whether it means something also when the command no longer follows the target."""
    every: int
    phase: int


class Safeguard:
    """Wires the safety of one test; its methods are called in the order of a tick."""

    def __init__(self, w: Wiring, test: Any, rest: Vector, site: Callable[..., Any]) -> None:
        self.w, self.test, self.rest, self.site = w, test, rest, site
        self.safety: Safety = test.safety
        self.m, self.h = len(rest), test.tick
        check_within_rig(test)
        if test.safety.way == "force" and test.rig is None:
            remedy = "Add [rig] with the file of the laboratory that has its forces."
            raise InputError("safety.way", "force", "needs to know when a force is small", remedy)
        check_start(test.limits, rest)
        self.bounds, self.rig = command_bounds(test), rig_bounds(test)
        self.slowing: float | None = test.slowing
        self.guards: list[Any] = []
        self.watches: list[Watch] = []

    def _guards(self) -> list[Any]:
        """All guards in the order of their numbers: those that are always there come first."""
        from rths.assembly.rig_guards import rig_guards  # a rehearsal without safety needs none

        test, leaving = self.test, self.outgoing
        places = {self.w.slots(s): s for s in (*MEASURED, "transfer.displacement")}
        found: list[Any] = [Finite(signal=s) for s in (leaving, *sorted(places.values()))]
        found.append(LimitGuard(signal="operator.ramp_out", trip=BY_HAND, name="operator"))
        found += [LimitGuard(signal=s, trip=v) for s, v in sorted(test.limits.items())]
        if self.safety.velocity is not None:
            found.append(Rate(signal=leaving, trip=self.safety.velocity, name="velocity"))
        if not any(g.watches_supervisor and g.trip is not None for g in test.guards):
            found.append(Heartbeat(trip=SILENCE))
        if test.hardware is not None:
            found += [RigStatus(bit=b, trip=0.0, name=b) for b in SERIOUS]
        return [*found, *rig_guards(test, leaving, self.slowing), *test.guards]

    def signals(self) -> None:
        """Reserve what is read before it is written."""
        w, m = self.w, self.m
        whole = w.signal("latch", len(LATCH), role="safety")
        for k, (name, unit) in enumerate(zip(LATCH, ("1", "1", "SI", "1"), strict=True)):
            w.also_recorded.append(w.part(name, whole, k, 1, unit, role="safety"))
        start = [*self.rest, *[0.0] * m]
        whole = w.signal("path", 2 * m, role="safety", unit="m", initial=start)
        w.also_recorded.append(w.part("command", whole, 0, m, role="safety"))
        w.part("arrival", whole, m, m, "1", role="safety")
        whole = w.signal("trusted", 2 * m, role="safety", initial=[*[0.0] * m, *self.rest])
        w.part("force", whole, 0, m, "N", role="safety")
        w.part("displacement", whole, m, m, "m", role="safety")
        w.also_recorded.append(w.signal("ramp_out", role="operator"))
        if self.rig:
            whole = w.signal("relieved", len(PARTS), role="safety")
            for k, name in enumerate(PARTS):
                w.part(name, whole, k, 1, "SI" if name == "relief_value" else "1", role="safety")
            w.also_recorded.append(RELIEF)
        elif self.slowing is not None:
            w.signal("relief", role="safety")  # nobody relieves a test without a rig
        if self.safety.fade_in:
            w.signal("faded", m, role="safety", unit="m", initial=self.rest)
        self.guards = self._guards()
        self._reserve_outside()
        for number, guard in enumerate(self.guards):
            self.watches += self._watch(number, guard)

    @property
    def outgoing(self) -> str:
        """Name the command as it leaves if all is well."""
        return FADED if self.safety.fade_in else COMMAND

    def place_fade(self) -> None:
        """Fade the command in."""
        if self.safety.fade_in:
            params = FADE.pack(ticks=self._ticks(self.safety.fade_in), rest=self.rest)
            block = Block(fade, params, 1, self.m, counters=(0,))
            self.w.place(Owner("safety", part="fade"), block, [COMMAND], self.outgoing)

    def place_guards(self, early: bool) -> None:
        """Place the guards on the command, or those on what is measured."""
        for watch in self.watches:
            if watch.early == early:
                when = {"every": watch.every, "phase": watch.phase}
                self.w.place(watch.owner, watch.block, watch.inputs, watch.outputs, **when)

    def place_latch(self, held: bool) -> None:
        """Latch all guards; a plant that holds has been looked at in the same tick."""
        test = self.test
        about = [(0 if watch.early or held else 1, watch.physical) for watch in self.watches]
        found = [s for watch in self.watches for s in watch.outputs]
        if self.rig:
            about.append((1, True))
            found += ["safety.relief_level", "safety.relief_value"]
        planned = test.clock.ticks - test.clock.tail
        block = latch_block(planned, self._ticks(self.safety.fade_in), about)
        inputs = [*found, "operator.ramp_out", "safety.arrival"]
        self.w.place(Owner("safety", part="latch"), block, inputs, "safety.latch")

    def place_path(self) -> None:
        """Pass the command on, or lead it to safety."""
        s, m = self.safety, self.m
        owner, inputs = Owner("safety", part="path"), [self.outgoing, "safety.phase"]
        if self.slowing is None:
            hold, fastest = self._ticks(s.hold), s.rate * self.h
            params = PATH.pack(hold=hold, fastest=fastest, positions=s.positions(m))
            states = PATH_STATE.pack(commands=self.rest, held=0)
            counters = [states.size + PATH_STATE.held]
            block = Block(path, params, states, 2 * m, counters=counters)
            self.w.place(owner, block, inputs, "safety.path")
            return
        if self.rig:
            self._place_relief()
        inputs += [RELIEF, "specimen.force"]
        self.w.place(owner, self._guided_block(self.slowing), inputs, "safety.path")

    def _guided_block(self, slowing: float) -> Block:
        """Make the path that brakes and moves no harder than the acceleration allows."""
        s, h, m = self.safety, self.h, self.m
        full = [FULL * own.force for own in self.rig] or [1.0] * m
        small = [own.force_near for own in self.rig] or [1.0] * m
        low, high = zip(*self.bounds, strict=True)
        bounds = guided.BOUNDS.pack(
            position=s.positions(m), full=full, small=small, lowest=low, highest=high
        )
        params = guided.P.pack(
            way=guided.WAYS.index(s.way),
            hold=self._ticks(s.hold),
            fastest=s.rate * h,
            slowing=slowing * h * h,
            quiet=self._ticks(QUIET),
            channels=bounds,
        )
        last = guided.LAST.pack(command=self.rest, step=[0.0] * m, quiet=[0.0] * m)
        states = guided.X.pack(ticks=0, channels=last)
        return Block(guided.guided_path, params, states, 2 * m, counters=(guided.X.ticks,))

    def _place_relief(self) -> None:
        """Watch the way to safety, and ask for the pressure to be released if it does not help."""
        s = self.safety
        each = [(own.low, own.high, own.force, NEAR * own.length) for own in self.rig]
        block = relief_block(
            self.m,
            patience=self._ticks(s.patience),
            longest=s.longest_way(self.bounds, self.h, self.slowing),
            standing=self._ticks(STANDING),
            asking=self._ticks(ASKING),
            needs_force=s.way == "force",
            channels=each,
        )
        inputs = ["transfer.displacement", "specimen.force", SAFE, "safety.phase"]
        self.w.place(Owner("safety", part="relief"), block, inputs, "safety.relieved")

    def place_limits(self) -> None:
        """Stop the test if the path itself should leave the limits of the command."""
        self.w.place("limits on the safe command", limits_block(self.bounds), [SAFE])

    def place_companion(self, name: str, signal: str) -> str:
        """Lead what is sent beside the command, a velocity or a force, the way of the command."""
        part, unit = f"{name}_sent", "m/s" if name == "velocity" else "N"
        sent = self.w.signal(part, self.m, role="safety", unit=unit)
        if name == "velocity":
            block = Block(companion_velocity, [self.h], self.rest, self.m)
            inputs = [SAFE, signal, "safety.phase"]
        else:
            fading = max(1, self._ticks(self.safety.fade_in))
            block = Block(companion_force, [fading], 1, self.m, counters=(0,))
            inputs = [signal, "safety.phase"]
        self.w.place(Owner("safety", part=part), block, inputs, sent)
        self.w.also_recorded.append(sent)
        return sent

    def place_trust(self) -> None:
        """Pass on what of the measurements is trusted."""
        block = Block(trust, [], [*[0.0] * self.m, *self.rest], 2 * self.m)
        inputs = [*MEASURED, "safety.phase"]
        self.w.place(Owner("safety", part="trust"), block, inputs, "safety.trusted")

    def _name(self, number: int) -> str:
        """Give its own name, or its kind, with a letter if there are several without a name."""
        guard = self.guards[number]
        alike = [k for k, g in enumerate(self.guards) if g.kind == guard.kind and not g.name]
        letter = f"_{ordinal(alike.index(number))}" if not guard.name and len(alike) > 1 else ""
        kind = guard.kind.rpartition(":")[2].lower()  # of a user's own only the class
        return guard.name or f"{kind}{letter}"

    def _ticks(self, time: float) -> int:
        return round(time / float(self.h))

    def _reserve_outside(self) -> None:
        """Reserve what guards watch outside of the loop, where that outside is not there."""
        watched = {s for guard in self.guards for s in guard.watches}
        for role, name in OUTSIDE:
            full = f"{role}.{name}"
            if full in watched and full not in self.w.signals:
                self.w.signal(name, role=role)

    def _watch(self, number: int, guard: Any) -> list[Watch]:
        """Reserve level and value of a guard; it has a block for each channel of its signal."""
        w = self.w
        try:
            found = [w.find(s) for s in guard.watches]
        except InputError as e:
            raise InputError(f"guard.{guard.kind}", e.value, e.problem, e.remedy) from None
        elements, name = [_elements(*f) for f in found], self._name(number)
        (signal, own), count = found[0], 1 if guard.joint else len(elements[0])
        level, value = self._reserve_levels(name, count, guard in self.test.guards)
        early = all(s.role in EARLY for s, _ in found)
        # what the faded command does when it is no longer sent is nobody's concern
        physical = all(s.role in PHYSICAL and s.name != FADED for s, _ in found)
        made = []
        for i in range(count):
            c = i if own is None else own
            site = self.site("guard", c if c < self.m else 0, signal.every * self.h)
            read = [elements[0][i], *(e[c] if c < len(e) else e[0] for e in elements[1:])]
            read = elements[0] if guard.joint else read
            owner = Owner("guard", part=name, channel=i if count > 1 else None)
            out, block = [name_channel(level, i), name_channel(value, i)], guard.block(site)
            made.append(Watch(owner, block, read, out, early, physical, signal.every, signal.phase))
        return made

    def _reserve_levels(self, name: str, count: int, recorded: bool) -> tuple[str, str]:
        """Reserve what a guard says of each channel: its level, then the value."""
        if f"{ROLE}.{name}{LEVEL}" in self.w.signals:
            remedy = "Give each its own; those that are always there have theirs."
            raise InputError("guard.name", name, "is the name of two guards", remedy)
        runs = [self.w.reserve([0.0, 0.0]) for _ in range(count)]
        level = self.w.name(name + LEVEL, [run[0] for run in runs], role=ROLE)
        value = self.w.name(name + VALUE, [run[1] for run in runs], role=ROLE, unit="SI")
        if recorded:
            self.w.also_recorded += [level, value]
        return level, value


def check_start(limits: Mapping[str, Limit], rest: Vector) -> None:
    """Refuse a test that begins beyond the limits of its command: a rig is sent there first."""
    for c, at in enumerate(rest.tolist()):
        for name in {COMMAND, name_channel(COMMAND, c)} & set(limits):
            low, high = bounds_of(name, limits[name])
            if not low <= at <= high:
                problem = f"leaves out {at:g} m, where the test begins with {name_actuator(c)}"
                remedy = "Begin within it (displacement of the excitation), or widen it."
                raise InputError(f"limits.{name}", limits[name], problem, remedy)


def _elements(signal: Signal, index: int | None) -> list[str]:
    """Name one element of a signal, or each of them."""
    every = range(signal.width) if index is None else (index,)
    return [name_channel(signal.name, i) for i in every]
