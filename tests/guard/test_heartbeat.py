"""A supervisor that is silent for longer than it may is as bad as a limit that is left."""

from __future__ import annotations

from math import nextafter

import numpy as np
import pytest

from rths.guard.heartbeat import Heartbeat
from rths.run.virtual import simulate


def test_silence_trips_at_the_next_number_and_a_beat_ends_it(judged):
    guard = Heartbeat(warn=0.25, trip=0.5)
    silence = [0.0, 0.25, nextafter(0.25, 1), 0.5, nextafter(0.5, 1), 0.0]
    assert judged(guard, silence)[:, 0].tolist() == [0, 0, 1, 1, 2, 0]


def test_a_virtual_test_has_no_supervisor_that_could_be_silent(rig):
    record = simulate(rig({"kind": "heartbeat", "trip": 1e-9, "name": "beat"}))
    assert record.stop.completed
    assert not record["guard.beat_value"].any()


@pytest.mark.parametrize(
    ("guard", "name"),
    [
        ({}, "heartbeat"),
        ({"warn": 0.1}, "heartbeat_a"),  # with its own, which warns, there are two
        ({"trip": 0.3}, "heartbeat"),
    ],
)
def test_a_silent_supervisor_trips_whatever_only_warns(rig, guard, name):
    test = rig(*([{"kind": "heartbeat", **guard}] if guard else []))
    cycle = test.cycle("table")
    rows = np.empty((test.clock.ticks, len(test.layout.record_slots)))
    cycle.advance(100, rows[:100])
    cycle.arena[test.layout.signals["realtime.silence"].first] = 0.6
    cycle.advance(len(rows) - 100, rows[100:])
    assert (cycle.stop.guard, cycle.stop.tripped) == (name, 100)


def test_a_guard_of_the_heartbeat_that_trips_stands_for_the_one_that_is_always_there(rig):
    test = rig({"kind": "heartbeat", "trip": 60.0}, clock__duration=0.2)
    cycle = test.cycle("table")
    cycle.arena[test.layout.signals["realtime.silence"].first] = 0.6
    cycle.advance(test.clock.ticks, np.empty((test.clock.ticks, len(test.layout.record_slots))))
    assert cycle.stop.completed
