"""The campaign over random rigs: rigs repeat, cover what they say, and are judged rightly."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

from benchmarks.rigs.actuators import ACTUATORS
from benchmarks.rigs.campaign import read_errors, run_portion
from benchmarks.rigs.rig import DEVELOPMENT, JUDGING, draw_rig, run
from benchmarks.rigs.score import beaten, score, standings
from benchmarks.rigs.settings import LEFT_OUT, compared_kinds, tell
from benchmarks.rigs.specimens import SPECIMENS
from rths.registry import kinds

RIG = draw_rig(DEVELOPMENT + 2)


def test_every_compensator_runs_or_says_why_not():
    assert sorted([*compared_kinds(), *LEFT_OUT]) == kinds("compensator")


def test_seeds_for_development_and_judging_do_not_meet():
    assert JUDGING - DEVELOPMENT >= 100_000


def test_a_rig_is_the_same_every_time():
    again = draw_rig(DEVELOPMENT + 2)
    assert np.array_equal(again.reference, RIG.reference)
    assert (again.told, again.noise, again.sorts) == (RIG.told, RIG.noise, RIG.sorts)


def test_a_rig_has_the_wanted_peak_and_ranges():
    assert np.abs(RIG.reference).max() == pytest.approx(RIG.peak, rel=1e-9)
    assert 0.8 <= RIG.told / RIG.delay <= 1.2
    assert 0.002 <= RIG.delay <= 0.04
    assert 1e-4 <= RIG.peak <= 0.05
    assert 0 <= RIG.noise <= 5e-5


def test_there_are_six_actuators_and_six_specimens():
    assert (len(ACTUATORS), len(SPECIMENS)) == (6, 6)


def test_reference_is_the_test_with_an_ideal_actuator():
    emulated, completed = run(RIG.test.reference_test())
    assert completed
    assert np.array_equal(emulated, RIG.reference)


def test_recommended_one_beats_none_by_far():
    assert score("bounded_inverse", RIG) < score("none", RIG) / 10


def test_kinds_are_told_the_delay_that_the_operator_knows():
    assert tell("polynomial", RIG).delay == RIG.told
    assert tell("model_based", RIG).interface_stiffness == ((RIG.stiffness,),)


def test_campaign_can_be_made_in_portions(tmp_path):
    file = tmp_path / "errors.jsonl"
    for _ in range(2):
        run_portion([RIG.seed], ["none"], file)
    assert read_errors(file) == {"none": [score("none", RIG)] * 2}


def test_standings_count_lost_runs_first():
    errors = {"lost": [0.01, inf, 0.01], "fair": [0.02, 0.02, 0.02]}
    best, worst = standings(errors)
    assert (best.kind, best.lost, worst.lost) == ("fair", 0, 1)
    assert worst.median == 0.01


def test_less_than_half_the_error_beats_however_small_it_is():
    errors = {"one": [9e-4, 0.05, 0.03], "other": [1e-6, 0.02, 0.02]}
    assert beaten(errors, "one", "other") == pytest.approx(2 / 3)
    assert beaten(errors, "other", "one") == 0.0
