"""The loop of a plan with something put into it: more delay, more gain, or another operating point.

    what the transfer system of a channel writes:  x(t) -> x(t - τ)      extra delay τ           (1)
    what the specimen of a channel writes:         f -> g f              gain g                  (2)

Both work in place on the bus, right behind the block that moves or resists and at its own scale:
nothing else of the loop changes, and any transfer system or specimen can be changed so, a user's
own included. Ports of a transfer system are as late as its displacement. The delay is that of
`transfer/dead_time`: linear between ticks.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from math import ceil
from typing import Any

from rths.assembly.connect import project
from rths.assembly.hybrid_test import HybridTest
from rths.assembly.variation import Variation
from rths.loop.block import Block, Vector
from rths.loop.layout import Layout
from rths.loop.wiring import Owner
from rths.registry import find
from rths.site import Site
from rths.stability.cut_loop import find_block, put_behind
from rths.stability.linearisation import Hints, Linearisation, linearise
from rths.stability.loop_map import (
    LoopMap,
    has_stand_ins,
    period_of,
    rest_layout,
    silence_test,
    silent_wiring,
)
from rths.stability.plan_parameter import change_plan, value_of
from rths.stability.roots import Roots, roots_of

EXTRA_DELAY, GAIN = "extra delay", "gain"
"""Roles of the blocks that are put into the loop."""
NO_REST = 1e-9
"""Part of a tick that is round-off of a delay divided by it: a millionth of a microsecond, which
moves no root by more than its own round-off."""


class ChangedLoop:
    """Roots of a plan's loop at any extra delay and any gain, of all channels or of one."""

    def __init__(self, test: HybridTest, longest: float = 0.0, channel: int | None = None) -> None:
        self.test, self.longest = test, longest
        self._channels = range(test.channels) if channel is None else (channel,)
        self._delay = longest > 0.0
        self._hints = Hints()

    @cached_property
    def _map(self) -> LoopMap:
        test, w = self.test, silent_wiring(self.test)
        for c in self._channels:
            k = find_block(w, test, "specimen", c)
            force = w.placed[k].output
            put_behind(w, k, force, Owner(GAIN, channel=c), Block(project, [1.0]))
            k = find_block(w, test, "transfer", c)
            for slot in w.placed[k].output_slots if self._delay else ():
                line = find("transfer", "dead_time")(delay=self.longest)
                block = line.block(Site(test.tick, test.tick))
                block.params[:] = 0.0
                put_behind(w, k, slot, Owner(EXTRA_DELAY, channel=c, part=str(slot)), block)
        layout = Layout.of(w, ())
        return LoopMap(layout, period_of(test, layout))

    def linearise(self, delay: float = 0.0, gain: float = 1.0) -> Linearisation:
        """The loop linearised at rest with a delay and a gain more."""
        loop, test = self._map, self.test
        arena = loop.layout.initial.copy()
        ticks = delay / test.tick
        for p, a in zip(loop.layout.placed, loop.layout.places, strict=True):
            if p.role == EXTRA_DELAY:
                whole = ceil(ticks - NO_REST) - 1 if ticks % 1 > NO_REST else round(ticks)
                arena[a.p : a.p + 2] = whole, max(0.0, ticks - whole)
            elif p.role == GAIN:
                arena[a.p] = gain
        loop.restart(arena)
        return linearise(loop, loop.ticks * test.tick, hints=self._hints)

    def roots(self, delay: float = 0.0, gain: float = 1.0) -> Roots:
        """Roots with a delay and a gain more."""
        return roots_of(self.linearise(delay, gain))

    def roots_with_delay(self, delay: float) -> Roots:
        """Roots with a delay more."""
        return self.roots(delay=delay)


def linear_loop(test: HybridTest, hints: Hints | None = None) -> Linearisation:
    """The loop of a plan linearised at rest."""
    layout = rest_layout(test)
    ticks = period_of(test, layout)
    return linearise(LoopMap(layout, ticks), ticks * test.tick, hints=hints)


class PlanRoots:
    """Roots of the loop of a plan at rest, with some of its numbers changed by their paths.

    Where only blocks of the same sizes change, the loop is kept and they are written into it.
    """

    def __init__(self, test: HybridTest) -> None:
        self.test = silence_test(test)
        self._hints = Hints()
        self._loop: LoopMap | None = None
        self._quick: dict[tuple[str, ...], Variation] = {}

    @cached_property
    def present(self) -> Linearisation:
        """The loop at rest as it is planned, linearised."""
        return self.linear_at()

    @cached_property
    def present_roots(self) -> Roots:
        """Roots as planned."""
        return roots_of(self.present)

    def roots_at(self, **values: Any) -> Roots:
        """Roots with changed numbers; a path is written with its dots, as ``**{path: value}``."""
        return roots_of(self.linear_at(**values))

    def linear_at(self, **values: Any) -> Linearisation:
        """The loop at rest, linearised with changed numbers."""
        loop = self.loop_at(**values)
        return linearise(loop, loop.ticks * self.test.tick, hints=self._hints)

    def loop_at(self, **values: Any) -> LoopMap:
        """The loop at rest with changed numbers."""
        arena = self._write_changes(values)
        if arena is None:
            changed = change_plan(self.test, values)
            layout = rest_layout(changed)
            return LoopMap(layout, period_of(changed, layout))
        if self._loop is None:
            layout = self.test.layout
            self._loop = LoopMap(layout, period_of(self.test, layout))
        self._loop.restart(arena)
        return self._loop

    def _write_changes(self, values: Mapping[str, Any]) -> Vector | None:
        """The first arena with the changes written into it; None if the loop must be built."""
        key = tuple(values)
        if key not in self._quick:
            if any(value_of(self.test, p) == v for p, v in values.items()):
                return None  # whether writing does is seen only with another value
            inside = any(p.count(".") > 1 and not p.split(".")[1].isdigit() for p in key)
            if inside or has_stand_ins(self.test.layout):
                return None
            self._quick[key] = Variation(self.test, [values])
        found = self._quick[key]
        varied = found.vary(values) if found.shares_layout else None
        return varied.arena if varied and varied.layout is self.test.layout else None


def roots_at_rest(test: HybridTest) -> Roots:
    """Roots of the loop of a plan at rest."""
    return roots_of(linear_loop(test))
