"""The fused loop: source written for one composition of blocks, all of them inlined.

Small arrays live on the stack, where LLVM turns them into registers; large ones (ring buffers of
long delays, ground motions) stay in the arena and are reached by an offset given at run time. The
source therefore depends on the composition and on small sizes only: tests that differ in values, in
the length of a record or in a long delay share one compiled loop. The arithmetic is that of the
table loop, to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from rths.loop.block import Vector
from rths.loop.layout import Advance, Layout
from rths.loop.machine_code import translate_source
from rths.loop.row import GO_ON

SMALL = 80
"""Arrays up to this many numbers go on the stack; the shortest ring (64 and its place) fits."""


def _arrays(k: int, sizes: dict[str, int]) -> tuple[list[str], list[str]]:
    """Lines that fetch the arrays of block k before the loop, and that put its state back after."""
    before, after = [], []
    for place, (letter, size) in enumerate(sizes.items()):
        name, at = f"{letter}{k}", f"places[{4 * k + place}]"
        if size <= SMALL:
            before.append(f"    {name} = carray(stack({size}), ({size},))")
            before.append(f"    for i in range({size}): {name}[i] = arena[{at} + i]")
            if letter == "x":
                after.append(f"    for i in range({size}): arena[{at} + i] = {name}[i]")
        else:
            count = f"places[{4 * k + 2 + place}]"
            before.append(f"    {name} = carray(pointer(base + 8 * {at}), ({count},))")
    return before, after


def source_of(layout: Layout) -> str:
    """Write the loop of one composition."""
    columns = len(layout.record_slots)
    head = ["def fused(base, size, places, tick, ticks, record, status):"]
    head.append("    arena = carray(pointer(base), (size,))")
    head.append(f"    places = carray(integers(places), ({4 * len(layout.placed)},))")
    head.append(f"    record = carray(pointer(record), (ticks, {columns}))")
    head.append("    status = carray(integers(status), (3,))")
    head.append(f"    bus = carray(stack({layout.bus}), ({layout.bus},))")
    head.append(f"    for i in range({layout.bus}): bus[i] = arena[i]")
    tail = [f"    for i in range({layout.bus}): arena[i] = bus[i]"]
    body = ["    done = 0", "    status[1] = -1", "    while done < ticks:"]
    for k, a in enumerate(layout.places):
        before, after = _arrays(k, {"x": a.nx, "p": a.np})
        head += before
        head.append(f"    u{k} = carray(stack({a.nu}), ({a.nu},))")
        head.append(f"    y{k} = carray(stack({a.ny}), ({a.ny},))")
        head.append(f"    for i in range({a.ny}): y{k}[i] = bus[{layout.placed[k].output} + i]")
        tail += after
    rates = sorted({p.every for p in layout.placed if p.every > 1})
    head += [f"    phase{r} = tick % {r}" for r in rates]
    turns = groupby(enumerate(layout.placed), key=lambda item: (item[1].every, item[1].phase))
    for (every, phase), members in turns:
        indent = "        "
        if every > 1:
            body.append(f"{indent}if phase{every} == {phase}:")
            indent += "    "
        for k, p in members:
            body += [f"{indent}u{k}[{i}] = bus[{s}]" for i, s in enumerate(p.inputs)]
            body.append(f"{indent}code = answer(step{k}(x{k}, p{k}, u{k}, y{k}))")
            body += [f"{indent}bus[{p.output + i}] = y{k}[{i}]" for i in range(p.block.outputs)]
            body.append(f"{indent}if code != {GO_ON}:")
            body.append(f"{indent}    status[1] = {k}; status[2] = code; break")
    body += [f"        record[done, {c}] = bus[{s}]" for c, s in enumerate(layout.record_slots)]
    body.append("        done += 1")
    for r in rates:
        body.append(f"        phase{r} += 1")
        body.append(f"        if phase{r} == {r}: phase{r} = 0")
    return "\n".join([*head, *body, *tail, "    status[0] = done", "    return 0", ""])


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
        _programs[composition] = made.callable()
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
            arena.size,
            places.ctypes.data,
            tick,
            ticks,
            record.ctypes.data,
            status.ctypes.data,
        )
        if failed:
            raise RuntimeError("a block raised an exception")

    return advance
