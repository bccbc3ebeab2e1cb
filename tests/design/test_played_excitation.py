"""A sampled motion is the motion: the loop cannot tell them apart."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rths.design.played_excitation import play_excitation, sample_excitation
from rths.registry import find


def run(test):
    rows = np.empty((test.clock.ticks, len(test.layout.record_slots)))
    test.cycle("table").advance(len(rows), rows)
    return rows


def test_a_played_motion_gives_the_same_run(plan):
    test = replace(plan, record=("integrator.target",))
    played = replace(test, excitation=play_excitation(test))
    assert np.array_equal(run(test), run(played))


def test_a_synthetic_earthquake_is_played_with_its_seed(plan):
    shaken = find("excitation", "synthetic_ground_motion")(peak=1.0, length=4.0, strong=3.0)
    test = replace(plan, excitation=shaken, seed=5, record=("integrator.target",))
    played = replace(test, excitation=play_excitation(test), seed=6)
    assert np.array_equal(run(test), run(played))
    assert not np.array_equal(run(test), run(replace(test, seed=6)))


def test_half_the_motion_is_half_of_every_sample(plan):
    half = play_excitation(plan, 0.5)
    assert np.array_equal(half.samples, 0.5 * sample_excitation(plan))
