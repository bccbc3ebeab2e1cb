"""The test as it will be run, put in motion again and again: from any of its instants, disturbed.

    z_(k+n) = F_k^n(z_k),   z: the state of all blocks and the bus, k: the tick                  (1)
    f -> f + a_c  from tick k_1 to k_2          a pulse on the force that the integrator sees    (2)
    B e -> B e + S b π/2 sin π (k-k_1)/(k_2-k_1)  a pulse on all masses, in given shapes S       (3)
    e -> e (1 + cos π (k - k_0)/n)/2            an excitation that is faded out from tick k_0    (4)

Excitation, noise, faults and laws that adapt are all in it; limits and guards are not, so that what
they would end is seen to its end. In the quiet loop of the same arena nothing drives: the signal of
the excitation is zero, all else goes on; before that it can be faded out (4), as its end may be a
kick. A pulse is what a hand on the structure would do, at its interface (2) or anywhere (3): all
states that it reaches stay consistent with each other, and no sensor lies. (2) is a blow with all
that is in it, (3) moves one mode as purely as can be: a law that learns is taught most by the one,
and least by the other.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from math import cos, pi, sin

import numpy as np
from numpy.typing import NDArray

from rths.assembly.connect import connect
from rths.assembly.hybrid_test import HybridTest
from rths.loop.block import Block, Vector, kernel
from rths.loop.cycle import bind, choose
from rths.loop.fields import fields, many
from rths.loop.layout import Layout
from rths.loop.own_kernels import rehearse_own
from rths.loop.wiring import Owner, Placed, Wiring
from rths.safety.path import FADE, fade
from rths.stability.abreast import check_wanted

MOTION = ("integrator.target", "compensator.command", "transfer.displacement")
"""Signals that are compared, all of them lengths."""
AS_ONE = 32
"""States of a structure or its integrator up to which a step counts as one: buildings of half a
dozen storeys."""
MULTIPLIED = 250
"""Entries of its matrices that it multiplies in as long."""
PULSE, FADE_OUT = "pulse", "fade out"
"""Roles of the blocks that disturb, and of the one that ends the excitation."""
NEVER = 1e18
"""Call in which a fade begins that is not asked for."""
Slots = NDArray[np.int64]
P = fields(first="first tick", last="first tick after it", sizes=many("a_c, or all of b, N"))
E = fields(first="first call of the fade", calls="calls that it takes")
X = fields(tick="ticks so far")


@kernel
def add_pulse(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    y[0] = u[0]
    if p[P.first] <= x[X.tick] < p[P.last]:
        y[0] += p[P.sizes]  # (2)
    x[X.tick] += 1.0


@kernel
def push_all(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    on = p[P.first] <= x[X.tick] < p[P.last]
    s = (x[X.tick] + 0.5 - p[P.first]) / max(p[P.last] - p[P.first], 1.0)
    r = 0.5 * pi * sin(pi * s) if on else 0.0
    for i in range(y.size):
        y[i] = p[P.sizes + i] * r  # (3)
    x[X.tick] += 1.0


@kernel
def stand_still(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    for i in range(y.size):
        y[i] = 0.0
    x[0] += 1.0  # the first state of every excitation counts its calls


@kernel
def fade_out(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    s = (x[X.tick] - p[E.first]) / p[E.calls]
    r = 1.0 if s <= 0.0 else (0.5 + 0.5 * cos(pi * s) if s < 1.0 else 0.0)  # (4)
    for i in range(y.size):
        y[i] = r * u[i]
    x[X.tick] += 1.0


@dataclass(frozen=True)
class Pulse:
    """A disturbance: when it begins, how many ticks it lasts, its force in each channel (2), N."""

    first: int
    ticks: int
    forces: tuple[float, ...]
    shaped: tuple[float, ...] = ()
    """Its sizes b in the shapes of the rehearsal (3); none if it acts at the interface."""


@dataclass(frozen=True, eq=False)
class Stretch:
    """Some ticks of a run: what moved, the state at the end, whether it came that far."""

    rows: Vector
    state: Vector
    whole: bool


class Desk:
    """Memory in which one run at a time can be made, driven or quiet."""

    def __init__(self, layout: Layout, still: Layout) -> None:
        self.arena = layout.initial.copy()
        self.driven = bind(choose(1), layout, self.arena)
        self.quiet = bind(choose(1), still, self.arena)
        self.status = np.zeros(3, np.int64)


class Rehearsal:
    """A test that can be started from any state it has been in, driven or quiet.

    A state is what of the arena changes in a run: the bus, and the states of all blocks.
    """

    def __init__(
        self, test: HybridTest, shapes: Vector | None = None, *, fades: bool = False
    ) -> None:
        """Rehearse a test; ``shapes`` are the columns S of (3), forces on each of the masses.

        Where it ``fades``, the command is faded in as [safety] says: a law that learns sees it.
        """
        bare = replace(test, limits={}, safety=None, guards=(), hardware=None, record=MOTION)
        wiring = connect(bare, MOTION)
        _place_fade_out(wiring)
        for c in range(test.channels):
            _place_pulse(wiring, c)
            if fades:
                _place_fade(wiring, test, c)
        if shapes is not None:
            _place_push(wiring, bare, shapes)
        self.test, self.layout = test, Layout.of(wiring, MOTION)
        self.ticks = bare.clock.ticks
        rehearse_own(self.layout)
        states = [np.arange(a.x, a.x + a.nx) for a in self.layout.places]
        self.slots: Slots = np.concatenate([np.arange(self.layout.bus), *states])
        self._still = _still_layout(self.layout)
        self._idle = [Desk(self.layout, self._still)]

    @property
    def channels(self) -> int:
        """Number of actuators."""
        return self.test.channels

    @property
    def learns(self) -> bool:
        """Whether a law adapts."""
        return any(c.adapts for c in self.test.descriptions("compensator"))

    @cached_property
    def learnt(self) -> Slots:
        """Places in a state of what laws that adapt have learnt, by their ports.

        Of a law that has none they are its states, without what counts or is handed on in rings.
        """
        laws, found, first = self.test.descriptions("compensator"), list[int](), self.layout.bus
        for p in self.layout.placed:
            law = p.role == "compensator" and not p.owner.part
            if law and laws[p.owner.channel or 0].adapts:
                commands = self.channels if p.owner.channel is None else 1
                found += p.output_slots[commands:] or (first + _own_states(p.block)).tolist()
            first += p.block.states.size
        return np.array(found, np.int64)

    @cached_property
    def counters(self) -> Slots:
        """Places in a state of what only counts."""
        found, first = list[int](), self.layout.bus
        for p in self.layout.placed:
            found += [first + k for k in p.block.counters]
            first += p.block.states.size
        return np.array(found, np.int64)

    @property
    def noisy(self) -> bool:
        """Whether anything comes in from outside beside the excitation."""
        return any(p.block.injects for p in self.layout.placed)

    @property
    def steps(self) -> int:
        """Steps of blocks that one rehearsal takes: what it costs, on any machine.

        A step of a large structure counts as many, by its states.
        """
        return round(self.ticks * sum(_cost(p) / p.every for p in self.layout.placed))

    @property
    def start(self) -> Vector:
        """The state before the first tick."""
        return self.layout.initial[self.slots]

    def end_smoothly(self, state: Vector, ticks: int) -> Vector:
        """Fade the excitation out (4) from a state on, without noise; give the state after that."""
        return self.run(state, ticks, noise=False, fade_out=ticks).state

    def run(
        self,
        state: Vector,
        ticks: int,
        pulse: Pulse | None = None,
        *,
        quiet: bool = False,
        noise: bool = True,
        fade_out: int = 0,
    ) -> Stretch:
        """Go on from a state for some ticks, with a pulse on the way, with or without noise.

        Runs do not see each other, and may go on at the same time.
        """
        check_wanted()
        try:
            desk = self._idle.pop()
        except IndexError:  # all are taken
            desk = Desk(self.layout, self._still)
        try:
            return self._run_at(desk, state, ticks, pulse, quiet, noise, fade_out)
        finally:
            self._idle.append(desk)

    def _run_at(
        self,
        desk: Desk,
        state: Vector,
        ticks: int,
        pulse: Pulse | None,
        quiet: bool,
        noise: bool,
        fade_out: int,
    ) -> Stretch:
        arena = desk.arena
        arena[:] = self.layout.initial
        arena[self.slots] = state
        if not noise:
            self.layout.silence(arena)
        if pulse is not None:
            self._write_pulse(arena, pulse)
        first = int(state[0])
        if fade_out:
            self._write_fade_out(arena, first, fade_out)
        rows = np.zeros((ticks, self.layout.record_slots.size))
        (desk.quiet if quiet else desk.driven)(first, ticks, rows, desk.status)
        done = int(desk.status[0])
        arena[0] = first + done
        return Stretch(rows[:done], arena[self.slots], bool(desk.status[1] < 0))

    def acting_time(self, ticks: int) -> float:
        """Time, s, for which a pulse of some ticks acts at the interface, or less."""
        (_, every), *_ = self._pulses
        return min(ticks, max(1, ticks // every) * every) * self.test.tick

    def _write_fade_out(self, arena: Vector, first: int, ticks: int) -> None:
        for placed, place in zip(self.layout.placed, self.layout.places, strict=True):
            if placed.role == FADE_OUT:
                every = placed.every  # the block counts its own calls
                own = E.pack(first=-(-first // every), calls=max(1, ticks // every))
                arena[place.p : place.p + own.size] = own

    def _write_pulse(self, arena: Vector, pulse: Pulse) -> None:
        each: list[tuple[float, ...]] = [(force,) for force in pulse.forces]
        if pulse.shaped:
            each.append(pulse.shaped)
        for (place, every), sizes in zip(self._pulses, each, strict=False):
            first = -(-pulse.first // every)  # the block counts its own calls
            last = first + max(1, pulse.ticks // every)
            own = P.pack(first=first, last=last, sizes=sizes)
            arena[place : place + own.size] = own

    @cached_property
    def _pulses(self) -> list[tuple[int, int]]:
        """Places of the pulses of all channels, in their order, then of that on all masses."""
        both = zip(self.layout.placed, self.layout.places, strict=True)
        own = [(placed.owner, place.p, placed.every) for placed, place in both]
        channels = [
            (p, n) for owner, p, n in own if owner.role == PULSE and owner.channel is not None
        ]
        return channels + [(p, n) for owner, p, n in own if owner == Owner(PULSE)]


def _own_states(block: Block) -> Slots:
    """States of a block that neither count nor stand in a ring."""
    kept = np.ones(block.states.size, bool)
    kept[list(block.counters)] = False
    for ring in block.rings:
        kept[ring.first : ring.first + ring.size] = False
        kept[ring.position] = False
    return np.flatnonzero(kept)


def _cost(placed: Placed) -> float:
    """Steps of an ordinary block that a step of this one takes the time of, or more."""
    block, large = placed.block, placed.role in ("structure", "integrator")
    entries = max(block.states.size / AS_ONE, block.params.size / MULTIPLIED) if large else 1.0
    return max(block.work, entries)


def _place_pulse(wiring: Wiring, channel: int) -> None:
    """Put a pulse between the force of a channel and the integrator, which alone sees it."""
    (slot,) = wiring.slots(f"feedback.force[{channel}]")
    k = next(i for i, p in enumerate(wiring.placed) if p.role == "integrator" and slot in p.inputs)
    reader, (own,) = wiring.placed[k], wiring.reserve([0.0])
    params, states = P.pack(first=0, last=0, sizes=[0.0]), X.pack(tick=0)
    block, owner = (
        Block(add_pulse, params, states, counters=[X.tick]),
        Owner(PULSE, channel=channel),
    )
    read = tuple(own if s == slot else s for s in reader.inputs)
    wiring.placed[k] = replace(reader, inputs=read)
    put = Placed(owner, block, (slot,), own, reader.every, reader.phase)
    wiring.placed.insert(k, put)


def _place_fade_out(wiring: Wiring) -> None:
    """Let the signal of the excitation be changed in place, as soon as it is written."""
    for k, p in enumerate(wiring.placed):
        if p.role == "excitation" and not p.owner.part:  # a part is what looks ahead
            params, states = E.pack(first=NEVER, calls=1), X.pack(tick=0)
            block = Block(fade_out, params, states, p.block.outputs, counters=[X.tick])
            slots = tuple(p.output_slots)
            put = Placed(Owner(FADE_OUT), block, slots, p.output, p.every, p.phase)
            wiring.placed.insert(k + 1, put)
            return


def _place_fade(wiring: Wiring, test: HybridTest, channel: int) -> None:
    """Put the fade of a command between it and the actuator, which alone sees it."""
    (slot,) = wiring.slots(f"compensator.command[{channel}]")
    readers = [i for i, p in enumerate(wiring.placed) if p.role == "transfer" and slot in p.inputs]
    rest = wiring.initial[slot]
    (own,) = wiring.reserve([rest])
    for k in readers:
        reader = wiring.placed[k]
        read = tuple(own if s == slot else s for s in reader.inputs)
        wiring.placed[k] = replace(reader, inputs=read)
    assert test.safety is not None
    params = FADE.pack(ticks=round(test.safety.fade_in / test.tick), rest=[rest])
    block = Block(fade, params, 1, 1, counters=(0,))
    put = Placed(Owner("safety", channel=channel, part="fade"), block, (slot,), own, 1, 0)
    wiring.placed.insert(readers[0], put)


def _place_push(wiring: Wiring, test: HybridTest, shapes: Vector) -> None:
    """Let the integrator read sizes b behind all else, which push the masses in some shapes."""
    of = Owner("integrator", test.integrator.kind)
    k = next(i for i, p in enumerate(wiring.placed) if p.owner == of)
    reader, count = wiring.placed[k], shapes.shape[1]
    own = wiring.reserve([0.0] * count)
    e = test.equation
    wider = replace(e, B=np.hstack([e.B, shapes]))  # (3)
    block = test.integrator.block(wider, test.clock.step, reader.block.outputs)
    wiring.placed[k] = replace(reader, block=block, inputs=(*reader.inputs, *own))
    params, states = P.pack(first=0, last=0, sizes=np.zeros(count)), X.pack(tick=0)
    pushing = Block(push_all, params, states, outputs=count, counters=[X.tick])
    put = Placed(Owner(PULSE), pushing, (), own[0], reader.every, reader.phase)
    wiring.placed.insert(k, put)


def _still_layout(layout: Layout) -> Layout:
    """The same places in memory, and nothing that drives."""
    return replace(layout, placed=tuple(_hold_excitation(p) for p in layout.placed))


def _hold_excitation(placed: Placed) -> Placed:
    if placed.role != "excitation":
        return placed
    return replace(placed, block=replace(placed.block, kernel=stand_still))
