"""Between two targets of the integrator the signal is a ramp over the ticks of a stage.

    y_j = sum_i W_ji v_i,   j = 1...s,   W_ji = prod_(r != i) (sigma_j + r) / (r - i)            (1)
    sigma_j = j/s - 1

v_0 is the newest target (due at the end of the stage), v_1 the one before, and so on;
i, r = 0...q. q = 1 is the linear ramp; q = 2, 3 bend through older targets. A hold keeps v_1 until
the last tick and then takes v_0: it costs about half a stage of delay, which must be counted in
the delay. At j = s each gives y = v_0 exactly.
"""

from __future__ import annotations

from math import prod
from typing import Literal

import numpy as np

from rths.loop.block import Block, Vector, kernel
from rths.loop.fields import fields, many

Ramp = Literal["linear", "hold", "quadratic", "cubic"]
ORDER: dict[str, int] = {"hold": 1, "linear": 1, "quadratic": 2, "cubic": 3}
"""Order of the polynomial through the last targets; a hold is laid out like a line."""
P = fields(weights=many("W by rows"), ticks="s")
X = fields(targets=many("v_0...v_q for each channel in turn"), tick="j")


@kernel
def ramp(x: Vector, p: Vector, u: Vector, y: Vector) -> None:
    m = u.size
    s = int(p[P.ticks])
    q = (p.size - 1) // s
    j = int(x[X.tick])
    if j == s:
        j = 0
        for c in range(m):
            for i in range(q - 1, 0, -1):
                x[X.targets + c * q + i] = x[X.targets + c * q + i - 1]
            x[X.targets + c * q] = u[c]
    x[X.tick] = j + 1.0
    for c in range(m):
        v = 0.0
        for i in range(q):
            v += p[P.weights + j * q + i] * x[X.targets + c * q + i]  # (1)
        y[c] = v


def weights(kind: Ramp, ticks: int) -> Vector:
    """Weights W of (1), one row for each tick of a stage, newest target first."""
    q = ORDER[kind]
    if kind == "hold":
        w = np.tile([0.0, 1.0], (ticks, 1))
    else:
        nodes = range(q + 1)
        sigma = np.arange(1, ticks + 1) / ticks - 1
        w = np.array(
            [[prod((a + r) / (r - i) for r in nodes if r != i) for i in nodes] for a in sigma]
        )
    w[-1] = [1.0] + [0.0] * q
    return w


def ramp_block(kind: Ramp, ticks: int, initial: Vector, first: int = 1) -> Block:
    """Ramp each channel over ``ticks`` ticks from rest; the first target comes at ``first``."""
    q = ORDER[kind] + 1
    states = X.pack(targets=np.repeat(np.asarray(initial, float), q), tick=ticks - first)
    params = P.pack(weights=weights(kind, ticks), ticks=ticks)
    return Block(ramp, params, states, outputs=len(initial), counters=[states.size + X.tick])
