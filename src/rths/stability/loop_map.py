"""The one-period map of a loop, as the code that will run it computes it.

    z⁺ = F(z),   z: bus and states of every block, after whole periods of n ticks              (1)
    J e_j = (F(z + δ e_j) - F(z)) / δ                                                          (2)

Counters are no part of z, and a ring buffer is read from its newest entry on, whatever its place in
memory: so F does not depend on when it is taken. At rest z = 0 and (2) is exact to round-off for a
linear loop, whatever δ. Of a ring only the entries that something reads are looked for, by
perturbing many at once and halving where anything but the shift itself is seen.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from math import lcm
from typing import Any

import numpy as np

from rths.assembly.connect import connect, project
from rths.assembly.hybrid_test import HybridTest
from rths.errors import InputError
from rths.loop.block import Block, Vector
from rths.loop.cycle import bind, choose
from rths.loop.layout import Layout
from rths.loop.own_kernels import rehearse_own
from rths.loop.wiring import Owner, Wiring
from rths.registry import find
from rths.stability.entries import Indices
from rths.stability.flat_block import gain_at_large
from rths.stability.tangent_at_rest import RESTORING, tangent_at_rest

SMALL = 2.0**-600
"""Size of a perturbation of what is zero at rest: below any threshold, a power of two, and so small
that a product of two such numbers is zero. A law that learns from products (X'X of a least squares)
is then seen not to act at rest, while what is linear keeps every digit."""
SHARE = 2.0**-26
"""Size of a perturbation of what is not zero, as a share of it."""
MOTION = ("integrator.response", "transfer.displacement", "specimen.force")
MANY = 512
"""Parameters in a row that are worth to be left out of a copy."""
SETTLING = 4
"""Periods after which the first steps, which are rules of their own, are over."""


@dataclass(frozen=True)
class RingPlace:
    """A ring buffer in the arena: the block it belongs to, where it starts, its newest entry."""

    block: int
    first: int
    size: int
    position: int


def silence_test(test: HybridTest, displacement: tuple[float, ...] = (0.0,)) -> HybridTest:
    """The same loop at rest, or let go from a displacement of the structure.

    Nothing drives it, no limit or guard ends it, nothing is recorded.
    """
    quiet = find("excitation", "free_vibration")(displacement=displacement)
    none: dict[str, Any] = {
        "limits": {},
        "safety": None,
        "guards": (),
        "hardware": None,
        "record": (),
    }
    if test.excitation == quiet and all(getattr(test, k) == v for k, v in none.items()):
        return test
    return replace(test, excitation=quiet, **none)


def silent_wiring(test: HybridTest) -> Wiring:
    """Wire the loop at rest, so that blocks may be put into it before it is laid out.

    What is flat at rest and keeps no memory (a quantiser) is there with its gain at large, and a
    structure that is not linear with its tangent.
    """
    w = connect(silence_test(test), ())
    if any(p.owner == RESTORING for p in w.placed):
        rehearse_own(Layout.of(w, ()))  # a user's block is looked at before it is asked
    for k, p in enumerate(w.placed):
        gain: Any = gain_at_large(p)
        if p.owner == RESTORING:
            gain = tangent_at_rest(p.block)
        if gain is not None:
            w.placed[k] = replace(p, block=Block(project, gain, outputs=p.block.outputs))
    return w


def rest_layout(test: HybridTest) -> Layout:
    """Lay out the loop at rest."""
    layout = silence_test(test).layout
    return Layout.of(silent_wiring(test), ()) if has_stand_ins(layout) else layout


def has_stand_ins(layout: Layout) -> bool:
    """Tell whether something else may stand for a block of the loop at rest."""
    return any(p.owner == RESTORING or gain_at_large(p) is not None for p in layout.placed)


def period_of(test: HybridTest, layout: Layout) -> int:
    """Ticks after which everything repeats: running blocks, and the stages of the integrator."""
    return lcm(layout.period, test.clock.stage_ticks * test.clock.stages)


class LoopMap:
    """F of (1): an arena, the places of z in it, and how it changes."""

    def __init__(self, layout: Layout, ticks: int, settling: int = SETTLING) -> None:
        self.layout, self.ticks = layout, ticks
        self.arena = np.empty_like(layout.initial)
        rehearse_own(layout)
        self._advance = bind(choose(1), layout, self.arena)
        self._status = np.zeros(3, np.int64)
        self._width = layout.record_slots.size
        self._record = np.empty((ticks, self._width))
        self.plain, self.writers, self.rings = _coordinates(layout)
        self._changing_parts = _find_changing_parts(layout)
        self.restart(layout.initial, settling)

    def restart(self, arena: Vector, settling: int = SETTLING) -> None:
        """Begin anew from a first arena of the same layout."""
        self.arena[:], self.tick = arena, 0
        self.layout.silence(self.arena)  # noise is an input, not part of the loop
        self.run(settling)

    def run(self, periods: int, record: Any = None) -> None:
        """Go on for some periods from the present arena, then take (1) from there."""
        rows = np.empty((periods * self.ticks, self._width)) if record is None else record
        self._advance_map(periods * self.ticks, rows)
        self.tick += periods * self.ticks
        self.mark()

    def mark(self) -> None:
        """Make the present arena the point z around which perturbations are taken."""
        self.base = self.arena.copy()
        self.here = self.places()
        self._advance_map(self.ticks, self._record)
        self.there, self.after = self.places(), self.arena.copy()
        self._after = self.after[self.there]
        self.arena[:] = self.base

    def _advance_map(self, ticks: int, record: Any) -> None:
        self._advance(self.tick, ticks, record, self._status)
        if self._status[1] >= 0:
            owner = self.layout.placed[int(self._status[1])].owner
            if not owner.kind:  # a silent loop has no limits but that of finite numbers
                problem = "grows beyond all numbers by itself, with nothing that drives it"
                remedy = "Rehearse the plan: a specimen or a filter of it does not come to rest."
                raise InputError("plan", f"tick {self.tick}", problem, remedy)
            problem = "stops the loop while it is linearised"
            raise InputError("plan", owner.label, problem, "Rehearse the plan first.")

    def places(self) -> Indices:
        """Where z stands in the present arena: plain slots, then each ring from its newest."""
        found = [self.plain]
        for r in self.rings:
            k = int(self.arena[r.position : r.position + 1].view(np.int64)[0])
            if not 0 <= k < r.size:  # some blocks count in floating point
                k = int(self.arena[r.position])
            found.append(r.first + (k - np.arange(r.size)) % r.size)
        return np.concatenate(found)

    def sizes(self) -> Vector:
        """How much to perturb each coordinate: a share of it, or next to nothing at rest."""
        s = self.layout.signals
        moving = [self.base[list(s[n].slots)] for n in MOTION]
        most = max(float(np.abs(m).max(initial=0.0)) for m in moving)
        values = np.abs(self.base[self.here])
        return np.asarray(np.where(values > 0, values * SHARE, most * SHARE or SMALL))

    @cached_property
    def ring_coordinates(self) -> list[Indices]:
        """Numbers of the coordinates of each ring, newest first."""
        ends = self.plain.size + np.cumsum([0, *(r.size for r in self.rings)])
        return [np.arange(a, b) for a, b in pairwise(ends.tolist())]

    def response(self, coordinates: Any, amounts: Any) -> Vector:
        """F(z + amounts) - F(z)."""
        for part in self._changing_parts:  # parameters of a large structure are as many as all else
            self.arena[part] = self.base[part]
        self.arena[self.here[coordinates]] += amounts
        self._advance(self.tick, self.ticks, self._record, self._status)
        if self._status[1] >= 0:  # the loop has stopped: nothing can be said
            return np.full(self.here.size, np.nan)
        return np.asarray(self.arena[self.there] - self._after)

    @cached_property
    def owners(self) -> tuple[Owner | None, ...]:
        """Whose block each coordinate belongs to, None if no block writes it."""
        every = [*(p.owner for p in self.layout.placed), None]
        blocks = [*self.writers, *(r.block for r in self.rings for _ in range(r.size))]
        return tuple(every[k] for k in blocks)


def _coordinates(layout: Layout) -> tuple[Indices, list[int], list[RingPlace]]:
    """Slots of (1) that are no ring with the block that writes each (-1: none), then the rings."""
    writer = dict.fromkeys(range(1, layout.bus), -1)
    for k, p in enumerate(layout.placed):
        writer |= dict.fromkeys(range(p.output, p.output + p.block.outputs), k)
    writer.pop(0, None)
    rings = []
    for k, (p, a) in enumerate(zip(layout.placed, layout.places, strict=True)):
        taken = set(p.block.counters)
        for r in p.block.rings:
            taken |= {*range(r.first, r.first + r.size), r.position}
            rings.append(RingPlace(k, a.x + r.first, r.size, a.x + r.position))
        writer |= {a.x + i: k for i in range(a.nx) if i not in taken}
    return np.array(list(writer), np.int64), list(writer.values()), rings


def _find_changing_parts(layout: Layout) -> list[slice]:
    """Stretches of the arena that a run changes: all but parameters, if these are many."""
    ends = [0, layout.bus]
    for a in layout.places:
        if a.x - ends[-1] > MANY:
            ends += [a.x, a.x + a.nx]
        ends[-1] = a.x + a.nx
    return [slice(*pair) for pair in zip(ends[::2], ends[1::2], strict=True)]
