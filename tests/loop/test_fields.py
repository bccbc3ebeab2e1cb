"""Places with names: packed, taken apart, and gone once compiled."""

from __future__ import annotations

import numpy as np
import pytest
from llvmlite import binding
from numpy.testing import assert_array_equal

from rths.loop.block import Block, kernel
from rths.loop.entry import ARGUMENTS, text_of_entry
from rths.loop.fields import fields, many, vectors
from rths.loop.optimisation import optimise_text
from rths.loop.solo import respond

P = fields(gain="gain", offset="offset", weights=many("weights"), more=many("more of them"))
X = fields(sums=many("sums of the last inputs"), count="inputs so far", last="the last input")
V = vectors(low="lower ends", high="upper ends", share="shares")


@kernel
def step(x, p, u, y):
    y[0] = p[P.gain] * u[0] + p[P.offset] + p[P.weights + 1]


@kernel
def remember(x, p, u, y):
    x[X.sums + int(x[X.count]) % 3] = u[0] + x[X.last]
    x[X.count] += 1.0
    x[X.last] = u[0]
    y[0] = x[X.sums + 1]


@kernel
def choose(x, p, u, y):
    m = p.size // len(V)
    y[0] = p[V.high * m + 1] + p[V.share * m] * u[0] - p[V.low * m]


def row():
    return P.pack(gain=2, offset=1, weights=[3, 4], more=[[5, 6], [7, 8]])


def test_values_stand_in_the_order_of_the_declaration():
    assert_array_equal(row(), [2, 1, 3, 4, 5, 6, 7, 8])
    assert (P.gain, P.offset, P.weights) == (0, 1, 2)


def test_unpacking_gives_back_what_was_packed():
    found = P.unpack(row(), weights=2)
    assert (found["gain"], found["offset"]) == (2, 1)
    assert_array_equal(found["weights"], [3, 4])
    assert_array_equal(found["more"], [5, 6, 7, 8])


def test_only_places_that_are_known_have_a_number():
    assert not hasattr(P, "more")


@pytest.mark.parametrize(
    "values",
    [{"gain": 1}, {"gain": 1, "offset": 2, "weights": 3, "more": 4, "other": 5}],
    ids=["too few", "too many"],
)
def test_a_value_that_is_missing_or_unknown_is_refused(values):
    with pytest.raises(TypeError, match="are given for"):
        P.pack(**values)


def test_one_number_cannot_be_many():
    with pytest.raises(TypeError, match="gain is one number"):
        P.pack(gain=[1, 2], offset=1, weights=(), more=())


def test_numbers_do_not_stand_between_those_that_are_many():
    with pytest.raises(TypeError, match="many stand together"):
        fields(weights=many("weights"), gain="gain", more=many("more"))


def test_numbers_behind_those_that_are_many_are_counted_from_the_end():
    assert (X.sums, X.count, X.last) == (0, -2, -1)
    states = X.pack(sums=[1, 2, 3], count=4, last=5)
    assert_array_equal(states, [1, 2, 3, 4, 5])
    assert (states[X.count], states[X.last]) == (4, 5)
    found = X.unpack(states)
    assert_array_equal(found["sums"], [1, 2, 3])
    assert (found["count"], found["last"]) == (4, 5)


def test_one_number_behind_them_cannot_be_many():
    with pytest.raises(TypeError, match="last is one number"):
        X.pack(sums=[1], count=0, last=[1, 2])


@pytest.mark.parametrize("engine", ["interpreted", "table", "fused"])
def test_every_loop_reads_and_writes_places_counted_from_the_end(engine):
    block = Block(remember, [], X.pack(sums=np.zeros(3), count=0, last=0))
    assert_array_equal(respond(block, np.arange(1.0, 6.0), engine)[:, 0], [0, 3, 3, 3, 9])


@pytest.mark.parametrize("engine", ["interpreted", "table", "fused"])
def test_every_loop_reads_places_by_name(engine):
    assert_array_equal(respond(Block(step, row()), np.arange(3.0), engine)[:, 0], [5, 7, 9])


def test_the_meaning_of_each_place_is_kept():
    assert P.meaning["offset"] == "offset"


@pytest.mark.parametrize("word", ["meaning", "pack", "unpack"])
def test_a_place_cannot_have_the_name_of_what_a_declaration_does(word):
    with pytest.raises(TypeError, match="other names"):
        fields(**{word: "a place that p[P.name] would not find"})


@pytest.mark.parametrize("word", ["count", "index"])
def test_a_place_may_have_the_name_of_what_a_tuple_does(word):
    assert getattr(fields(first="before it", **{word: "a place"}), word) == 1


@pytest.mark.parametrize("engine", ["interpreted", "table", "fused"])
def test_every_loop_finds_the_vectors_that_lie_one_behind_the_other(engine):
    packed = V.pack(share=[5, 6], low=[1, 2], high=[3, 4])
    assert_array_equal(packed, [1, 2, 3, 4, 5, 6])
    assert_array_equal(respond(Block(choose, packed), np.arange(3.0), engine)[:, 0], [3, 8, 13])


def instructions(made):
    """Give the machine code of a kernel's entry, as bytes."""
    code = optimise_text("entry", len(ARGUMENTS), text_of_entry(), {"step": made.compiled}, False)
    parts = binding.ObjectFileRef.from_data(code.code).sections()
    return b"".join(part.data() for part in parts if part.is_text())


def test_names_of_vectors_leave_nothing_in_the_machine_code():
    @kernel
    def choose_by_number(x, p, u, y):
        m = p.size // 3
        y[0] = p[1 * m + 1] + p[2 * m] * u[0] - p[0 * m]

    found = instructions(choose)
    assert found
    assert found == instructions(choose_by_number)


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ({"low": [1]}, "are given for"),
        ({"low": [1], "high": [1, 2], "share": [1]}, "vectors of one size"),
        ({"low": 1, "high": 2, "share": 3}, "vectors of one size"),
    ],
    ids=["too few", "of two sizes", "numbers"],
)
def test_vectors_of_one_size_are_packed_and_nothing_else(values, problem):
    with pytest.raises(TypeError, match=problem):
        V.pack(**values)


def test_a_vector_cannot_have_the_name_of_what_a_declaration_does():
    with pytest.raises(TypeError, match="other names"):
        vectors(pack="a vector")
