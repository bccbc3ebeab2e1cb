"""Suggested guards leave healthy tests alone and stop those that grow: part of the campaign."""

from __future__ import annotations

import pytest

from benchmarks.guards.campaign import in_time, run_portion, summarise
from benchmarks.guards.unstable import FASTEST, SLOWEST, SORTS


def test_healthy_tests_by_chance_trip_nothing():
    rows = list(run_portion("healthy", seed=7, count=2))
    assert rows
    assert not any(row["tripped"] for row in rows)
    assert all(row["guards"] >= 6 for row in rows)


@pytest.mark.slow
@pytest.mark.parametrize("sort", SORTS)
def test_tests_that_grow_are_left_before_half_of_their_limit(sort):
    rows = list(run_portion(sort, seed=7, count=3))
    assert all(SLOWEST <= row["growth"] <= FASTEST for row in rows)
    assert all(in_time(row) for row in rows)


@pytest.mark.slow
def test_more_healthy_tests_trip_nothing():
    assert not any(row["tripped"] for row in run_portion("healthy", seed=8, count=40))


def test_a_run_counts_as_left_in_time_only_if_it_was():
    good = {"sort": "linear", "tripped": True, "of_limit": 0.3, "of_velocity": 0.2, "guard": "a"}
    late, never = {**good, "of_limit": 0.51}, {**good, "tripped": False}
    fast = {**good, "of_velocity": 1.0}
    healthy = {"sort": "healthy", "tripped": True, "guard": "b"}
    told = summarise([good, late, never, fast, healthy])
    assert told["linear"]["in time"] == 1
    assert (told["healthy"], told["false trips"], told["by"]) == (1, 1, {"b": 1})
