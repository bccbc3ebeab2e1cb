"""The rig of Wallace et al. with its 9.4 ms of delay grows: the guards say so before the limits do.

6.77 ms would be critical [wallace2005]. The command reaches its limit of 25 mm after about three
seconds; the energy that the lag puts in and the growth of the command are seen long before.
"""

from __future__ import annotations

import numpy as np
import pytest

from rths.run.virtual import simulate

ENERGY = {"kind": "tracking_energy", "window": 0.5, "name": "energy"}
GROWTH = {
    "kind": "high_frequency", "signal": "compensator.command", "lowest": 5.0, "highest": 12.0,
    "floor": 5e-4, "window": 0.2, "past": 2.0, "name": "growth",
}  # fmt: skip


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
def levels(rig):
    """Twice what a run in good order shows."""
    never = {"warn": 1e9}  # they only measure
    record = quiet(rig, {**ENERGY, **never}, {**GROWTH, **never})
    running = record["safety.phase"][:, 0] == 1.0
    return {g: 2 * float(record[f"guard.{g}_value"][running].max()) for g in ("energy", "growth")}


def test_it_is_the_limit_that_ends_it_without_them(rig):
    record = unstable(rig)
    assert record.stop.signal == "compensator.command"
    assert np.abs(record["safety.command"]).max() > 0.02


@pytest.mark.parametrize("guard", [ENERGY, GROWTH], ids=["energy", "growth"])
def test_a_guard_at_twice_what_is_usual_trips_long_before_the_limit(rig, levels, guard):
    end = unstable(rig).stop.tripped
    level = levels[guard["name"]]
    record = unstable(rig, {**guard, "trip": level})
    assert record.stop.guard == guard["name"]
    assert record.stop.tripped < end - 1024  # a second of warning
    assert np.abs(record["safety.command"]).max() < 0.5 * 0.025
    assert quiet(rig, {**guard, "trip": level}).stop.completed
