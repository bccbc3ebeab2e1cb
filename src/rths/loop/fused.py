"""The fused loop: text for LLVM, written for one composition of blocks, all of them inlined.

Small arrays live on the stack, where LLVM turns them into registers; large ones (ring buffers of
long delays, ground motions) stay in the arena and are reached by an offset given at run time. The
source therefore depends on the composition and on small sizes only: tests that differ in values, in
the length of a record or in a long delay share one compiled loop. The arithmetic is that of the
table loop, to the last bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from rths.loop.assembly import Body, call_step, write_function
from rths.loop.block import Vector
from rths.loop.layout import Advance, Layout, Place
from rths.loop.machine_code import MachineFunction, translate_text
from rths.loop.row import GO_ON
from rths.loop.wiring import Placed

SMALL = 80
"""Arrays up to this many numbers go on the stack; the shortest ring (64 and its place) fits."""


UNSIGNED = (1 << 63) - 1
"""All bits of a float64 but its sign."""
ARGUMENTS = ("base", "places", "tick", "ticks", "record", "status")


def _gather(body: Body, slots: Sequence[int], target: str) -> None:
    """Copy slots of the bus to the beginning of a target, neighbours at once."""
    for _, run in groupby(enumerate(slots), key=lambda item: item[1] - item[0]):
        (place, slot), *others = run
        body.copy(body.place("bus", slot), body.place(target, place), 1 + len(others))


def _reserve(body: Body, name: str, size: int) -> None:
    """Reserve float64 on the stack; once a step is put in its place they become registers."""
    body.add(f"%{name} = alloca double, i64 {max(size, 1)}")


def _fetch(body: Body, k: int, place: Place) -> None:
    """Fetch state and parameters of block k, or point at those that stay in the arena."""
    for number, (letter, size) in enumerate({"x": place.nx, "p": place.np}.items()):
        first = body.load("where", 4 * k + number)
        body.add(f"%at.{letter}{k} = getelementptr double, ptr %arena, i64 {first}")
        if size <= SMALL:
            _reserve(body, f"{letter}{k}", size)
            body.copy(f"at.{letter}{k}", f"{letter}{k}", size)
        else:
            at = body.name(f"getelementptr i64, ptr %where, i64 {4 * k + 2 + number}")
            body.add(f"%size.{letter}{k} = load i64, ptr %{at}")


def _turn(body: Body, k: int, step: str, placed: Placed, place: Place) -> None:
    """Gather the inputs of block k, call it, and put its outputs on the bus."""
    arrays: list[tuple[str, str | int]] = []
    for letter, size in {"x": place.nx, "p": place.np, "u": place.nu, "y": place.ny}.items():
        far = letter in "xp" and size > SMALL
        here = (f"at.{letter}{k}", f"%size.{letter}{k}") if far else (f"{letter}{k}", size)
        arrays.append(here)
    _gather(body, placed.inputs, f"u{k}")
    body.add(f"store i64 {k}, ptr %turn")
    failed = body.name(call_step(step, "code", arrays))
    body.add(f"store i32 %{failed}, ptr %failed")
    ok = body.name(f"icmp eq i32 %{failed}, 0")
    body.branch(ok, f"taken{k}", "fail")
    body.label(f"taken{k}")
    body.copy(f"y{k}", body.place("bus", placed.output), place.ny)
    code = body.name("load i32, ptr %code")
    body.branch(body.name(f"icmp eq i32 %{code}, {GO_ON}"), f"after{k}", "stop")
    body.label(f"after{k}")


def _tick(body: Body, layout: Layout, steps: Sequence[str], peaks: bool) -> None:
    """Let the blocks whose turn it is take a step, then write a row of the record, or its peaks."""
    blocks = enumerate(zip(layout.placed, layout.places, strict=True))
    turns = groupby(blocks, key=lambda item: (item[1][0].every, item[1][0].phase))
    for number, ((every, phase), members) in enumerate(turns):
        if every > 1:
            now = body.name(f"load i64, ptr %phase{every}")
            due = body.name(f"icmp eq i64 %{now}, {phase}")
            body.branch(due, f"due{number}", f"not_due{number}")
            body.label(f"due{number}")
        for k, (p, a) in members:
            _turn(body, k, steps[k], p, a)
        if every > 1:
            body.add(f"br label %not_due{number}")
            body.label(f"not_due{number}")
    if peaks:
        _raise_peaks(body, layout.record_slots.tolist())
        return
    first = body.name(f"mul i64 %done, {len(layout.record_slots)}")
    row = body.place("rows", f"%{first}")
    _gather(body, layout.record_slots.tolist(), row)


def _raise_peaks(body: Body, slots: Sequence[int]) -> None:
    """Keep the largest size of each recorded number.

    Without their signs float64 are in the order of their bits, and what is no number is above all.
    """
    for place, slot in enumerate(slots):
        bits = body.name(f"load i64, ptr %{body.place('bus', slot)}")
        size = body.name(f"and i64 %{bits}, {UNSIGNED}")
        at = body.place("most", place)
        most = body.name(f"load i64, ptr %{at}")
        above = body.name(f"icmp ugt i64 %{size}, %{most}")
        larger = body.name(f"select i1 %{above}, i64 %{size}, i64 %{most}")
        body.add(f"store i64 %{larger}, ptr %{at}")


def _begin(body: Body, layout: Layout, rates: Sequence[int], peaks: bool) -> None:
    """Fetch bus, states and parameters; find the phase of each rate."""
    for name, address in {"arena": "base", "where": "places", "rows": "record"}.items():
        body.add(f"%{name} = inttoptr i64 %{address} to ptr")
    _reserve(body, "bus", layout.bus)
    body.copy("arena", "bus", layout.bus)
    for k, (p, a) in enumerate(zip(layout.placed, layout.places, strict=True)):
        _fetch(body, k, a)
        _reserve(body, f"u{k}", a.nu)
        _reserve(body, f"y{k}", a.ny)
        body.copy(body.place("bus", p.output), f"y{k}", a.ny)
    for word in ("turn", "stopped", "ticked"):
        body.add(f"%{word} = alloca i64")
    body.add("%failed = alloca i32", "%code = alloca i32")
    body.add("store i64 0, ptr %ticked", "store i64 -1, ptr %stopped")
    body.add(f"store i32 {GO_ON}, ptr %code")
    for rate in rates:
        now = body.name(f"srem i64 %tick, {rate}")
        body.add(f"%phase{rate} = alloca i64", f"store i64 %{now}, ptr %phase{rate}")
    if peaks:
        _reserve(body, "most", len(layout.record_slots))
        body.copy("rows", "most", len(layout.record_slots))


def _end(body: Body, layout: Layout, peaks: bool) -> None:
    """Put bus and states back into the arena and say how far the loop came."""
    body.copy("bus", "arena", layout.bus)
    for k, a in enumerate(layout.places):
        if a.nx <= SMALL:
            body.copy(f"x{k}", f"at.x{k}", a.nx)
    if peaks:
        body.copy("most", "rows", len(layout.record_slots))
    code = body.name("load i32, ptr %code")
    words = (
        body.name("load i64, ptr %ticked"),
        body.name("load i64, ptr %stopped"),
        body.name(f"sext i32 %{code} to i64"),
    )
    body.add("%told = inttoptr i64 %status to ptr")
    for number, word in enumerate(words):
        at = body.name(f"getelementptr i64, ptr %told, i64 {number}")
        body.add(f"store i64 %{word}, ptr %{at}")
    body.add("ret i32 0")


def text_of(layout: Layout, steps: Sequence[str], peaks: bool = False) -> str:
    """Write the loop of one composition, whose blocks call these steps.

    With ``peaks`` its record is one row, in which the largest size of each number is kept.
    """
    body = Body()
    rates = sorted({p.every for p in layout.placed if p.every > 1})
    _begin(body, layout, rates, peaks)
    body.add("br label %next")
    body.label("next")
    body.add("%done = load i64, ptr %ticked")
    body.branch(body.name("icmp slt i64 %done, %ticks"), "begin", "end")
    body.label("begin")
    _tick(body, layout, steps, peaks)
    body.add("%more = add i64 %done, 1", "store i64 %more, ptr %ticked")
    for rate in rates:
        now = body.name(f"load i64, ptr %phase{rate}")
        then = body.name(f"add i64 %{now}, 1")
        over = body.name(f"icmp eq i64 %{then}, {rate}")
        phase = body.name(f"select i1 %{over}, i64 0, i64 %{then}")
        body.add(f"store i64 %{phase}, ptr %phase{rate}")
    body.add("br label %next")
    body.label("stop")
    turn = body.name("load i64, ptr %turn")
    body.add(f"store i64 %{turn}, ptr %stopped", "br label %end")
    body.label("end")
    _end(body, layout, peaks)
    body.label("fail")
    body.add(f"ret i32 %{body.name('load i32, ptr %failed')}")
    return write_function("fused", ARGUMENTS, body, sorted(set(steps)))


_programs: dict[tuple[str, ...], MachineFunction] = {}


def load_fused(layout: Layout, peaks: bool = False) -> MachineFunction:
    """Load the loop of one composition, or compile it."""
    kernels = {p.block.kernel.digest: p.block.kernel for p in layout.placed}
    names = {digest: f"step{number}" for number, digest in enumerate(kernels)}
    text = text_of(layout, [names[p.block.kernel.digest] for p in layout.placed], peaks)
    composition = (text, *kernels)
    if composition not in _programs:
        try:
            given = {names[digest]: kernel for digest, kernel in kernels.items()}
            made = translate_text("fused", len(ARGUMENTS), text, given, unroll=True)
        except Exception:
            for kernel in kernels.values():  # one that cannot be compiled is named by its own entry
                _ = kernel.address
            raise
        _programs[composition] = made
    return _programs[composition]


def places_of(layout: Layout) -> NDArray[np.int64]:
    """List where the blocks of a layout keep their state and parameters, and how many."""
    return np.array([[a.x, a.p, a.nx, a.np] for a in layout.places], np.int64).ravel()


def fused_loop(layout: Layout, arena: Vector) -> Advance:
    """Bind the fused loop to one arena."""
    run, places = load_fused(layout).make_callable(), places_of(layout)

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
