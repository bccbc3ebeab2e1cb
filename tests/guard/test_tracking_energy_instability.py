"""The rig of Wallace et al. with its 9.4 ms of delay grows: the guard says so before the limits do.

6.77 ms would be critical [wallace2005]. The command reaches its limit of 25 mm after about three
seconds; the energy that the lag puts in is seen long before.
"""

from __future__ import annotations

import numpy as np
import pytest

from rths.run.virtual import simulate

ENERGY = {"kind": "tracking_energy", "window": 0.5, "name": "energy"}


def first(record, guard, level):
    found = np.flatnonzero(record[f"guard.{guard}_level"][:, 0] >= level)
    return int(found[0]) if found.size else None


def quiet(rig, *guards):
    """Run the rig with a delay that is made up for."""
    return simulate(rig(*guards, clock__duration=6.0))


def unstable(rig, *guards):
    """Run it with the same delay as it is."""
    return simulate(rig(*guards, compensator__kind="none", clock__duration=6.0))


@pytest.fixture
def level(rig):
    """Twice what a run in good order shows."""
    never = {"warn": 1e9}  # they only measure
    record = quiet(rig, {**ENERGY, **never})
    running = record["safety.phase"][:, 0] == 1.0
    return 2 * float(record["guard.energy_value"][running].max())


def test_it_is_the_limit_that_ends_it_without_them(rig):
    record = unstable(rig)
    assert record.stop.signal == "compensator.command"
    assert np.abs(record["safety.command"]).max() > 0.02


def test_at_twice_what_is_usual_it_trips_long_before_the_limit(rig, level):
    end = unstable(rig).stop.tripped
    record = unstable(rig, {**ENERGY, "trip": level})
    assert record.stop.guard == "energy"
    assert record.stop.tripped < end - 1024  # a second of warning
    assert np.abs(record["safety.command"]).max() < 0.5 * 0.025
    assert quiet(rig, {**ENERGY, "trip": level}).stop.completed
