"""The interpreted loop: the same blocks, run by Python itself.

Hundreds of times slower, but it needs no compiler, checks every index, shows the traceback of an
exception, and lets a debugger stop inside a kernel.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rths.loop.block import Vector
from rths.loop.layout import Advance, Layout
from rths.loop.row import GO_ON


def interpreted_loop(layout: Layout, arena: Vector) -> Advance:
    """Bind the interpreted loop to one arena."""
    bound = []
    for p, a in zip(layout.placed, layout.places, strict=True):
        x, q = arena[a.x : a.x + a.nx], arena[a.p : a.p + a.np]
        u, y = arena[a.u : a.u + a.nu], arena[p.output : p.output + a.ny]
        bound.append((p.block.kernel.function, x, q, u, y, list(p.inputs)))

    def advance(
        tick: int, ticks: int, record: NDArray[np.float64], status: NDArray[np.int64]
    ) -> None:
        status[1] = -1
        for done in range(ticks):
            status[0] = done
            for k in layout.schedule[(tick + done) % layout.period]:
                step, x, p, u, y, inputs = bound[k]
                u[:] = arena[inputs]
                status[1] = k
                code = step(x, p, u, y)
                if code:
                    status[2] = GO_ON + code
                    return
            status[1] = -1
            record[done] = arena[layout.record_slots]
        status[0] = ticks

    return advance
