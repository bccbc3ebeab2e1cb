"""The tangent of a structure at rest, which takes the place of its block when roots are sought.

    K v = r(v)/|v|   for any small v and -v, or there is no tangent at rest                      (1)
    r(a v) = a K v   for a = ± each of SIZES: the structure is straight                          (2)

Displacements of a frame count from its rest under gravity loads. Its laws know the whole, d_g + u,
in which a motion next to nothing is lost: a loop linearised by such motions would have no stiffness
at all. Differences of a nanometre are seen (`tangent`), and K is exact for whatever is smaller.
"""

from __future__ import annotations

import numpy as np

from rths.loop.block import Block, Vector
from rths.loop.wiring import Owner
from rths.stability.tangent import LITTLE, Tangent

RESTORING = Owner("structure", part="restoring")
"""The block of a structure that is not linear."""
SMOOTH = 1e-4
"""Share of |K| |v| by which (1) may be off: round-off of the forces at rest beside those of a
nanometre; a gap that opens or concrete that cracks at rest makes an error of order 1."""
STRAIGHT = 1e-6
"""The same for (2), where forces are large: what is left is that of the differences in K."""
ROUND_OFF = 1e-9
"""Share of the largest of all forces that is round-off of any: those at rest stand beside them."""
SIZES = (2.0**-10, 1.0, 2.0**10)
"""Sizes a of (2), m and rad."""


def tangent_at_rest(block: Block) -> Vector | None:
    """Give K of (1), None if there is none."""
    tangent, u = Tangent(block), np.zeros(block.outputs)
    K = tangent.matrix(block.states, u)
    v = LITTLE * _any_direction(u.size)
    smooth = np.isfinite(K).all() and all(
        _agrees(tangent, block, K, sign * v, SMOOTH) for sign in (1.0, -1.0)
    )
    return K if smooth else None


def is_straight(block: Block) -> bool:
    """Tell whether (2) holds."""
    K = tangent_at_rest(block)
    if K is None:
        return False
    tangent, v = Tangent(block), _any_direction(block.outputs)
    every = [sign * size for size in SIZES for sign in (1.0, -1.0)]
    return all(_agrees(tangent, block, K, a * v, STRAIGHT) for a in every)


def _agrees(tangent: Tangent, block: Block, K: Vector, v: Vector, share: float) -> bool:
    """Tell whether the forces of a displacement are those of K."""
    off, size = np.abs(tangent.forces(block.states, v) - K @ v), np.abs(K) @ np.abs(v)
    return bool(np.all(off <= share * size + ROUND_OFF * size.max(initial=0.0)))


def _any_direction(count: int) -> Vector:
    """Give some displacements that have nothing to do with each other."""
    rng = np.random.default_rng(count)
    return rng.choice([-1.0, 1.0], count) * rng.uniform(0.5, 1.0, count)
