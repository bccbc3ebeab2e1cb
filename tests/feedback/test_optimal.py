"""Optimal feedback by itself: exact properties, then U18 with a prescribed command."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

from rths.compensator.hermite import weights
from rths.feedback.optimal import Optimal
from rths.loop.solo import respond
from rths.metrics.solution_counts import solution_counts
from rths.site import Site
from rths.transfer.first_order import FirstOrder

H = 1 / 1024
SITE = Site(tick=H, interval=H, stage=H)
T = np.arange(1024) * H
W = 2 * np.pi


def fed_back(force, measured, target, velocity=None, acceleration=None, engine="table", **given):
    zero = np.zeros_like(target)
    rows = [force, measured, target, zero if velocity is None else velocity]
    rows.append(zero if acceleration is None else acceleration)
    block = Optimal(**{"window": 12 * H} | given).block(SITE)
    return respond(block, np.column_stack(rows), engine).T


def test_of_an_early_specimen_the_force_of_the_target_is_found():
    x, early = np.sin(W * T), np.sin(W * (T + 5.5 * H))
    force, J, matched = fed_back(3.0 * early, early, x, W * np.cos(W * T))
    late = slice(20, None)
    hit = J[late] > 0
    assert hit.mean() > 0.98
    assert_allclose(matched[late][hit], x[late][hit], atol=1e-14)
    assert_allclose(force[late][hit], 3.0 * x[late][hit], atol=1e-13)


@given(st.integers(0, 10**9), st.integers(1, 9))
def test_the_solutions_are_those_of_a_count_by_hand(seed, n):
    rng = np.random.default_rng(seed)
    m, x = np.cumsum(rng.normal(size=60)), 4 * rng.normal(size=60)
    _, J, matched = fed_back(m, m, x, engine="interpreted", window=n * H)
    counts = solution_counts(x, m, H, window=n * H)
    assert [np.sum(J[n:] == 0), np.sum(J[n:] == 1)] == [counts.none - n, counts.one]
    assert_allclose(matched[J > 0], x[J > 0], atol=1e-12)
    window = np.lib.stride_tricks.sliding_window_view(np.concatenate([[m[0]] * n, m]), n + 1)
    best = np.abs(window - x[:, None]).min(axis=1)
    assert_allclose(np.abs(matched - x)[J == 0], best[J == 0], atol=1e-12)


def test_a_specimen_that_stands_on_the_target_meets_it_once():
    force, J, _ = fed_back(np.full(30, 4.0), np.full(30, 0.1), np.full(30, 0.1))
    assert_array_equal(J, 1)
    assert_array_equal(force, 4.0)


@pytest.mark.parametrize("search", ["continuous", "sampled"])
@pytest.mark.parametrize("way", [1.0, -1.0])
def test_of_two_solutions_the_one_that_moves_as_the_target_moves_is_taken(way, search):
    up_and_down = np.concatenate([np.arange(6), 4.5 - np.arange(6)])  # 0...5, 4.5...-0.5
    force = np.arange(12.0)  # the force tells which sample was taken
    target = np.full(12, 2.2)
    given = {"window": 11 * H, "search": search}
    f, J, _ = fed_back(force, up_and_down, target, np.full(12, way), **given)
    assert J[-1] == 2
    found = {(1.0, "continuous"): 2.2, (-1.0, "continuous"): 8.3}  # on the line between samples
    found |= {(1.0, "sampled"): 2.0, (-1.0, "sampled"): 8.0}
    assert_allclose(f[-1], found[way, search], rtol=1e-12)


def test_a_specimen_that_has_not_got_there_gives_its_closest_point():
    m = np.array([0.0, 1.0, 3.0, 2.0, 1.0])
    force, J, matched = fed_back(10 * m, m, np.full(5, 5.0), window=3 * H)
    assert_array_equal(J, 0)
    assert_array_equal(matched, [0.0, 1.0, 3.0, 3.0, 3.0])
    assert_array_equal(force, 10 * matched)


def test_a_specimen_that_is_late_is_taken_as_it_is():
    ramp = 0.1 * T
    force, J, _ = fed_back(ramp - 0.01, ramp - 0.01, ramp)
    assert_array_equal(force, ramp - 0.01)
    assert_array_equal(J, 0)


def test_of_a_dashpot_the_force_of_the_targets_velocity_is_found():
    x, v, a = np.sin(W * T), W * np.cos(W * T), -(W**2) * np.sin(W * T)
    early = np.sin(W * (T + 5.5 * H))
    c = 20.0
    force = c * np.diff(early, prepend=early[0]) / H
    f, J, _ = fed_back(force, early, x, v, a, closest="velocity")
    late = slice(20, None)
    hit = J[late] > 0
    assert hit.mean() > 0.95
    assert_allclose(f[late][hit], c * v[late][hit], atol=1e-9)
    nearest = fed_back(force, early, x, v, a, closest="displacement")[0][late]
    assert np.abs(nearest - c * v[late]).max() > 1e-3 * c * W  # the displacement is no guide here


def test_the_loops_agree_bit_for_bit():
    x, early = np.sin(9 * T[:300]), np.sin(9 * T[:300] + 0.02)
    for way in ({}, {"closest": "velocity"}, {"search": "sampled"}):
        slow, fast = (
            fed_back(early, early, x, x, x, engine=e, **way) for e in ("interpreted", "table")
        )
        assert_array_equal(slow, fast)


def test_a_prescribed_command_is_followed_twice_as_well():  # U18
    t, D = np.arange(25 * 1024) * H, 10 * H

    def x(t):
        return 5 * np.sin(W * t) + 3 * np.sin(2 * W * t) + 2 * np.sin(4 * W * t)

    def v(t):
        return W * (5 * np.cos(W * t) + 6 * np.cos(2 * W * t) + 8 * np.cos(4 * W * t))

    def measured(horizon):
        w = weights(3, horizon / D, D)
        command = w[0] * x(t) + w[1] * v(t) + w[2] * x(t - D) + w[3] * v(t - D)
        return respond(FirstOrder(time_constant=0.0166).block(SITE), command)[:, 0]

    conventional = (measured(0.0166) - x(t))[1024:]
    early = measured(0.020)
    chosen = fed_back(early, early, x(t), v(t), search="sampled")[2]
    over = (chosen - x(t))[1024:]
    assert_allclose([conventional.std(), over.std()], [0.1272, 0.0655], rtol=0.01)
    assert_allclose(over.std() / conventional.std(), 0.515, atol=0.05)
    assert_allclose(np.abs(over).max() / np.abs(conventional).max(), 0.937, atol=0.05)
