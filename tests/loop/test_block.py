"""A block around another: parameters, states and all that is declared are handed on."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from rths.errors import InputError
from rths.loop.block import Block, Ring, inside, kernel, ring_size
from rths.loop.cycle import Cycle
from rths.loop.layout import Layout
from rths.loop.solo import respond
from rths.loop.wiring import Wiring

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


def test_a_block_takes_as_much_work_as_what_is_inside():
    inner = {"left": adder(work=3.0), "right": (adder(work=2.0), adder(work=2.0))}
    assert Block.around(both, (), (), inner).work == 7.0
    assert Block.around(double, [2.0], [0.0], {"inside": adder()}, work=5.0).work == 5.0
    assert adder().work == 1.0


def test_the_same_kernels_give_the_same_step_again():
    made = [Block.around(double, [2.0], [0.0], {"inside": adder(g)}).kernel for g in (1.0, 2.0)]
    assert made[0] is made[1]


def ended(block, engine):
    """Run a block by itself until it stops."""
    w = Wiring()
    w.signal("input", initial=1.0)
    w.signal("outputs", block.outputs)
    w.place("alone", block, ["input"], "outputs")
    cycle = Cycle(Layout.of(w, ["outputs"]), 1.0, engine)
    cycle.advance(9, np.empty((9, block.outputs)))
    return cycle.stop


def explain_sum(halt):
    return halt.stop("block", f"{halt.states[0]:g} with {halt.block.params[0]:g}", code=halt.code)


@kernel
def through(x, p, u, y):
    inside(x, p, u, y)


@pytest.mark.parametrize("engine", ENGINES)
def test_the_block_inside_explains_its_code_through_all_around_it(engine):
    block = adder(2.0, explains=explain_sum)
    for _ in range(3):
        block = Block.around(through, [], [], {"inside": block})
    assert ended(block, engine).message == "6 with 2"


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(("gains", "message"), [((2.0, 0.1), "6 with 2"), ((0.1, 3.0), "6 with 3")])
def test_of_several_blocks_inside_the_one_that_stopped_explains(gains, message, engine):
    one, other = (adder(g, explains=explain_sum) for g in gains)
    block = Block.around(both, [], [], {"left": one, "right": (other, other)})
    assert ended(block, engine).message == message


@kernel
def limit_itself(x, p, u, y):
    inside(x[1:], p, u, y)
    x[0] += 1.0
    return 7 if x[0] > 1.0 else 0


def test_the_block_around_explains_its_own_code():
    def explain_own(halt):
        return halt.stop("block", f"own {halt.code}")

    given = {"inside": adder(explains=explain_sum)}
    block = Block.around(limit_itself, [], [0.0], given, explains=explain_own)
    assert ended(block, "interpreted").message == "own 7"


@kernel
def answer_below_zero(x, p, u, y):
    y[0] = u[0]
    return -1


@pytest.mark.parametrize("engine", ENGINES)
def test_an_answer_below_zero_stops_inside_as_it_does_outside(engine):
    alone = Block(answer_below_zero)
    wrapped = Block.around(through, [], [], {"inside": alone})
    assert ended(alone, engine) is not None
    assert ended(wrapped, engine) == ended(alone, engine)


def test_a_block_around_nothing_is_the_block_itself():
    stop = ended(Block.around(add_up, [1.0], [0.0], {}), "interpreted")
    assert (stop.code, stop.tick) == (3, 4)


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"inside": (adder(1.0), adder(2.0))}, "copies share their parameters"),
        ({"inside": ()}, "no block is given"),
        ({"within": adder()}, "calls no within"),
    ],
    ids=["copies that differ", "no block", "a name that is not called"],
)
def test_blocks_that_would_be_left_out_are_refused(given, problem):
    with pytest.raises(TypeError, match=problem):
        Block.around(through, [], [], given)


def test_what_a_block_around_injects_itself_is_kept():
    block = Block.around(double, [2.0], [0.0], {"inside": adder(injects=(0,))}, injects=(0,))
    assert block.injects == (0, 1)


@pytest.mark.parametrize(
    "declared",
    [{"injects": (1,)}, {"injects": (-1,)}, {"counters": (1,)}, {"rings": (Ring(0, 2, 0),)}],
    ids=["injects", "injects below zero", "counters", "rings"],
)
def test_what_is_declared_of_places_that_are_not_there_is_refused(declared):
    with pytest.raises(InputError, match=f"is declared in {next(iter(declared))}, and the block"):
        adder(**declared)


def test_a_past_that_no_memory_holds_is_refused_before_it_is_reserved():
    with pytest.raises(MemoryError, match="samples"):
        ring_size(1 << 40)
