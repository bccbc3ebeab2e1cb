"""The fused loop: source written for one composition of blocks, all of them inlined.

Small arrays live on the stack, where LLVM turns them into registers; large ones (ring buffers of
long delays, ground motions) stay in the arena and are reached by an offset given at run time. The
source therefore depends on the composition and on small sizes only: tests that differ in values, in
the length of a record or in a long delay share one compiled loop. The arithmetic is that of the
table loop, to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from rths.loop.block import Vector
from rths.loop.layout import Advance, Layout, Place
from rths.loop.machine_code import translate_source
from rths.loop.row import GO_ON, WORD
from rths.loop.wiring import Placed

SMALL = 80
"""Arrays up to this many numbers go on the stack; the shortest ring (64 and its place) fits."""


def _copies(source: str, slots: Sequence[int], target: str) -> list[str]:
    """Lines that copy slots of a source to the beginning of a target, one line for neighbours."""
    lines = []
    for _, run in groupby(enumerate(slots), key=lambda item: item[1] - item[0]):
        (place, slot), *others = run
        lines.append(f"copy({source}, {slot}, {target}, {place}, {1 + len(others)})")
    return lines


def _fetch(k: int, place: Place) -> tuple[list[str], list[str]]:
    """Lines that fetch state and parameters of block k, and that put its state back."""
    before, after = [], []
    for number, (letter, size) in enumerate({"x": place.nx, "p": place.np}.items()):
        name, first = f"{letter}{k}", f"load_integer(places + {WORD * (4 * k + number)})"
        if size <= SMALL:
            before += [f"{name} = stack({size})", f"copy(arena, {first}, {name}, 0, {size})"]
            if letter == "x":
                after.append(f"copy({name}, 0, arena, {first}, {size})")
        else:
            count = f"load_integer(places + {WORD * (4 * k + 2 + number)})"
            before += [f"{name} = pointer(base + {WORD} * {first})", f"n{name} = {count}"]
    return before, after


def _turn(k: int, placed: Placed, place: Place) -> list[str]:
    """Lines that gather the inputs of block k, call it, and put its outputs on the bus."""
    sizes = {"x": place.nx, "p": place.np, "u": place.nu, "y": place.ny}
    far = {letter for letter in "xp" if sizes[letter] > SMALL}
    counts = [f"n{letter}{k}" if letter in far else n for letter, n in sizes.items()]
    arrays = [f"vector({letter}{k}, {n})" for letter, n in zip(sizes, counts, strict=True)]
    return [
        *_copies("bus", placed.inputs, f"u{k}"),
        f"code = answer(step{k}({', '.join(arrays)}))",
        f"copy(y{k}, 0, bus, {placed.output}, {place.ny})",
        f"if code != {GO_ON}:",
        f"    stopped = {k}",
        "    break",
    ]


def _tick(layout: Layout) -> list[str]:
    """Lines of one tick: the blocks whose turn it is, then a row of the record."""
    lines = []
    blocks = enumerate(zip(layout.placed, layout.places, strict=True))
    turns = groupby(blocks, key=lambda item: (item[1][0].every, item[1][0].phase))
    for (every, phase), members in turns:
        indent = ""
        if every > 1:
            lines.append(f"if phase{every} == {phase}:")
            indent = "    "
        lines += [indent + line for k, (p, a) in members for line in _turn(k, p, a)]
    lines.append(f"row = pointer(record + {WORD * len(layout.record_slots)} * done)")
    lines += _copies("bus", layout.record_slots.tolist(), "row")
    return [*lines, "done += 1"]


def source_of(layout: Layout) -> str:
    """Write the loop of one composition.

    Pointers are seen as arrays only in the call of a block: Numba counts who holds an array at
    each way out of the loop, and to compile that would take longer than all else.
    """
    head = ["arena = pointer(base)", f"bus = stack({layout.bus})"]
    head.append(f"copy(arena, 0, bus, 0, {layout.bus})")
    tail = [f"copy(bus, 0, arena, 0, {layout.bus})"]
    for k, (p, a) in enumerate(zip(layout.placed, layout.places, strict=True)):
        before, after = _fetch(k, a)
        head += [*before, f"u{k} = stack({a.nu})", f"y{k} = stack({a.ny})"]
        head.append(f"copy(bus, {p.output}, y{k}, 0, {a.ny})")
        tail += after
    rates = sorted({p.every for p in layout.placed if p.every > 1})
    head += [f"phase{r} = tick % {r}" for r in rates]
    head.append(f"done, stopped, code = 0, -1, {GO_ON}")
    tick = _tick(layout)
    for r in rates:
        tick += [f"phase{r} += 1", f"if phase{r} == {r}: phase{r} = 0"]
    for number, word in enumerate(("done", "stopped", "code")):
        tail.append(f"store_integer(status + {WORD * number}, {word})")
    inside = [*head, "while done < ticks:", *("    " + line for line in tick), *tail, "return 0"]
    first = "def fused(base, places, tick, ticks, record, status):"
    return "\n".join([first, *("    " + line for line in inside), ""])


_programs: dict[tuple[str, ...], Callable[..., int]] = {}


def load_fused(layout: Layout) -> Callable[..., int]:
    """Load the loop of one composition, or compile it."""
    source, kernels = source_of(layout), [p.block.kernel for p in layout.placed]
    composition = (source, *(kernel.digest for kernel in kernels))
    if composition not in _programs:
        try:
            made = translate_source("fused", source, {f"step{k}": s for k, s in enumerate(kernels)})
        except Exception:
            for kernel in kernels:  # one that cannot be compiled is named by its own entry
                _ = kernel.address
            raise
        _programs[composition] = made.make_callable()
    return _programs[composition]


def places_of(layout: Layout) -> NDArray[np.int64]:
    """List where the blocks of a layout keep their state and parameters, and how many."""
    return np.array([[a.x, a.p, a.nx, a.np] for a in layout.places], np.int64).ravel()


def fused_loop(layout: Layout, arena: Vector) -> Advance:
    """Bind the fused loop to one arena."""
    run, places = load_fused(layout), places_of(layout)

    def advance(
        tick: int, ticks: int, record: NDArray[np.float64], status: NDArray[np.int64]
    ) -> None:
        failed = run(
            arena.ctypes.data,
            places.ctypes.data,
            tick,
            ticks,
            record.ctypes.data,
            status.ctypes.data,
        )
        if failed:
            raise RuntimeError("a block raised an exception")

    return advance
