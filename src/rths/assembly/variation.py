"""Many tests that differ in a few values share one layout; only their arenas differ.

Building a test anew takes about a millisecond. Where only the blocks of one role change, and not
their sizes, it is enough to make those blocks again and to write them into a copy of the arena.
That this is so is not assumed: each change is looked at, and the first and the last variation are
built both ways and compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rths.assembly.connect import Connection
from rths.assembly.hybrid_test import CHANNEL_ROLES, HybridTest, replace_field
from rths.loop.block import Block, Vector
from rths.loop.layout import Layout
from rths.loop.wiring import Owner
from rths.site import Site

Values = Mapping[str, Any]
WIRED = (
    *("inputs", "clock", "joint", "ports", "holds", "operated"),
    *("force_scale", "length_scale", "count"),
)
"""What the wiring takes from a description besides its block."""


@dataclass(frozen=True, eq=False)
class VariedLoop:
    """What a loop needs of one variation."""

    layout: Layout
    arena: Vector
    tick: float
    ticks: int


class Variation:
    """Gives the layout and the arena of each variation of a test."""

    def __init__(self, test: HybridTest, variations: Sequence[Values]) -> None:
        self.test = test
        self._connection = Connection(test, test.record)
        self._sites: dict[tuple[str, int, float], Site] = {}
        self._placed = {p.owner: k for k, p in enumerate(test.layout.placed)}
        self._found: dict[str, list[tuple[int, int | None]]] = {}
        ends = [*variations[:1], *variations[1:][-1:]]
        self.shares_layout = all(self._agree(v) for v in ends)

    def vary(self, values: Values) -> VariedLoop:
        """Give one variation, ready to run."""
        quick = self._patch_arena(values) if self.shares_layout else None
        if quick is not None:
            return VariedLoop(self.test.layout, quick, self.test.tick, self.test.clock.ticks)
        test = self.test.with_values(dict(values))
        return VariedLoop(test.layout, test.layout.initial, test.tick, test.clock.ticks)

    def _agree(self, values: Values) -> bool:
        quick = self._patch_arena(values)
        slow = self.test.with_values(dict(values)).layout
        return (
            quick is not None
            and slow.recorded == self.test.layout.recorded
            and np.array_equal(quick, slow.initial, equal_nan=True)
        )

    def _patch_arena(self, values: Values) -> Vector | None:
        """Write the blocks of the changed roles into a copy of the arena; None if it cannot be."""
        blocks = self.make_blocks(values)
        if blocks is None:
            return None
        arena = self.test.layout.initial.copy()
        for k, block in blocks.items():
            place = self.test.layout.places[k]
            arena[place.x : place.x + place.nx] = block.states
            arena[place.p : place.p + place.np] = block.params
        return arena

    def make_blocks(self, values: Values) -> dict[int, Block] | None:
        """Make the blocks that a variation changes, by number; None if more than blocks differs.

        Whatever the values of the same fields are, they are the blocks of the same numbers.
        """
        roles: dict[str, Any] = {}
        for path, value in values.items():
            role = path.partition(".")[0]
            if role not in (*CHANNEL_ROLES, "excitation") or role == path:
                return None
            roles[role] = replace_field(path, roles.get(role, getattr(self.test, role)), value)
        found: dict[int, Block] = {}
        for role, given in roles.items():
            for c, k in self._numbers(role):
                description = given[c] if isinstance(given, tuple) else given
                if k is None or not self._only_its_block_differs(role, c, description):
                    return None
                block = self._make_block(k, role, c, description)
                if block is None:
                    return None
                found[k] = block
        return found

    def _numbers(self, role: str) -> list[tuple[int, int | None]]:
        """Give each channel of a role with the number of its block; the excitation has one."""
        if role not in self._found:
            alone = role == "excitation"
            self._found[role] = [
                (c, self._placed.get(Owner(role, d.kind, None if alone else c)))
                for c, d in enumerate(self.test.descriptions(role)[: 1 if alone else None])
            ]
        return self._found[role]

    def _only_its_block_differs(self, role: str, c: int, new: Any) -> bool:
        """Tell whether nothing but the block of a role depends on what has changed in it."""
        if role == "excitation":
            e, old = self.test.equation, self.test.excitation
            i = self.test.structure.influence_vector()
            one = (*old.initial(e.size), old.load(e.M, e.C, e.K, i))
            other = (*new.initial(e.size), new.load(e.M, e.C, e.K, i))
            return not self._connection.preview and all(map(np.array_equal, one, other))
        old = self.test.descriptions(role)[c]
        stage, site = self.test.clock.stage, self._site(role, c, self.test.tick)
        for name in WIRED:
            if getattr(old, name, None) != getattr(new, name, None):
                return False
        if role == "feedback" and (old.displacement_block(site) or new.displacement_block(site)):
            return False
        ahead = [d.preview(stage) if hasattr(d, "preview") else 0 for d in (old, new)]
        return ahead[0] == ahead[1]

    def _make_block(self, k: int, role: str, c: int, description: Any) -> Block | None:
        """Make a block anew; None if it would not fit into the place of the old one."""
        placed, place = self.test.layout.placed[k], self.test.layout.places[k]
        block: Block | None = description.block(self._site(role, c, placed.every * self.test.tick))
        if block is None or block.kernel is not placed.block.kernel:
            return None
        fits = (block.states.size, block.params.size) == (place.nx, place.np)
        return block if fits else None

    def _site(self, role: str, c: int, interval: float) -> Site:
        """Tell a block where it stands; that is asked for every variation and never changes."""
        if (role, c, interval) not in self._sites:
            self._sites[role, c, interval] = self._connection.site(role, c, interval)
        return self._sites[role, c, interval]
