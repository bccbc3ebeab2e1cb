"""The Jacobian of the one-period map, and whether it is all there is to say about the loop.

    J e_j = (F(z + δ e_j) - F(z)) / δ                                                          (1)
    F(z + a v) - F(z) = a J v   for a random v:  small a (differentiable at z), a = 1 (linear),
                                and at the end of the test (the same at all times)             (2)

The three tests (2) cost three runs of one period. Tolerances are round-off of each component.

Entry j of a ring with w new entries in a period is what entry j - w was a period ago: such entries
are chains, and ``chains`` says where they stand.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache, cached_property

import numpy as np

from rths.loop.block import Vector
from rths.loop.wiring import Owner
from rths.stability.entries import Entries, Indices
from rths.stability.loop_map import LoopMap

ROUND_OFF = 1e-9
"""Share of |J| |v| by which the two sides of (2) may differ if the loop is linear."""
SMOOTH = 1e-6
"""The same if it is differentiable; errors of kinks are of order 1."""
STRICTER = 1e3
"""SMOOTH over ROUND_OFF: whoever allows more for the one allows as much more for the other."""
LAST_PLACES, OPERATIONS = 1e-15, 100
"""Round-off of a coordinate, as a share: four or five units of its last place; and how many of such
may add up within a period."""
MOVED_ON = 1e-6
"""Share by which an entry that only moves on may differ. Deviations are 2^-27 of a value and more,
so that its round-off of 2^-53, taken twice, is up to 3e-8 of them; thirty times that is no law."""


Column = tuple[Indices, Vector]
"""A column of J: places of its entries in the map, and their values."""


@dataclass(frozen=True)
class Chain:
    """Neighbours among the coordinates that only move on, by ``step`` places in a period."""

    first: int
    size: int
    step: int


@dataclass(frozen=True, eq=False)
class Linearisation:
    """J over the coordinates that matter, and the answers of (2)."""

    entries: Entries
    """J by its entries."""
    kept: Indices
    """Number of each coordinate in the map."""
    owners: tuple[Owner | None, ...]
    """Whose block each coordinate belongs to."""
    period: float
    """Time of one period, s."""
    differentiable: bool
    linear: bool
    chains: tuple[Chain, ...] = ()

    @cached_property
    def J(self) -> Vector:
        """The plain matrix."""
        return self.entries.dense

    @property
    def size(self) -> int:
        """Number of coordinates."""
        return int(self.kept.size)


@dataclass
class Hints:
    """What was found in a similar loop: looked at first, never trusted."""

    read: dict[int, list[int]] = field(default_factory=dict)
    """Entries of each ring that do more than move on."""
    idle: list[int] = field(default_factory=list)
    """Coordinates on which nothing depends, rings apart."""


def linearise(
    loop: LoopMap,
    period: float,
    scale: Vector | None = None,
    whole: float = 1.0,
    hints: Hints | None = None,
    smooth: float = SMOOTH,
) -> Linearisation:
    """Linearise the map at its present point; ``whole`` is the size of (2) for "linear"."""
    hints = Hints() if hints is None else hints
    size = loop.sizes() if scale is None else scale
    columns = _plain_columns(loop, size, hints)
    kept, chains, shifts = [np.arange(loop.plain.size)], [], []
    for k, (ring, ages) in enumerate(zip(loop.rings, loop.ring_coordinates, strict=True)):
        written = loop.ticks // loop.layout.placed[ring.block].every
        read = _read(loop, ages, written, size, hints.read.get(k, []))
        hints.read[k] = [j - int(ages[0]) for j in read]
        columns |= read
        used = ages[: max(read) - ages[0] + 1] if read else ages[:0]
        chains.append(Chain(sum(map(len, kept)), used.size, written))
        kept.append(used)
        shifts.append([j for j in used[:-written].tolist() if j not in read])
    all_kept = np.concatenate(kept)
    moving = [(j, chain.step) for chain, some in zip(chains, shifts, strict=True) for j in some]
    entries, finite = _entries(columns, moving, all_kept, loop.here.size)
    v, sizes = any_numbers(all_kept.size), size[all_kept]
    differentiable = finite and follows(loop, entries, all_kept, v * sizes / 8, smooth)
    linear = differentiable and follows(
        loop, entries, all_kept, v * whole, max(ROUND_OFF, smooth / STRICTER)
    )
    loop.arena[:] = loop.base
    own = tuple(loop.owners[c] for c in all_kept)
    found = tuple(c for c in chains if c.size)
    return Linearisation(entries, all_kept, own, period, differentiable, linear, found)


def _plain_columns(loop: LoopMap, size: Vector, hints: Hints) -> dict[int, Column]:
    """Columns (1) of what is in no ring; of those that were idle all at once, if they still are."""
    every = np.arange(loop.plain.size)
    idle = np.intersect1d(np.array(hints.idle, np.int64), every)
    if loop.response(idle, size[idle] * any_numbers(idle.size)).any():
        idle = idle[:0]
    asked = np.setdiff1d(every, idle).tolist()
    columns = {j: _pick(loop.response(j, size[j]), size[j]) for j in asked}
    hints.idle = [*idle.tolist(), *(j for j in asked if not columns[j][0].size)]
    return columns


def _pick(answer: Vector, amount: float) -> Column:
    """Give a column of (1) by its entries: a frame has as many columns as fibres."""
    (places,) = np.nonzero(answer)
    return places, answer[places] / amount


def _entries(
    columns: dict[int, Column], moving: list[tuple[int, int]], kept: Indices, size: int
) -> tuple[Entries, bool]:
    """Collect the entries of J from its columns and from what moves on; tell if all are finite."""
    place = np.full(size, -1)
    place[kept] = np.arange(kept.size)
    moved = np.array(moving, np.int64).reshape(-1, 2)
    found = [(moved.sum(axis=1), np.ones(len(moving))), *columns.values()]
    rows = place[np.concatenate([r for r, _ in found])]
    values = np.concatenate([v for _, v in found])
    sizes = np.array([1] * len(moving) + [v.size for v, _ in columns.values()], np.int64)
    at = place[np.repeat(np.append(moved[:, 0], np.array(list(columns), np.int64)), sizes)]
    seen, finite = rows >= 0, np.isfinite(values)
    used = seen & finite
    return Entries(kept.size, rows[used], at[used], values[used]), bool(finite[seen].all())


@cache
def any_numbers(count: int) -> Vector:
    """Some numbers from 1/2 to 1 that have nothing to do with each other."""
    return np.random.default_rng(count).uniform(0.5, 1.0, count)


def follows(loop: LoopMap, J: Entries, kept: Indices, amounts: Vector, tolerance: float) -> bool:
    """Tell whether the map answers to these amounts as J says."""
    seen = loop.response(kept, amounts)[kept]
    loop.arena[:] = loop.base
    noise = LAST_PLACES * np.abs(loop.base[loop.here[kept]])
    share = tolerance * J.sizes.times(np.abs(amounts))
    allowed = share + OPERATIONS * (J.sizes.times(noise) + noise)
    return bool(np.all(np.abs(seen - J.times(amounts)) <= allowed))


def _read(
    loop: LoopMap, ages: Indices, written: int, size: Vector, hint: list[int]
) -> dict[int, Column]:
    """Find the entries of a ring that do more than move on, with their columns of J."""
    known = np.zeros(ages.size, bool)
    known[[k for k in hint if k < ages.size]] = True
    pending = [ages[~known], *ages[known][:, None]]
    amount = size[ages] * any_numbers(ages.size)
    found: dict[int, Column] = {}
    while pending:
        some = pending.pop()
        amounts = amount[some - ages[0]]
        seen = loop.response(some, amounts)
        staying = some + written <= ages[-1]
        moved = some[staying] + written
        off = seen[moved] - amounts[staying]
        only_moved = np.count_nonzero(seen) == moved.size
        if only_moved and np.all(np.abs(off) <= MOVED_ON * np.abs(seen[moved])):
            continue
        if some.size == 1:
            found[int(some[0])] = _pick(seen, float(amounts[0]))
        elif some.size:
            half = some.size // 2
            pending += [some[:half], some[half:]]
    return found
