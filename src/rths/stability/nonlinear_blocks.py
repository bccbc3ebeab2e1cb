"""Which blocks of a loop are not linear, each tried by itself.

    g(a) = (step(x + a δ, u + a δ') - step(x, u)) / a   is the same for a = 1, 1/8 and -1      (1)

for random δ in everything but counters and the places of rings. With small deviations: not even
differentiable at this point (dry friction without a spring, a quantiser); with large ones: not
linear (yielding, saturation, a law that adapts).
"""

from __future__ import annotations

import numpy as np

from rths.loop.block import Block, Vector
from rths.loop.wiring import Owner
from rths.stability.loop_map import SHARE, LoopMap

SMALL = 2.0**-60
"""Deviation of what is zero: below any threshold of a test, above that of a block's iteration."""
TOLERANCE = 1e-6
"""Relative difference of slopes that passes for round-off; a kink makes one of order 1."""
AMOUNTS = (1.0, 0.125, -1.0)
"""a of (1): much smaller, where a curve has another slope, and to the other side, where a kink has;
a power of two, so that the factor itself has no round-off."""
NO_SLOPE = 1e-300
"""Size of the slopes of a block that does not answer at all."""
ANSWER_ROUND_OFF = 1e-14
"""Share of the answer that its round-off may put into a slope: two answers, each exact to 2.2e-16,
divided by 1/8 make 3.6e-15; thrice that, as a kernel adds up several terms."""
LARGE = 2.0**50
"""Factor on the smallest deviations with which a silent block is asked again: what was at zero then
goes to 2^-10, a millimetre, and all else to 2^24 times its value."""


def nonlinear_blocks(loop: LoopMap, size: float | None = None) -> list[Owner]:
    """Owners of the blocks that (1) does not hold for, with deviations of a size.

    Without a size they are next to nothing, and a block that answers to large ones alone counts
    too.
    """
    found = []
    for p, a in zip(loop.layout.placed, loop.layout.places, strict=True):
        x, u = loop.base[a.x : a.x + a.nx], loop.base[list(p.inputs)]
        if not _is_linear(p.block, x, u, size):
            found.append(p.owner)
    return found


def _is_linear(block: Block, x: Vector, u: Vector, size: float | None) -> bool:
    rng = np.random.default_rng(2)
    fixed = {*block.counters, *(r.position for r in block.rings)}
    free = np.array([k not in fixed for k in range(x.size)], bool)
    base = np.concatenate([x[free], u])
    little = np.where(base != 0, np.abs(base) * SHARE, SMALL)
    d = (little if size is None else np.full(base.size, size)) * rng.uniform(0.5, 1.0, base.size)

    def answer(a: float) -> Vector:
        moved, y = x.copy(), np.zeros(block.outputs)
        z = base + a * d
        moved[free] = z[: int(free.sum())]  # the others may be whole numbers in disguise
        with np.errstate(all="ignore"):
            block.kernel(moved, block.params, z[int(free.sum()) :], y)
        return np.concatenate([moved[free], y])

    rest = answer(0.0)
    slopes = [(answer(a) - rest) / a for a in AMOUNTS]
    scale = np.abs(slopes[0]).max(initial=NO_SLOPE)
    noise = ANSWER_ROUND_OFF * np.abs(rest).max(initial=0.0)
    even = all(np.abs(s - slopes[0]).max(initial=0.0) <= TOLERANCE * scale + noise for s in slopes)
    outputs = slice(rest.size - block.outputs, None)
    silent = size is None and block.outputs and not np.any(slopes[0][outputs])
    return even and not (silent and np.any(answer(LARGE)[outputs] != rest[outputs]))
