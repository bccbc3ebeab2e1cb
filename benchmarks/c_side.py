"""The benchmark's own C, compiled where a compiler is present, bound to the same numbers."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rths.compensator import _past
from rths.loop.block import FINITE, Block
from rths.loop.layout import Layout
from rths.loop.table import table_of

SOURCE = Path(__file__).parent / "engine.c"
FUNCTION = {"spring": "sdof_spring", "bilinear": "sdof_bilinear", "frame": "frame"}
BLOCK = {
    "interface": "copy",
    "compensator": "polynomial",
    "limits on the command": "guard",
    "limits on the measurement": "guard",
    "transfer": "dead_time",
    "specimen": "spring",
    "excitation": "ground_motion",
    "integrator": "central_difference",
}


class Channel(ctypes.Structure):
    """The struct ``channel`` of the C source."""

    _fields_ = [
        ("w", ctypes.c_void_p),
        ("m", ctypes.c_int64),
        ("q", ctypes.c_int64),
        ("r", ctypes.c_double),
        ("k", ctypes.c_double),
        ("ak", ctypes.c_double),
        ("band", ctypes.c_double),
        ("limit", ctypes.c_double * 6),
    ]


def compile_library(folder: Path) -> Any | None:
    """Compile the C source with everything the compiler has; None if there is no compiler."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        return None
    target = folder / "engine.so"
    flags = ["-O3", "-march=native", "-shared", "-fPIC"]
    subprocess.run([compiler, *flags, "-o", str(target), str(SOURCE)], check=True)
    library = ctypes.CDLL(str(target))
    for name in (*FUNCTION.values(), "table"):
        getattr(library, name).restype = ctypes.c_int64
    return library


def _address(array: NDArray[Any]) -> ctypes.c_void_p:
    return array.ctypes.data_as(ctypes.c_void_p)


def _blocks(layout: Layout) -> dict[str, Block]:
    return {p.role: p.block for p in layout.placed}


def bind_specialised(
    library: Any, name: str, layout: Layout, record: NDArray[np.float64]
) -> Callable[[], object]:
    """Bind the C loop that was written out for this one composition."""
    blocks = _blocks(layout)
    past, dead = _past.P.unpack(blocks["compensator"].params), blocks["transfer"].params
    weights = past["weights"]
    weights_of_step, law = blocks["integrator"].params, blocks["specimen"].params
    n = (blocks["integrator"].states.size - 1) // 2
    cut = 1 + n * (2 * n + 2)
    a, first = weights_of_step[1:cut].copy(), weights_of_step[cut:].copy()
    drive = blocks["excitation"].params
    stiffness = [law[0], 0.0, 0.0] if len(law) == 1 else law.tolist()
    limits = (ctypes.c_double * 6)(-1e3, 1e3, -FINITE, FINITE, -1e7, 1e7)
    c = Channel(
        weights.ctypes.data, int(past["spacing"]), int(dead[0]), float(dead[1]), *stiffness, limits
    )
    ticks = ctypes.c_int64(len(record))
    function, samples = getattr(library, FUNCTION[name]), ctypes.c_int64(drive.size)

    def go() -> object:
        return function(
            ctypes.byref(c), _address(a), _address(first), _address(drive), samples,
            _address(record), ticks,
        )  # fmt: skip

    return go


def bind_by_pointer(
    library: Any, layout: Layout, record: NDArray[np.float64]
) -> Callable[[], object]:
    """Bind the C table loop to C blocks, called by pointer."""
    arena = layout.initial.copy()
    names = [BLOCK[p.role] for p in layout.placed]
    entries = [ctypes.cast(library[f"block_{n}"], ctypes.c_void_p).value or 0 for n in names]
    t = table_of(layout, arena, entries)
    period, ticks = ctypes.c_int64(layout.period), ctypes.c_int64(len(record))
    count = ctypes.c_int64(t.slots.size)

    first = [(0, layout.bus), *((a.x, a.x + a.nx) for a in layout.places)]

    def go() -> object:
        for begin, end in first:
            arena[begin:end] = layout.initial[begin:end]
        return library.table(
            _address(t.rows), _address(t.marks), period, ticks, _address(t.slots), count,
            _address(record),
        )  # fmt: skip

    return go
