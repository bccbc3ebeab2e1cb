"""A rig that went safe stays so, over a restart too, until a person with a name releases it."""

from __future__ import annotations

import pytest

from rths.errors import InputError
from rths.hardware.emulated.drive import RigSafety
from rths.hardware.emulated.fault import parse_fault
from rths.hardware.wire.greeting import (
    AT_REST,
)
from rths.hardware.wire.handshake import refuse_unfit
from rths.hardware.wire.layout import GOODBYE, RELEASE_PRESSURE, TRIPPED
from rths.hardware.wire.status import LATCHED, PRESSURE, SAFE, SILENCE
from rths.realtime.rig_memory import RigMemory

QUICK = RigSafety(timeout=0.1, hold=0.0, rate=10.0)
PATIENT = RigSafety(timeout=60.0, rate=10.0)


def test_a_rig_that_went_safe_stays_safe_until_a_person_releases_it(commander):
    rig = commander(safety=QUICK)
    assert rig.command(1)
    rig.serve_until(SILENCE)
    rig.serve_until(SAFE)
    assert rig.command(1, session=7) is None  # a second controller
    assert rig.serving.status == SILENCE | LATCHED | SAFE  # no alarm clears by itself
    assert int(rig.command(2).values[0][3]) == SILENCE | LATCHED | SAFE  # its own is told so
    found = rig.welcome()
    with pytest.raises(InputError, match="is latched"):
        refuse_unfit(found, "here")
    assert rig.release(found.challenge, found.latch).latch == 0
    assert rig.serving.status == SAFE
    assert rig.command(3) is None  # the session that stalled never comes back
    assert rig.command(1, session=8)


def test_a_rig_that_is_told_of_a_trip_latches(commander):
    rig = commander(safety=PATIENT)
    assert rig.command(1)
    assert rig.command(2, flags=GOODBYE | TRIPPED)
    rig.serve_until(SAFE)
    assert rig.command(1, session=6) is None
    assert rig.welcome().latch == 1


def test_a_trip_is_not_hidden_by_a_session_that_begins_within_the_same_tick(commander):
    rig = commander(safety=PATIENT, rate=1.0)  # its next tick comes later than all of this
    assert rig.command(1)
    assert rig.command(2, flags=GOODBYE | TRIPPED)
    assert rig.welcome().latch == 1
    assert rig.command(1, session=6) is None


def test_a_command_may_release_the_oil_pressure(commander):
    rig = commander(safety=PATIENT)
    assert rig.command(1)
    assert rig.command(2, flags=RELEASE_PRESSURE)
    rig.serve_until(PRESSURE)
    found = rig.welcome()
    assert rig.release(found.challenge, found.latch).latch == 0
    rig.serve_until(SAFE)
    assert rig.serving.status == SAFE


def test_a_rig_releases_its_pressure_though_a_goodbye_comes_within_the_same_tick(commander):
    rig = commander(safety=PATIENT, rate=1.0)
    assert rig.command(1)
    assert rig.command(2, flags=RELEASE_PRESSURE)
    assert rig.command(3, flags=GOODBYE | TRIPPED)
    assert rig.serving.status & PRESSURE
    found = rig.welcome()
    assert rig.release(found.challenge, found.latch).latch == 0
    assert not rig.serving.status & PRESSURE
    assert rig.command(1, session=6).values[0][3] == 0


def test_a_release_needs_a_name_a_cause_the_latch_and_a_challenge_of_its_own(commander):
    rig = commander(safety=QUICK)
    assert rig.command(1)
    rig.serve_until(SAFE)
    first = rig.welcome()
    for challenge, latch, texts in (
        (first.challenge, first.latch, ("", "", "it stalled")),
        (first.challenge, first.latch, ("A", "", "")),
        (first.challenge, first.latch, ("  .", "", "it stalled")),
        (first.challenge, first.latch, ("A", "", "42")),
        (first.challenge, first.latch, ("A\x1b[2J", "", "it stalled")),
        (first.challenge, first.latch, ("A", "", "it\x07 stalled")),
        (first.challenge, first.latch, ("A", "\x7fB", "it stalled")),
        (first.challenge, first.latch, ("A", "", "it stalled\0again")),
        (first.challenge, first.latch + 1, ("A", "", "it stalled")),
        (first.challenge ^ 1, first.latch, ("A", "", "it stalled")),
    ):
        assert rig.release(challenge, latch, texts).latch == first.latch
    assert rig.release(first.challenge, first.latch).latch == 0
    assert rig.serving.released_by == {"by": "A", "second": "", "cause": "it stalled"}
    assert rig.command(1, session=6)
    rig.serve_until(SILENCE)
    rig.serve_until(SAFE)
    assert rig.welcome().latch == 2
    assert rig.release(first.challenge, 2).latch == 2  # what was sent once is of no use again


def test_a_rig_may_want_two_people_to_release_it(commander):
    rig = commander(safety=QUICK, two_names=True)
    assert rig.command(1)
    rig.serve_until(SAFE)
    found = rig.welcome()
    for names in (("A", ""), ("A", "A"), ("A. Ode", " a  ODE."), ("Å", "Å,"), ("A", "-")):
        assert rig.release(found.challenge, found.latch, (*names, "it stalled")).latch == 1
    assert rig.release(found.challenge, found.latch, ("A. Ode", "A. Odet", "it stalled")).latch == 0


def test_a_rig_on_its_way_to_safety_is_not_released(commander):
    rig = commander(safety=RigSafety(timeout=0.1, hold=60.0))
    assert rig.command(1)
    rig.serve_until(SILENCE)
    found = rig.welcome()
    assert rig.release(found.challenge, found.latch).latch == found.latch


def test_a_rig_whose_pressure_is_low_and_that_still_moves_is_not_released(commander):
    slow = RigSafety(timeout=0.1, hold=60.0, rate=0.01)
    rig = commander(safety=slow, faults=(parse_fault("pressure=0.005"),))
    assert rig.command(1)
    rig.serve_until(SILENCE)
    assert rig.serving.status & PRESSURE
    found = rig.welcome()
    assert not found.state & AT_REST
    assert rig.release(found.challenge, found.latch).latch == found.latch


def test_a_rig_keeps_its_latch_and_who_released_it_over_a_restart(commander, tmp_path):
    rig = commander(safety=QUICK, memory=RigMemory(tmp_path / "memory"))
    assert rig.command(1)
    rig.serve_until(SAFE)
    rig.serving.remember()
    again = commander(safety=QUICK, memory=RigMemory.load(tmp_path / "memory"))
    assert again.serving.status == SAFE | LATCHED
    assert again.command(1) is None
    found = again.welcome()
    assert found.highest == rig.session(5).number
    assert again.release(found.challenge, found.latch).latch == 0
    again.serving.remember()
    kept = RigMemory.load(tmp_path / "memory")
    assert (kept.latch, kept.latches) == (0, 1)
    assert kept.releases == [{"by": "A", "second": "", "cause": "it stalled"}]


def test_a_rig_that_was_switched_off_in_a_session_is_latched_when_it_comes_back(
    commander, tmp_path
):
    rig = commander(safety=PATIENT, memory=RigMemory(tmp_path / "memory"))
    assert rig.command(1)
    rig.serving.remember()
    assert commander(memory=RigMemory.load(tmp_path / "memory")).serving.status == SAFE | LATCHED
