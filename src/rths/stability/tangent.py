"""The tangent stiffness of a structure that is not linear, at any state of the rehearsed test.

    K_t e_j = (r(x; u + δ_j e_j) - r(x; u - δ_j e_j)) / 2 δ_j                                    (1)

x are the histories up to the last step and u the displacements of the next one, so that (1) is what
the next step of the very block of the test has: of a hinge that yields the stiffness after yield,
of one that turns back the first. r is asked with copies of x; the test is not disturbed.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rths.loop.block import Block, Vector
from rths.loop.cycle import compiler_is_off

SHARE, LITTLE = 2.0**-20, 2.0**-30
"""δ of (1) over the displacement itself, and its least, m or rad: a millionth and a nanometre are
far below a step and any yield point, and far above round-off."""
LEAST = 1e-3
"""Least that a displacement counts, as a share of the largest of all."""


class Tangent:
    """The restoring block of a structure, asked without being moved."""

    def __init__(self, block: Block) -> None:
        self._answer = _bind(block)

    def forces(self, x: Vector, u: Vector) -> Vector:
        """Give r(x; u)."""
        return self._answer(x.copy(), u)

    def along(self, x: Vector, u: Vector, shape: Vector) -> float:
        """Give φ' K_t φ of a shape φ."""
        size = float(_deltas(u).max() / np.abs(shape).max())
        ends = [self._answer(x.copy(), u + sign * size * shape) for sign in (1.0, -1.0)]
        return float(shape @ (ends[0] - ends[1])) / (2 * size)

    def matrix(self, x: Vector, u: Vector) -> Vector:
        """Give K_t of (1)."""
        K = np.zeros((u.size, u.size))
        for j, delta in enumerate(_deltas(u)):
            moved = u.copy()
            moved[j] = u[j] + delta
            above, up = moved[j], self._answer(x.copy(), moved)
            moved[j] = u[j] - delta
            K[:, j] = (up - self._answer(x.copy(), moved)) / (above - moved[j])  # (1)
        return K


def _deltas(u: Vector) -> Vector:
    """Give δ of each displacement."""
    size = np.abs(u)
    found: Vector = np.maximum(SHARE * np.maximum(size, LEAST * size.max(initial=0.0)), LITTLE)
    return found


def _bind(block: Block) -> Callable[[Vector, Vector], Vector]:
    """Bind one call of a block: states (changed) and inputs in, outputs out."""
    params, y = np.ascontiguousarray(block.params), np.zeros(block.outputs)
    if compiler_is_off():

        def interpret(x: Vector, u: Vector) -> Vector:
            block.kernel(x, params, u, y)
            return y.copy()

        return interpret
    from rths.loop.entry import entry

    call = entry(block.kernel).make_callable()
    sizes = np.array([block.states.size, params.size, block.outputs, block.outputs], np.int64)

    def run(x: Vector, u: Vector) -> Vector:
        call(*(int(a.ctypes.data) for a in (x, params, u, y, sizes)))
        return y.copy()

    return run
