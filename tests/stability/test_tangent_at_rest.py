"""What stands for the block of a structure when roots are sought."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from rths.loop.block import Block, kernel
from rths.stability.tangent_at_rest import is_straight, tangent_at_rest

STIFF, REST = 3e7, 0.004


@pytest.fixture(autouse=True)
def interpreted(monkeypatch):
    """Spare the compiler three kernels of a line."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")


@kernel
def lean(x, p, u, y):  # a spring that is stretched by p[1] at rest
    y[0] = p[0] * (u[0] + p[1]) - p[0] * p[1]


@kernel
def push(x, p, u, y):  # a spring that bears no tension
    y[0] = p[0] * min(u[0], 0.0)


@kernel
def bound(x, p, u, y):  # an elastic one up to a force
    y[0] = min(max(p[0] * u[0], -p[1]), p[1])


def test_a_motion_that_is_lost_beside_that_of_rest_has_the_stiffness_of_a_larger_one():
    block = Block(lean, [STIFF, REST])
    y = np.zeros(1)
    block.kernel(np.zeros(0), block.params, np.array([2.0**-600]), y)
    assert y[0] == 0.0  # why such motions say nothing
    # forces at rest, 1e5 N, are exact to 1e-11 N, those of a nanometre are 0.03 N
    assert_allclose(tangent_at_rest(block), [[STIFF]], rtol=1e-8)
    assert is_straight(block)


def test_what_has_another_stiffness_to_either_side_has_no_tangent():
    block = Block(push, [STIFF])
    assert tangent_at_rest(block) is None
    assert not is_straight(block)


@pytest.mark.parametrize("force", [1.0, 1e3, 1e9])
def test_what_yields_has_a_tangent_and_is_not_straight(force):
    block = Block(bound, [STIFF, force])
    assert_allclose(tangent_at_rest(block), [[STIFF]], rtol=1e-12)
    assert not is_straight(block)
