"""The signal between two targets: exact at the targets, a polynomial through them in between."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.polynomial import Polynomial
from numpy.testing import assert_allclose, assert_array_equal

from rths.loop.ramp import ORDER, ramp_block, weights
from rths.loop.solo import respond

TICKS = st.integers(1, 100)
KIND = st.sampled_from(sorted(ORDER))


def ramped(kind, ticks, targets, first=None):
    """Ramp through targets that come at the start of each stage."""
    targets = np.asarray(targets, float)
    targets = targets[:, None] if targets.ndim == 1 else targets
    block = ramp_block(kind, ticks, targets[0], first=ticks if first is None else first)
    return respond(block, np.repeat(targets, ticks, axis=0), "interpreted")


@given(KIND, TICKS)
def test_stage_ends_exactly_at_its_target(kind, ticks):
    assert_array_equal(weights(kind, ticks)[-1], [1.0] + [0.0] * ORDER[kind])


@given(KIND, TICKS)
def test_weights_add_up_to_one(kind, ticks):
    assert_allclose(weights(kind, ticks).sum(axis=1), 1.0, rtol=1e-13)


@given(TICKS)
def test_linear_ramp_is_straight(ticks):
    share = np.arange(1, ticks + 1) / ticks
    assert_allclose(weights("linear", ticks), np.column_stack([share, 1 - share]), atol=1e-15)


@pytest.mark.parametrize("kind", ["linear", "quadratic", "cubic"])
@given(coefficients=st.lists(st.floats(-5, 5), min_size=4, max_size=4), ticks=st.integers(2, 20))
def test_polynomial_of_its_order_is_reproduced(kind, coefficients, ticks):
    q = ORDER[kind]
    curve = Polynomial(coefficients[: q + 1])
    targets = curve(np.arange(8.0))
    fine = curve(np.arange(1, 8 * ticks + 1) / ticks - 1)
    y = ramped(kind, ticks, targets)[:, 0]
    late = slice(q * ticks, None)  # once q + 1 targets are known
    assert_allclose(y[late], fine[late], rtol=0, atol=1e-11 * (1 + np.abs(fine).max()))


def test_linear_ramp_does_not_reproduce_a_parabola():
    y = ramped("linear", 4, np.arange(8.0) ** 2)[:, 0]
    assert abs(y[29] - (29 / 4 - 1 + 1 / 4) ** 2) > 0.1


@given(st.integers(2, 50), st.lists(st.floats(-9, 9), min_size=3, max_size=6))
def test_hold_keeps_the_target_before_until_the_last_tick(ticks, targets):
    y = ramped("hold", ticks, targets)[:, 0].reshape(len(targets), ticks)
    assert_array_equal(y[:, -1], targets)
    assert_array_equal(y[1:, :-1], np.repeat(targets[:-1], ticks - 1).reshape(-1, ticks - 1))


@given(KIND, st.integers(1, 20), st.integers(0, 19))
def test_first_target_comes_when_it_is_said(kind, ticks, late):
    first = late % ticks
    block = ramp_block(kind, ticks, np.array([0.0]), first=first)
    inputs = np.ones(3 * ticks + first)
    y = respond(block, inputs, "interpreted")[:, 0]
    assert_array_equal(y[:first], 0.0)
    assert y[first + ticks - 1] == 1.0


@given(KIND, st.integers(1, 20), st.lists(st.floats(-1, 1), min_size=1, max_size=3))
def test_what_stands_still_is_not_moved(kind, ticks, rest):
    inputs = np.tile(rest, (3 * ticks, 1))
    y = respond(ramp_block(kind, ticks, np.array(rest)), inputs, "interpreted")
    assert_allclose(y, inputs, rtol=1e-13, atol=1e-300)


def test_channels_do_not_mix():
    targets = np.array([[0.0, 0.0], [1.0, -3.0], [2.0, 5.0], [0.0, 1.0]])
    both = ramped("cubic", 5, targets)
    for c in range(2):
        assert_array_equal(both[:, [c]], ramped("cubic", 5, targets[:, c]))
