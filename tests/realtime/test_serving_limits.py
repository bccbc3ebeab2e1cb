"""The limits that a rig announces to a loop, and enforces itself."""

from __future__ import annotations

import pytest

from rths.config.plan import load
from rths.errors import InputError
from rths.hardware.emulated.drive import RigSafety
from rths.hardware.wire.status import BEYOND, LATCHED, SAFE
from rths.studies.wallace2005.three_ways import PLAN

PATIENT = RigSafety(timeout=60.0, rate=10.0)


def test_a_rig_enforces_the_limits_that_it_announces(commander):
    rig = commander(safety=PATIENT, limits=((0.1, 1.0, 100.0, 1e4),))
    assert rig.welcome().limits == ((0.1, 1.0, 100.0, 1e4),)
    for k in range(1, 6):  # sent to where it stands it has arrived in the same tick: no approach
        assert rig.command(k).values[0][3] == 0
    rig.command(6, 0.11)  # beyond its stroke, however long the machine waits
    rig.serve_until(LATCHED)
    rig.serve_until(SAFE)
    assert rig.serving.status & BEYOND
    assert rig.welcome().latch == 1


def test_a_rig_has_the_limits_of_the_file_that_its_plan_names(commander):
    link = {"hardware.kind": "udp", "hardware.port": 0, "rig.file": "emulated"}
    rig = commander(load(PLAN, {**link, "clock.tick": 1 / 1024, "safety": {"rate": 0.05}}))
    assert rig.welcome().limits == ((1.0, 1.0, 200.0, 1e6),)


@pytest.mark.parametrize("limits", [((0.1, 1.0, 0.0, 1.0),), ((1.0,) * 4, (1.0,) * 4)])
def test_limits_that_a_rig_cannot_have_are_refused(limits, commander):
    with pytest.raises(InputError) as error:
        commander(limits=limits)
    assert error.value.field == "rig.limits"
