"""A sensor is stuck if it repeats itself while its target moves, and not before."""

from __future__ import annotations

import numpy as np

from rths.guard.stuck import Stuck


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
