"""A rehearsal goes on from any state it was in, driven or quiet, pushed or not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from rths.registry import find
from rths.run.virtual import simulate
from rths.stability.rehearsal import MOTION, Pulse, Rehearsal


@pytest.fixture(scope="module")
def noisy(rig, make):
    return rig(
        feedback=make("feedback", "noise", force=0.5),
        transfer=make("transfer", "dead_time", delay=5e-3),
        duration=1.0,
    )


def test_it_is_the_test_itself(noisy):
    rehearsal, record = Rehearsal(noisy), simulate(noisy)
    rows = rehearsal.run(rehearsal.start, rehearsal.ticks).rows
    np.testing.assert_array_equal(rows, np.hstack([record[name] for name in MOTION]))


def test_two_stretches_are_one(noisy):
    rehearsal = Rehearsal(noisy)
    whole = rehearsal.run(rehearsal.start, 700).rows
    first = rehearsal.run(rehearsal.start, 333)
    second = rehearsal.run(first.state, 367)
    np.testing.assert_array_equal(np.concatenate([first.rows, second.rows]), whole)


def test_without_noise_and_drive_a_loop_at_rest_stays_there(noisy):
    rehearsal = Rehearsal(noisy)
    assert rehearsal.noisy
    assert not rehearsal.run(rehearsal.start, 200, quiet=True, noise=False).rows.any()
    assert rehearsal.run(rehearsal.start, 200, quiet=True).rows.any()


def test_a_pulse_gives_its_momentum_and_leaves_the_past_alone(noisy):
    rehearsal, ticks, force = Rehearsal(noisy), 10, -4.4
    pulse = Pulse(100, ticks, (force,))
    rows = rehearsal.run(rehearsal.start, 130, pulse, quiet=True, noise=False).rows[:, 0]
    assert not rows[:100].any()
    # v = -F T/m = 0.02 m/s, less c/m = 7 1/s over some ms; the spring is 5 ms late
    speed = (rows[114] - rows[113]) / noisy.tick
    assert speed == pytest.approx(-force * ticks * noisy.tick / 2.2, rel=0.15)


def test_a_step_of_a_small_loop_counts_once_for_each_block_and_that_of_a_large_one_more(rig, make):
    def steps(storeys):
        building = make(
            "structure",
            "shear_building",
            masses=[1e3] * storeys,
            stiffnesses=[1e6] * storeys,
            damping_ratios=0.02,
        )
        found = Rehearsal(rig(structure=building, integrator=make("integrator", "cr")))
        return found.steps / found.ticks, len(found.layout.placed)

    few, blocks = steps(2)
    assert few == blocks
    many, blocks = steps(100)
    assert many > blocks + 1


@pytest.mark.parametrize(
    ("role", "kind", "fields", "work"),
    [
        ("specimen", "bouc_wen", {}, 6.0),
        ("transfer", "servo_hydraulic", {}, 15.0),
        ("compensator", "bounded_inverse", {"delay": 5e-3}, 13.0),
    ],
)
def test_a_block_that_takes_long_counts_for_more(noisy, role, kind, fields, work):
    cls = find(role, kind)
    slow = Rehearsal(replace(noisy, **{role: cls(**dict(cls.example) | fields)}))
    blocks = [p.block for p in slow.layout.placed]
    assert sum(b.work - 1.0 for b in blocks) == pytest.approx(work - 1.0, abs=0.3)
    assert slow.steps / slow.ticks == pytest.approx(len(blocks) + work - 1.0, abs=0.3)
