"""The loop around a point where a nonlinear specimen or structure yields, slides or turns round.

    specimen sees x + d_k,   structure sees f(d_k + x) - f(d_k),   d_k = d + v h k               (1)

The path d_k leads the specimen alone to its operating point; the loop itself stays at rest, and
what is linearised is how it answers to a small x on top of that path. v ≠ 0 keeps the specimen on
its yield or sliding branch, as a motion in the test would. Tangent stiffness, tangent damping and
hysteretic memory are those of the very block that runs in the test.

Three points are looked at: at rest (elastic, stuck); yielding or sliding outwards; just after a
turn inwards. The displacement is three times the largest length among the specimen's own fields,
10 mm if it has none; the velocity is that of a vibration in the lowest mode with this amplitude.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from math import pi
from typing import Any, get_type_hints

import numpy as np

from rths.assembly.hybrid_test import HybridTest
from rths.loop.block import Block, Vector, kernel
from rths.loop.layout import Layout
from rths.loop.wiring import Owner, Placed, Wiring
from rths.stability.linearisation import Linearisation, any_numbers, follows, linearise
from rths.stability.loop_map import SETTLING, LoopMap, period_of, silence_test, silent_wiring
from rths.stability.structural_modes import modes_of

LOADING = 400
"""Steps of the path from zero to the operating point."""
BEYOND = 3.0
"""Operating point over the largest length of the specimen: well on its yield or sliding branch."""
STEADY = 0.05
"""Relative change in a period up to which a point counts as steady."""
SMOOTH = 1e-4
"""Relative difference of two step sizes up to which a point counts as differentiable."""


@kernel
def add_row(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # p = what to add at each call, row by row;   x = calls
    n = y.size
    k = min(int(x[0]), p.size // n - 1)
    x[0] += 1.0
    for i in range(n):
        y[i] = u[i] + p[k * n + i]


@dataclass(frozen=True)
class OperatingPoint:
    """Where on its path the nonlinear part stands: words, displacement (m), velocity (m/s)."""

    name: str
    displacement: float
    velocity: float
    turned: bool = False
    """Whether the path has just turned round: v then points inwards."""


def points_of(test: HybridTest) -> list[OperatingPoint]:
    """The points at which a nonlinear plan is certified besides rest."""
    lengths = [_length(s) for s in test.descriptions("specimen")] + [_length(test.structure)]
    known = [v for v in lengths if v > 0]
    d = BEYOND * max(known) if known else 0.01
    v = 2 * pi * max(float(modes_of(test).frequencies[0]), 0.1) * d
    outwards = OperatingPoint("yielding or sliding outwards", d, v)
    return [outwards, OperatingPoint("just after a turn", d, -v, turned=True)]


def _length(description: Any) -> float:
    """Largest length among the fields of a description, m; 0 if it has none."""
    hints = get_type_hints(type(description), include_extras=True)
    found = [0.0]
    for f in fields(description):
        units = [m.unit for m in getattr(hints[f.name], "__metadata__", ()) if hasattr(m, "unit")]
        value = getattr(description, f.name)
        if units[:1] == ["m"] and isinstance(value, float):
            found.append(abs(value))
        if f.name == "yield_deformations":
            found.append(max(value))
    return max(found)


def linearise_at(test: HybridTest, point: OperatingPoint) -> tuple[Linearisation, bool]:
    """Linearise the loop with its nonlinear parts on the path (1); tell whether it stays so."""
    silent = silence_test(test)
    w = silent_wiring(silent)
    ticks = period_of(test, Layout.of(w, ()))
    calls = (SETTLING + 3) * ticks
    for c in range(test.channels):
        owner = Owner("specimen", test.descriptions("specimen")[c].kind, c)
        _lead(w, owner, np.ones(1), point, test.tick, calls)
    if silent.equation.restoring is not None:
        shape = modes_of(test).shapes[:, 0]
        owner = Owner("structure", part="restoring")
        _lead(w, owner, shape / np.abs(shape).max(), point, test.tick, calls)
    layout = Layout.of(w, ())
    loop = LoopMap(layout, ticks)
    size = abs(point.velocity) * test.tick * 2.0**-18
    scale = np.maximum(size, np.abs(loop.base[loop.here]) * 2.0**-26)
    linear = linearise(loop, ticks * test.tick, scale, whole=size * 4, smooth=SMOOTH)
    loop.run(1)
    amounts = scale[linear.kept] * any_numbers(linear.size)
    return linear, follows(loop, linear.entries, linear.kept, amounts, STEADY)


def _lead(
    w: Wiring, owner: Owner, shape: Vector, point: OperatingPoint, tick: float, calls: int
) -> None:
    """Lead a block along (1): what it reads is moved, what it writes is moved back."""
    k = next(i for i, p in enumerate(w.placed) if p.owner == owner)
    old = w.placed[k]
    block, rate = old.block, point.velocity * old.every * tick
    x, y = block.states.copy(), np.zeros(block.outputs)
    for s in np.linspace(0.0, 1.0, LOADING + 1):
        block.kernel(x, block.params, s * point.displacement * shape, y)
    start = x.copy()
    path = np.outer(point.displacement + rate * np.arange(1, calls + 1), shape)
    forces = np.empty((calls, block.outputs))
    for row, d in zip(forces, path, strict=True):
        block.kernel(x, block.params, d, y)
        row[:] = y
    w.placed[k : k + 1] = [
        _add_block(old, path, old.inputs),
        replace(old, block=replace(block, states=start)),
        _add_block(old, -path, old.inputs),
        _add_block(old, -forces, tuple(old.output_slots)),
    ]


def _add_block(led: Placed, rows: Vector, slots: tuple[int, ...]) -> Placed:
    """Add rows to what a block reads or writes, in place and whenever that block runs."""
    owner = Owner("path", part=led.owner.role, channel=led.owner.channel)
    block = Block(add_row, rows, 1, outputs=len(slots), counters=(0,))
    return replace(led, owner=owner, block=block, inputs=slots, output=slots[0])
