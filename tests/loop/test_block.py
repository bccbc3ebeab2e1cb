"""A block around another: parameters, states and all that is declared are handed on."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from rths.loop.block import Block, Ring, inside, kernel
from rths.loop.solo import respond

ENGINES = ["interpreted", "table", "fused"]


@kernel
def add_up(x, p, u, y):
    x[0] += p[0] * u[0]
    y[0] = x[0]
    return 3 if x[0] > 4.0 else 0


@kernel
def double(x, p, u, y):
    inside(x[1:], p[1:], u, y)
    y[0] *= p[0]
    x[0] = y[0]


@kernel
def deep(x, p, u, y):
    double(x, p, u, y)


left = right = inside


@kernel
def both(x, p, u, y):
    left(x[0:2], p[0:1], u, y)
    a = y[0]
    right(x[2:4], p[1:2], u, y)
    b = y[0]
    right(x[4:6], p[1:2], u, y)
    y[0] = a + b + y[0]


def adder(gain=1.0, **declared):
    return Block(add_up, [gain], [0.0], **declared)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("step", [double, deep])
def test_the_stop_code_of_the_block_inside_stops_the_test(step, engine):
    block = Block.around(step, [2.0], [0.0], {"inside": adder()})
    assert_array_equal(respond(block, np.ones(9), engine)[:, 0], [2, 4, 6, 8])


@pytest.mark.parametrize("engine", ENGINES)
def test_any_of_several_blocks_inside_stops_the_test(engine):
    for gains, last in (((1.0, 0.1), 4), ((0.1, 1.0), 4), ((0.1, 0.1), 9)):
        inner = {"left": adder(gains[0]), "right": (adder(gains[1]), adder(gains[1]))}
        found = respond(Block.around(both, (), (), inner), np.ones(9), engine)[:, 0]
        assert len(found) == last
        np.testing.assert_allclose(
            found, (gains[0] + 2 * gains[1]) * np.arange(1, last + 1), rtol=1e-15 * 9
        )


def test_rings_counters_and_what_is_injected_move_with_the_block():
    inner = adder(rings=[Ring(0, 1, 0)], counters=[0], injects=[0])
    whole = Block.around(
        double, [2.0], [0.0], {"inside": inner}, rings=[Ring(0, 1, 0)], counters=[0]
    )
    assert whole.rings == (Ring(0, 1, 0), Ring(1, 1, 1))
    assert whole.counters == (0, 1, 2)  # the last one is the stop code
    assert whole.injects == (1,)
    twice = Block.around(double, [2.0], [0.0], {"inside": whole})
    assert twice.rings == (Ring(1, 1, 1), Ring(2, 1, 2))
    assert twice.injects == (2,)


def test_the_same_kernels_give_the_same_step_again():
    made = [Block.around(double, [2.0], [0.0], {"inside": adder(g)}).kernel for g in (1.0, 2.0)]
    assert made[0] is made[1]
