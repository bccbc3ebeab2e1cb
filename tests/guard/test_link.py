"""Answers missed in a row are counted; one that comes begins the count again."""

from __future__ import annotations

import numpy as np

from rths.guard.link import Link
from rths.run.virtual import simulate


def test_one_miss_more_than_may_be_trips(judged):
    missed = [0, 1, 2, 3, 4, 0, 1]
    assert judged(Link(warn=2, trip=3), missed)[:, 0].tolist() == [0, 0, 0, 1, 2, 0, 0]


def test_it_trips_in_the_first_tick_with_more_misses_than_it_may(rig):
    """From 0.5 s on every answer is lost: the fourth answer that does not come is one too many."""
    test = rig(
        {"kind": "link", "trip": 3},
        hardware={"kind": "simulated", "faults": ["loss=1@0.5"]},
    )
    cycle = test.cycle("table", live=True)
    layout = test.live_layout
    rows = np.empty((test.clock.ticks, len(layout.record_slots)))
    cycle.advance(len(rows), rows)
    assert (cycle.stop.guard, cycle.stop.value) == ("link", 4.0)


def test_a_test_without_a_rig_misses_nothing(rig):
    record = simulate(rig({"kind": "link", "trip": 1e-9}))
    assert record.stop.completed
    assert not record["guard.link_value"].any()
