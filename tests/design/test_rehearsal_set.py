"""Rehearsals that share a loop give what loops of their own give; errors are those of theory."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import numpy as np
import pytest

from rths.design.candidate import Candidate
from rths.design.loop_stock import sort_of
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
    later = {**fields, "delay": 0.0096}  # written over, and of another size with some
    for own in (fields, later, fields):
        made = candidate(kind, **own)
        for p in bench.sets.prepared:
            whole = replace(p.scenario.test, compensator=made.compensator)
            rows = np.empty((whole.clock.ticks, len(whole.layout.record_slots)))
            done = whole.cycle("table").advance(len(rows), rows)
            assert np.array_equal(bench.sets.run(made, p), rows[:done])


def test_a_model_by_its_coefficients_is_rehearsed_after_one_by_a_delay(bench):
    pairs = {}
    for c in bench.field.candidates:
        pairs.setdefault(c.kind, {})[c.start] = c
    found = [p for p in pairs.values() if {"delay", "inverse"} <= set(p)]
    assert found
    for pair in found:
        bench.sets.score(pair["delay"], 1)
        p = bench.sets.prepared[0]
        whole = replace(p.scenario.test, compensator=pair["inverse"].compensator)
        rows = np.empty((whole.clock.ticks, len(whole.layout.record_slots)))
        done = whole.cycle("table").advance(len(rows), rows)
        assert np.array_equal(bench.sets.run(pair["inverse"], p), rows[:done])


def test_compensators_of_each_channel_are_written_over_with_the_same_bits(three):
    cls = find("compensator", "polynomial")
    for factor in (1.0, 1.01, 1.0):  # the second differs from the first, which is built
        made = Candidate("polynomial", tuple(cls(delay=factor * r.delay) for r in three.rigs))
        for p in three.sets.prepared:
            whole = replace(p.scenario.test, compensator=made.compensator)
            rows = np.empty((whole.clock.ticks, len(whole.layout.record_slots)))
            done = whole.cycle("table").advance(len(rows), rows)
            assert np.array_equal(three.sets.run(made, p), rows[:done])


def test_blocks_are_written_over_and_not_built_anew(bench):
    made = candidate("polynomial", delay=0.0094)
    loop = bench.sets._stock.loop_with(made.compensator)
    prepared = bench.sets.prepared
    names = [p.scenario.name for p in prepared if bench.sets._place(made, loop, p) is None]
    assert names == ["more delay and force"]  # its actuator is another one


def test_the_motion_of_a_rehearsal_is_kept_once_for_all_sorts(bench):
    """Else a plan of 240,000 ticks takes two gigabytes."""
    p = bench.sets.prepare(bench.sets.prepared[0].scenario)
    made = [candidate(kind, delay=0.0094) for kind in ("polynomial", "hermite")]
    for c in made:
        bench.sets.run(c, p)
    one, other = (p.blocks[sort_of(c.compensator)]["excitation"] for c in made)
    assert one is other
    assert not p.stock._first


def test_a_plant_that_the_plan_refuses_loses_the_test(bench):
    start = replace(bench.sets.base, compensator=candidate("polynomial", delay=0.0094).compensator)
    assert bench.sets.loses_plant(start, {"transfer.delay": -0.01})
    assert bench.sets.loses_plant(start, {"transfer.delay": 0.03})
    assert not bench.sets.loses_plant(start, {"transfer.delay": 0.0095, "seed": 3})


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


def test_a_command_that_no_actuator_follows_is_no_answer(bench):
    calm = bench.sets.score(candidate("polynomial", delay=0.0094))
    wild = bench.sets.score(candidate("polynomial", delay=0.0094, order=12))  # noise of round-off
    assert calm.excess == 0
    assert calm.speed < 10 * 0.1  # m/s; 5 mm at 1.5 Hz, and its resonance at 7 Hz
    assert wild.cost > calm.cost
