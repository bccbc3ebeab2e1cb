from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rths.registry import find
from rths.stability.limit_cycle import limit_cycle

A = 0.004


@pytest.fixture(scope="module")
def saturating(rig, make):
    def at(delay):
        specimen = make(
            "specimen", "saturating_spring", stiffness=2250.0, saturation_displacement=A
        )
        return rig(
            specimen=specimen, transfer=make("transfer", "dead_time", delay=delay), tick=2e-4
        )

    return at


@pytest.mark.parametrize(
    ("delay", "amplitude", "period"),
    [(8e-3, 1.3535, 0.14663), (9.4e-3, 1.6519, 0.15229), (15e-3, 2.6883, 0.16675)],
)
def test_w16_cycle_of_the_saturating_spring(saturating, delay, amplitude, period):
    found = limit_cycle(saturating(delay), kick=0.5 * A)
    assert found.amplitude[0] / A == pytest.approx(amplitude, rel=5e-3)
    assert found.period == pytest.approx(period, rel=5e-3)
    assert found.attracting
    assert found.phase_error < 0.01


def test_a_disturbed_cycle_returns_with_its_multiplier(saturating):
    test = saturating(9.4e-3)
    found = limit_cycle(test, kick=0.5 * A)
    start = 1.002 * float(found.amplitude[0])
    free = replace(
        test,
        excitation=find("excitation", "free_vibration")(displacement=start * 1.3),
        record=("integrator.target",),
        duration=12 * found.period,
    )
    rows = np.empty((free.clock.ticks, 1))
    free.cycle("table").advance(len(rows), rows)
    x = rows[:, 0]
    top = np.flatnonzero((x[1:-1] > x[:-2]) & (x[1:-1] >= x[2:])) + 1
    left = x[top] - 0.5 * (x[top + 1] - x[top - 1]) ** 2 / 4 / (
        x[top + 1] - 2 * x[top] + x[top - 1]
    )
    off = left - found.amplitude[0]
    ratios = off[2:6] / off[1:5]
    assert ratios.mean() == pytest.approx(found.multipliers[1], rel=0.05)


def test_a_stable_loop_has_no_cycle(saturating):
    assert limit_cycle(saturating(5e-3), kick=0.5 * A) is None


def test_a_linear_unstable_loop_has_none_either(rig):
    assert limit_cycle(rig()) is None
