"""Periods that were lost stay lost: their number only grows, and so does the level."""

from __future__ import annotations

from rths.guard.slips import Slips
from rths.run.virtual import simulate


def test_one_period_more_than_may_be_lost_trips(judged):
    slipped = [0, 1, 2, 100, 101, 101]
    assert judged(Slips(warn=1, trip=100), slipped)[:, 0].tolist() == [0, 0, 1, 1, 2, 2]


def test_a_virtual_test_loses_no_period(rig):
    record = simulate(rig({"kind": "slips", "trip": 1e-9}))
    assert record.stop.completed
    assert not record["guard.slips_value"].any()
