"""One block by itself: what it answers to given inputs, run by the same loops as in a test.

    y_k = step(u_k),  k = 0, 1, ...                                                            (1)

For whoever writes a block: a sine in and a sine out give its frequency response.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rths.loop.block import Block, Vector, kernel
from rths.loop.cycle import Cycle, Engine
from rths.loop.layout import Layout
from rths.loop.wiring import Wiring


@kernel
def play(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    # p = rows of inputs one after the other;   x = rows played
    k = int(x[0]) * y.size
    for i in range(y.size):
        y[i] = p[k + i]
    x[0] += 1.0


def respond(block: Block, inputs: ArrayLike, engine: Engine = "table") -> NDArray[np.float64]:
    """Run a block over rows of inputs; give one row of outputs for each."""
    u = np.asarray(inputs, float)
    u = u[:, None] if u.ndim == 1 else u
    w = Wiring()
    w.signal("inputs", u.shape[1])
    w.signal("outputs", block.outputs)
    w.place("inputs", Block(play, u.ravel(), 1, outputs=u.shape[1], counters=(0,)), [], "inputs")
    w.place("block", block, ["inputs"], "outputs")
    record = np.empty((len(u), block.outputs))
    cycle = Cycle(Layout.of(w, ["outputs"]), 1.0, engine)
    done = cycle.advance(len(u), record)
    return record[:done]


def frequency_response(
    block: Block, frequency: float, interval: float, cycles: int = 40, per_cycle: int = 200
) -> complex:
    """Give output/input of a linear block at a frequency (Hz), after the transient has died out.

    The last half of the run is fitted with a sine and a cosine, so that any interval will do.
    """
    n = max(cycles * per_cycle, int(np.ceil(cycles / (frequency * interval))))
    t = np.arange(n) * interval
    angle = 2 * np.pi * frequency * t
    y = respond(block, np.sin(angle))[:, 0]
    late = slice(n // 2, None)
    basis = np.column_stack([np.sin(angle[late]), np.cos(angle[late])])
    a, b = np.linalg.lstsq(basis, y[late], rcond=None)[0]
    return complex(a, b)
