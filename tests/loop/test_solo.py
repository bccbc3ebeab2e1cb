"""A block by itself answers in every loop alike, and its frequency response is its formula."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from rths.loop.block import Block, kernel
from rths.loop.solo import frequency_response, respond


@kernel
def lag(x, p, u, y):
    # p = a;   x = y_k-1:  y_k = y_k-1 + a (u_k - y_k-1)
    x[0] += p[0] * (u[0] - x[0])
    y[0] = x[0]


@kernel
def both(x, p, u, y):
    y[0], y[1], y[2] = u[0] + u[1], u[0] - u[1], x[0]
    x[0] += u[0]


@kernel
def gives_up(x, p, u, y) -> int:
    y[0] = u[0]
    return 1 if u[0] > 2.0 else 0


def test_answer_is_that_of_the_formula(engine):
    u = np.sin(np.arange(50.0))
    expected, now = [], 0.0
    for value in u:
        now += 0.3 * (value - now)
        expected.append(now)
    assert_array_equal(respond(Block(lag, [0.3], 1), u, engine)[:, 0], expected)


def test_rows_of_inputs_and_outputs(engine):
    u = np.array([[1.0, 2.0], [3.0, 5.0]])
    y = respond(Block(both, states=[10.0], outputs=3), u, engine)
    assert_array_equal(y, [[3, -1, 10], [8, -2, 11]])


def test_block_itself_is_not_changed(engine):
    block = Block(lag, [0.3], 1)
    first = respond(block, np.ones(5), engine)
    assert_array_equal(respond(block, np.ones(5), engine), first)
    assert_array_equal(block.states, [0.0])


def test_only_the_rows_before_a_stop_are_given(engine):
    assert_array_equal(respond(Block(gives_up), [1.0, 2.0, 3.0, 4.0], engine), [[1], [2]])


@pytest.mark.parametrize("frequency", [0.5, 3.0, 17.0])
def test_frequency_response_is_the_transfer_function(frequency):
    h, a = 1e-3, 0.05
    z = np.exp(2j * np.pi * frequency * h)
    expected = a / (1 - (1 - a) / z)
    assert_allclose(frequency_response(Block(lag, [a], 1), frequency, h), expected, rtol=1e-9)
