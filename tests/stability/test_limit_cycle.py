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
    found = limit_cycle(saturating(delay), start=0.5 * A)
    assert found.amplitude[0] / A == pytest.approx(amplitude, rel=5e-3)
    assert found.period == pytest.approx(period, rel=5e-3)
    assert found.attracting
    assert found.phase_error < 0.01


def test_a_disturbed_cycle_returns_with_its_multiplier(saturating):
    test = saturating(9.4e-3)
    found = limit_cycle(test, start=0.5 * A)
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
    assert limit_cycle(saturating(5e-3), start=0.5 * A) is None


def test_a_linear_unstable_loop_has_none_either(rig):
    assert limit_cycle(rig()) is None


def dampers(make, rig, ratio, delay=1e-3):
    """The frame of Londoño with two power-law dampers, of which a share is measured."""
    damper = {"coefficient": 60e3, "exponent": 0.15, "count": 2}
    return rig(
        structure=make("structure", "published", name="londono2011_frame"),
        specimen=make("specimen", "power_law_damper", **damper),
        transfer=make("transfer", "dead_time", delay=delay),
        feedback=make(
            "feedback",
            "substructuring_ratio_implicit",
            ratio=ratio,
            estimate={"kind": "power_law_damper", **damper},
        ),
        tick=1e-4,
    )


@pytest.mark.parametrize("ratio", [0.4, 0.5])
def test_l18_a_structure_that_sticks_somewhere_has_no_cycle(make, rig, ratio):
    assert limit_cycle(dampers(make, rig, ratio)) is None


def test_l19_dampers_measured_alone_chatter_with_the_published_velocity(make, rig):
    found = limit_cycle(dampers(make, rig, 1.0))
    assert found.from_both_sides
    # the velocity rises and falls nearly along straight lines: peak v = 8 x/T
    assert 8 * found.amplitude[0] / found.period == pytest.approx(10.9e-3, rel=0.1)


def test_the_cycle_is_reached_from_inside_and_from_outside(saturating):
    inner, outer = (limit_cycle(saturating(9.4e-3), start=f * A) for f in (0.5, 5.0))
    assert inner.from_both_sides
    assert outer.from_both_sides
    assert outer.amplitude[0] == pytest.approx(inner.amplitude[0], rel=1e-3)


def test_a_steady_force_moves_the_cycle_and_does_not_enlarge_it(make, rig):
    damper = {"friction": 5.0, "damping": 8.0}
    centred, moved = (
        limit_cycle(rig(specimen=make("specimen", "mr_bingham", offset=f, **damper)))
        for f in (0.0, 20.0)
    )
    assert moved.amplitude[0] == pytest.approx(centred.amplitude[0], rel=0.01)
    assert moved.period == pytest.approx(centred.period, rel=0.01)
