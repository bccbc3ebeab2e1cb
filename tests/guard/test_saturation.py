"""An actuator at the end of its reach is named while the command goes on outwards."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest

from rths.guard.saturation import Saturation

H, AMPLITUDE, LATE, STILL = 1 / 1024, 0.01, 10, 2e-4
T = H * np.arange(3072)
COMMAND = AMPLITUDE * np.sin(2 * pi * T)
MOVED = np.concatenate([np.zeros(LATE), COMMAND[:-LATE]])


def values(judged, measured, missed=0.0):
    guard = Saturation(still=STILL, trip=1.0)
    return judged(guard, np.column_stack([measured, COMMAND, np.broadcast_to(missed, len(T))]))[
        :, 1
    ]


@pytest.mark.parametrize("reach", [0.2, 0.5, 0.8])
def test_the_value_is_the_way_of_the_command_beyond_the_reach(judged, reach):
    """It stands still from 0.2 mm before the end on, where the command is late by ten ticks."""
    found = values(judged, np.clip(MOVED, -reach * AMPLITUDE, reach * AMPLITUDE)).max()
    late = 2 * pi * AMPLITUDE * LATE * H
    assert (1 - reach) * AMPLITUDE - late <= found <= (1 - reach) * AMPLITUDE + STILL


def test_both_ends_of_the_reach_are_seen(judged):
    one_sided = [np.minimum(MOVED, 0.4 * AMPLITUDE), np.maximum(MOVED, -0.4 * AMPLITUDE)]
    first, second = (values(judged, m).max() for m in one_sided)
    assert first == pytest.approx(second, rel=0.02)
    assert first > 0.5 * AMPLITUDE


def test_the_longest_way_of_a_motion_in_good_order_is_that_of_its_delay(judged):
    # it stands still within a at most as long as a parabola of the turning point does
    still = 2 * np.sqrt(2 * STILL / AMPLITUDE) / (2 * pi) + LATE * H
    assert values(judged, MOVED).max() < AMPLITUDE * (1 - np.cos(2 * pi * still)) + STILL


def test_when_the_command_comes_back_nothing_counts(judged):
    found = values(judged, np.minimum(MOVED, 0.4 * AMPLITUDE))
    falling = (np.arange(len(T)) > 0.30 / H) & (np.arange(len(T)) < 0.40 / H)
    assert np.all(np.diff(found[falling]) <= 0.0)


def test_replies_that_are_missed_do_not_count(judged):
    held = np.where(np.arange(len(T)) < 100, MOVED, MOVED[99])
    missed = np.where(np.arange(len(T)) < 100, 0.0, 1.0)
    assert values(judged, held).max() > 0.3 * AMPLITUDE
    assert values(judged, held, missed).max() < 0.1 * AMPLITUDE
