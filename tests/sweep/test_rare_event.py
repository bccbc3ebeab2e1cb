"""Probabilities that are known in closed form, down to one in a million, within their errors."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtri

from benchmarks.rare_events import coverage, plan_of
from rths.sweep.rare_event import estimate_rare


@pytest.mark.parametrize("P", [0.3, 1e-2, 1e-4, 1e-6])
@pytest.mark.parametrize("width", [1, 4])
def test_a_plane_has_the_probability_of_its_distance(P, width):
    a = np.ones(width) / np.sqrt(width)
    found = estimate_rare(lambda u: u @ a + ndtri(P), width, seed=1)
    assert abs(found.probability - P) < 4 * found.deviation
    assert found.deviation < 0.15 * P
    assert P < found.bound < 1.5 * P
    assert found.evaluations < 10_000


def test_two_regions_are_both_met():
    found = estimate_rare(lambda u: np.abs(u[:, 0]) + ndtri(5e-5), 2, seed=3)
    assert abs(found.probability - 1e-4) < 4 * found.deviation


def test_what_never_happens_is_bounded_by_plain_points():
    found = estimate_rare(lambda u: np.full(len(u), -1.0), 2)
    assert found.probability == 0
    assert found.bound == found.plain_bound < 0.01


def test_what_is_refused_counts_as_the_event():
    found = estimate_rare(lambda u: np.where(u[:, 0] > 1, np.nan, -1.0), 1)
    assert abs(found.probability - 0.1587) < 4 * found.deviation


def test_what_nearly_always_happens_is_no_more_than_certain():
    found = [estimate_rare(lambda u: u[:, 0] + 4, 3, seed=s) for s in range(20)]
    assert all(0.99 < e.probability <= e.bound <= 1 for e in found)
    sure = estimate_rare(lambda u: np.ones(len(u)), 2)
    assert (sure.probability, sure.bound) == (1, 1)


def test_a_loop_that_dies_at_once_has_no_last_level():
    found = estimate_rare(lambda u: np.where(u[:, 0] > 2.5, 1.0, -np.inf), 1)
    assert found.bound >= 0.0062
    some = estimate_rare(lambda u: np.where(u[:, 0] > 2.5, np.nan, np.minimum(u[:, 0], 0) - 1), 1)
    assert some.bound >= 0.0062


def test_what_plain_points_have_met_is_not_forgotten():
    """Of a thousand values one in fifty is the event: no level leads to it, points meet it."""
    g = lambda u: np.where((np.floor(1000 * u[:, 0]) % 50) == 0, 1.0, -1.0)  # noqa: E731
    found = [estimate_rare(g, 1, seed=s) for s in range(20)]
    assert sum(e.bound >= 0.02 for e in found) >= 17  # 95 % of 20, less two standard deviations


def test_a_seed_repeats_bit_for_bit():
    one, same = (estimate_rare(lambda u: u[:, 0] - 4, 2, seed=5) for _ in range(2))
    assert one == same


@pytest.mark.parametrize("P", [1e-2, 1e-4, 1e-6])
def test_the_bound_covers_a_critical_delay_known_in_closed_form(P):
    covered, over = coverage(P, repetitions=5, first_seed=1000)
    assert covered >= 4
    assert over < 1.5


@pytest.mark.slow
@pytest.mark.parametrize("P", [1e-2, 1e-4, 1e-6])
def test_the_bound_covers_in_95_of_100_repetitions(P):
    assert coverage(P)[0] >= 95


def test_the_truth_is_that_of_plain_samples():
    u = np.random.default_rng(0).standard_normal((100_000, 2))
    assert abs((plan_of(1e-2).limit(u) > 0).mean() - 1e-2) < 4 * np.sqrt(1e-2 / 1e5)
