"""Gravity loads, applied in steps before the test: the state in which it begins.

    r(d) = λ f,   λ = 1/s, 2/s, ..., 1;   d += K^-1 (λ f - r(d))                                 (1)

K is the first stiffness, so that (1) needs no tangent; each trial starts from the histories of the
step before, and the last one is taken for good. Close is not enough: what (1) misses by is a force,
and where a frame is soft beside its stiffest element it moves it a thousand times as far, as a
share. So a step goes on until what it misses by falls no more, which is its round-off.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import numpy as np

from rths.errors import InputError
from rths.frame.block import FARTHEST, REST, P, restore
from rths.loop.block import Vector
from rths.loop.cycle import compiler_is_off
from rths.quantity import Range

MOST = 2000
"""Iterations of a step; one that yields much needs some hundred."""
CLOSE = 1e-10
"""Share of the largest load, or force, by which (1) may be missed."""
FALLS = 0.5
"""Factor by which a trial must come closer to be worth another one."""
INTERPRETED = 20_000
"""Numbers of states up to which Python itself is faster than waiting for the compiler."""

Pass = Callable[[Vector, Vector], Vector]
GravitySteps = Annotated[int, Range("1", "a whole number", low=1, high=1000, whole=True)]
"""s of (1): each takes some passes over the frame before the test."""


def bind_pass(params: Vector, states: Vector, size: int) -> Pass:
    """Bind one pass over the elements: states (changed) and displacements in, forces out."""
    y = np.zeros(size)
    if compiler_is_off() or states.size < INTERPRETED:

        def interpret(x: Vector, u: Vector) -> Vector:
            restore.function(x, params, u, y)
            return y.copy()

        return interpret
    from rths.loop.entry import entry

    call = entry(restore).make_callable()
    n = np.array([states.size, params.size, size, size], np.int64)

    def run(x: Vector, u: Vector) -> Vector:
        call(*(int(a.ctypes.data) for a in (x, params, u, y, n)))
        return y.copy()

    return run


def settle(
    params: Vector, states: Vector, loads: Vector, K: Vector, steps: int, name: Callable[[int], str]
) -> tuple[Vector, Vector]:
    """Apply the loads; give displacements and states at rest, and set d_g and r_g in params."""
    n = loads.size
    d, x = np.zeros(n), states.copy()
    look = bind_pass(params, states, n)
    if loads.any():
        inverse: Vector = np.asarray(np.linalg.inv(K), float)
        for k in range(1, steps + 1):
            d, x = _solve(look, x, d, k / steps * loads, inverse, name)
        _polish(look, x, d, loads, inverse)
    set_rest(params, look, d, x)
    return d, x


def set_rest(params: Vector, look: Pass, d: Vector, x: Vector) -> None:
    """Set d_g and r_g in params: from here displacements and forces count; x comes to rest."""
    n = d.size
    params[P.rest + REST.displacement * n :][:n] = d
    params[P.rest + REST.force * n :][:n] = 0.0
    still = np.zeros(n)
    r = look(x, still)
    for _ in range(20):  # until a pass changes nothing any more
        again = look(x, still)
        if np.array_equal(again, r):
            break
        r = again
    params[P.rest + REST.force * n :][:n] = r


def _solve(
    look: Pass, x: Vector, d: Vector, load: Vector, inverse: Vector, name: Callable[[int], str]
) -> tuple[Vector, Vector]:
    """Take one step of (1)."""
    d, miss, best = d.copy(), load, np.inf
    found: tuple[Vector, Vector] | None = None
    for _ in range(MOST):
        trial = x.copy()
        r = look(trial, d)
        miss = load - r
        size = float(np.abs(miss).max())
        if found is not None and not size < FALLS * best:
            return found
        if size <= CLOSE * max(np.abs(load).max(), np.abs(r).max()):
            found, best = (d.copy(), trial), size
        d += inverse @ miss  # (1)
        if not np.abs(d).max() < FARTHEST:
            break
    if found is not None:
        return found
    worst = name(int(np.argmax(np.abs(miss))))
    raise InputError(
        "loads",
        None,
        f"are not carried: the forces at {worst} find no balance",
        "Check the sizes of loads and sections; stability under the loads too, with P-Delta.",
    )


def _polish(look: Pass, x: Vector, d: Vector, load: Vector, inverse: Vector) -> None:
    """Let what iterations inside elements have left come to rest; changes x and d in place."""
    last = np.inf
    for _ in range(50):
        miss = load - look(x, d)
        size = float(np.abs(miss).max())
        if size <= CLOSE * np.abs(load).max() and not size < FALLS * last:
            return
        last = size
        d += inverse @ miss
