"""A bit of the rig's status counts, whatever the others are."""

from __future__ import annotations

import pytest

from rths.guard.rig_status import BITS, UNREADY, RigStatus
from rths.hardware.wire.status import (
    APPROACHING,
    BEYOND,
    LATCHED,
    PRESSURE,
    RAMPING,
    SAFE,
    SATURATED,
    SENSOR,
    SILENCE,
    STOPPED,
)


@pytest.mark.parametrize("mode", [RAMPING, SAFE, APPROACHING])
def test_a_rig_that_does_not_follow_trips_whatever_keeps_it(judged, mode):
    g = RigStatus(bit="rig_does_not_follow", trip=0.0)
    assert judged(g, [0, mode, SATURATED, SATURATED | mode])[:, 0].tolist() == [0, 2, 0, 2]


def test_before_a_test_a_rig_may_be_on_its_way_but_not_out_of_order():
    assert UNREADY == PRESSURE | SENSOR | STOPPED | SILENCE | LATCHED | BEYOND


@pytest.mark.parametrize("bit", ["oil_pressure_lost", "stopped_at_the_rig", "link_lost"])
def test_a_bit_of_the_status_counts_whatever_the_others_are(judged, bit):
    g, mine = RigStatus(bit=bit, trip=0.0), BITS[bit]
    others = sum(BITS.values()) - mine
    levels = judged(g, [0, mine, others, others + mine])[:, 0]
    assert levels.tolist() == [0, 2, 0, 2]
