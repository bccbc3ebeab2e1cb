"""A short portion of the faults that ``python -m benchmarks faults`` tries by the thousand."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

from benchmarks.faults.campaign import FAULTS, WINDOW, run_of, summarise
from benchmarks.faults.judgement import find_wrong
from benchmarks.faults.kinds import KINDS, Drawn, latest_trip
from benchmarks.faults.plans import TICK, draw_sound
from rths.hardware.emulated.fault import NAMES
from rths.loop.stop import Stop

LIMITS = {"stroke": 0.1, "velocity": 0.1, "acceleration": 1.0}


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """One test in good order."""
    random, folder = np.random.default_rng(3), tmp_path_factory.mktemp("faults")
    return next(s for s in (draw_sound(random, folder, 2.5) for _ in range(9)) if s is not None)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_ends_safely_in_the_time_that_is_stated_for_it(sound, fault):
    rows = [run_of(fault)(sound, WINDOW, seed) for seed in range(3)]
    assert not summarise(rows)["wrong"]


def test_every_fault_of_the_rig_is_tried():
    assert set(KINDS) == set(NAMES) - {"clock"}  # that of a rig with a clock of its own


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        ([0.0, 0.2, 0.2], "beyond its stroke"),
        ([0.0, 0.0, 0.01], "beyond its velocity"),
        ([0.0, 5e-5, 0.0], "beyond its acceleration"),
        ([0.0, np.nan, 0.0], "beyond its stroke"),
    ],
)
def test_a_command_that_must_not_be_is_found(sent, told):
    stop = Stop("completed", 3, 3 * TICK, "completed")
    assert any(told in w for w in find_wrong(np.array(sent), stop, LIMITS, TICK))


def test_a_lost_row_an_end_without_a_cause_and_a_late_trip_are_found():
    none = np.zeros(30)
    assert find_wrong(none, Stop("completed", 31, 0.0, ""), LIMITS, TICK) == ["rows are lost"]
    nameless = Stop("trip", 30, 0.0, "", tripped=20)
    assert find_wrong(none, nameless, LIMITS, TICK) == ["a trip names no cause"]
    late = Stop("trip", 30, 0.0, "why", guard="x", tripped=20)
    assert find_wrong(none, late, LIMITS, TICK, 19.5 * TICK) == ["it tripped late"]
    fine = Stop("completed", 30, 0.0, "")
    assert find_wrong(none, fine, LIMITS, TICK, 0.01) == ["it did not trip"]
    assert find_wrong(none, Stop("block", 30, 0.0, ""), LIMITS, TICK) == ["it ended by block"]


def test_a_fault_may_be_seen_later_behind_a_link_that_loses_half_of_its_replies():
    stuck = Drawn("stuck_displacement@0.5", 0.5, latest=0.9)
    jitter = Drawn("jitter=0.002@0.4", 0.4, latest=inf, hides=0.002, answers=0.5)
    assert latest_trip([stuck]) == pytest.approx(0.9)
    assert latest_trip([jitter, stuck]) == pytest.approx(0.5 + 0.4 / 0.5 + 0.002)


def test_a_link_that_is_lost_is_due_by_itself():
    stuck = Drawn("stuck_displacement@0.5", 0.5, latest=0.9)
    loss = Drawn("loss=1@0.4", 0.4, latest=0.5, answers=0.0)
    assert latest_trip([stuck, loss]) == pytest.approx(0.5)


@pytest.mark.parametrize(("sensor", "latest"), [("force", 1.1), ("displacement", 0.9)])
def test_a_sensor_that_is_stuck_hides_other_faults_of_its_own_only(sensor, latest):
    jump = Drawn("jump_force=9@0.8", 0.8, latest=0.9, sensor="force")
    stuck = Drawn(f"stuck_{sensor}@0.7+0.2", 0.7, latest=inf, sensor=sensor, freezes=0.2)
    assert latest_trip([stuck, jump]) == pytest.approx(latest)
