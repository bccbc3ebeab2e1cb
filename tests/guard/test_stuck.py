"""A sensor is stuck if it repeats itself while its target moves, and not before."""

from __future__ import annotations

import numpy as np

from rths.guard._rehearsal import Rehearsal
from rths.guard.stuck import Stuck
from rths.loop.solo import respond
from rths.site import Site
from rths.specimen.bilinear import Bilinear

SITE = Site(1e-3, 1e-3)


def test_a_stuck_sensor_trips_after_its_samples_and_only_if_the_target_moved(judged):
    g = Stuck(signal="feedback.force", trip=5, moved=1.0)
    n = 20
    moving, rest, none = np.arange(n) * 0.5, np.zeros(n), np.zeros(n)
    sensor = np.where(np.arange(n) < 4, np.arange(n), 3.0)  # stuck from the fourth sample on
    found = judged(g, np.column_stack([sensor, moving, none]))
    # the target is away by more than 1 from the third repetition on; six are more than five
    assert found[:, 0].tolist() == [0.0] * 11 + [2.0] * 9
    assert judged(g, np.column_stack([sensor, rest, none]))[:, 0].max() == 0
    alive = sensor + 1e-12 * np.arange(n)
    assert judged(g, np.column_stack([alive, moving, none]))[:, 0].max() == 0


def test_what_is_held_for_a_missed_reply_is_no_stuck_sensor(judged):
    g = Stuck(signal="feedback.force", trip=5, moved=1.0)
    k = np.arange(40)
    held = (k >= 5) & (k < 25)
    missed = np.where(held, k - 4, 0)
    sensor = np.where(held, 4.0, k)
    assert judged(g, np.column_stack([sensor, 0.5 * k, missed]))[:, 0].max() == 0
    stuck = np.where(k >= 5, 4.0, k)  # the reply comes again, and is still the same
    levels = judged(g, np.column_stack([stuck, 0.5 * k, missed]))[:, 0]
    assert levels[25:].tolist() == [0.0] * 7 + [2.0] * 8  # as many as without the gap


def test_a_rest_before_the_target_moves_is_no_stuck_sensor(judged):
    """An actuator is late: after a rest the target is far before the sensor shows a motion."""
    g = Stuck(signal="feedback.force", trip=20, moved=1.0)
    k = np.arange(200)
    target = np.maximum(k - 100, 0) * 0.5
    sensor = np.maximum(k - 110, 0) * 1.0
    assert judged(g, np.column_stack([sensor, target, 0 * k]))[:, 0].max() == 0


def test_a_force_that_yields_beyond_the_rehearsal_is_not_stuck(judged):
    """Without hardening it repeats itself until the motion turns, half a period at the most."""
    tick, period, peak = 1e-3, 0.6, 1.0
    k = np.arange(6000)
    motion = np.sin(2 * np.pi * tick * k / period)[:, None]

    def yielding(size):
        return respond(Bilinear(stiffness=1.0, yield_displacement=peak).block(SITE), size * motion)

    run = dict.fromkeys(("integrator.target", "safety.command"), motion)
    seen = Rehearsal(tick, [run | {"feedback.force": yielding(peak)}], np.zeros(1))
    (found,) = Stuck.suggest(seen)
    none = np.zeros_like(motion)
    beyond = judged(found.guard, np.hstack([yielding(5.0), 5.0 * motion, none]))
    assert 200 < beyond[:, 1].max() < 0.5 * period / tick  # it rests, but not for as long
    assert beyond[:, 0].max() == 0
    force = yielding(peak)
    force[3000:] = force[3000]
    stuck = judged(found.guard, np.hstack([force, motion, none]))
    assert 3000 < np.flatnonzero(stuck[:, 0] == 2)[0] < 3000 + 1.5 * period / tick
