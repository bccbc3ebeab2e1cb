"""Rehearsals that share a loop give what loops of their own give; errors are those of theory."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import numpy as np
import pytest

from rths.design.candidate import Candidate
from rths.registry import find


def candidate(kind, **fields):
    return Candidate(kind, find("compensator", kind)(**fields))


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("polynomial", {"delay": 0.0094}),
        ("model_based", {"delay": 0.0094, "interface_stiffness": 2250.0}),
        ("inverse_model", {"delay": 0.0094}),
        ("bounded_inverse", {"delay": 0.0094}),
    ],
)
def test_blocks_that_are_written_over_give_the_same_bits(bench, kind, fields):
    nominal = replace(bench.sets.base, compensator=candidate(kind, **fields).compensator)
    for p in bench.sets.prepared:
        whole = replace(p.scenario.test, compensator=nominal.compensator)
        rows = np.empty((whole.clock.ticks, len(whole.layout.record_slots)))
        done = whole.cycle("table").advance(len(rows), rows)
        assert np.array_equal(bench.sets.run(nominal, p), rows[:done])


def test_blocks_are_written_over_and_not_built_anew(bench):
    nominal = replace(bench.sets.base, compensator=find("compensator", "polynomial")(delay=0.0094))
    placed = [bench.sets._place(nominal, p)[1] is not None for p in bench.sets.prepared]
    names = [p.scenario.name for p in bench.sets.prepared]
    assert all(done for done, name in zip(placed, names, strict=True) if "delay" not in name)


def test_without_compensation_the_late_rig_is_lost(bench):
    found = bench.sets.score(candidate("none"))  # 6.77 ms are critical, [wallace2005]
    assert found.error == inf
    assert found.lost > 0
    assert not found.feasible
    assert found.cost > 10


def test_a_cubic_prediction_by_the_true_delay_follows_the_emulated_system(bench):
    found = bench.sets.score(candidate("polynomial", delay=0.0094))
    assert found.feasible
    assert found.planned < 0.01
    worse = bench.sets.score(candidate("polynomial", delay=0.0080))
    assert worse.cost > found.cost
