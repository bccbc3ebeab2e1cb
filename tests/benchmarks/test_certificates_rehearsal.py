"""A test that is judged runs as planned until its end, and a push moves it as far as wanted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks.certificates.plans import draw_plan
from benchmarks.certificates.rehearsal import SIGNALS, Rehearsal
from rths.config.plan import from_table
from rths.registry import find

PEAK = 0.005


@pytest.fixture(scope="module")
def plan():
    return draw_plan(54)  # linear, two actuators, driven by forces


def test_what_is_judged_is_the_test_as_planned(plan):
    test = replace(plan.test, record=SIGNALS, limits={})
    planned = np.empty((test.clock.ticks, len(test.layout.record_slots)))
    test.cycle("table").advance(len(planned), planned)
    loop = Rehearsal(plan.test, plan.peak)
    rows, _ = loop.run(loop.start(), len(planned) - 1)  # the last is where the fading begins
    assert np.array_equal(rows, planned[:-1])


def test_after_the_test_nothing_drives_it(plan):
    loop = Rehearsal(plan.test, plan.peak)
    _, arena = loop.run(loop.start(), loop.end)
    rows, _ = loop.run(arena, round(60 * loop.period / plan.test.tick))
    assert np.abs(rows[-1]).max() < 1e-3 * np.abs(rows[0]).max()


@pytest.mark.parametrize("size", [1e-3 * PEAK, PEAK])
def test_a_push_in_the_slowest_mode_reaches_its_size(size):
    # a push of half a period is resonant: x = F_0/2mω² (sin ωt - ωt cos ωt) ends at π F_0/2mω²,
    # which is π/4 of the swing p/mω that a blow with the same momentum p = 2 T F_0/π gives
    table = {
        "clock": {"tick": 0.001, "duration": 1.0},
        "excitation": {"kind": "free_vibration"},
        "structure": {"kind": "linear", "mass": 2.2, "damping": 0.1, "stiffness": 2250.0},
        "integrator": {"kind": "central_difference"},
        "transfer": {"kind": "dead_time", "delay": 0.0},
        "specimen": {"kind": "spring", "stiffness": 1e-6},
    }
    loop = Rehearsal(from_table(table, Path()), PEAK)
    pushed = loop.push(loop.start(), size, loop.shapes[:, 0], float(loop.rates[0]))
    rows, _ = loop.run(pushed, 600)
    assert np.abs(rows).max() == pytest.approx(np.pi / 4 * size, rel=0.02)


def test_who_looks_ahead_does_not_know_of_a_push(plan):
    predictor = find("compensator", "model_based")(delay=0.005, interface_stiffness=1e5)
    loop = Rehearsal(replace(plan.test, compensator=predictor), plan.peak)
    start = loop.start()
    pushed = loop.push(start, plan.peak, loop.shapes[:, 0], float(loop.rates[0]))
    changed = np.flatnonzero(pushed != start)
    first = [a.p for p, a in zip(loop.cycle.layout.placed, loop.cycle.layout.places, strict=True)]
    owners = {np.searchsorted(first, k, side="right") - 1 for k in changed}
    assert len(owners) == 1
