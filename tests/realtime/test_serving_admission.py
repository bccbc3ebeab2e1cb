"""Whom a rig lets in: one loop at a time, with its key, and after a trip nobody but a person."""

from __future__ import annotations

import time

import pytest

from rths.config.plan import load
from rths.config.template import FOLDER
from rths.errors import InputError
from rths.hardware.emulated.drive import RigSafety
from rths.hardware.emulated.fault import parse_fault
from rths.hardware.wire.greeting import (
    AT_REST,
    Welcome,
    pack_hello,
    pack_release,
    unpack_welcome,
)
from rths.hardware.wire.handshake import SilentRigError, greet, refuse_unfit
from rths.hardware.wire.key_file import write_key
from rths.hardware.wire.keyed_hash import PUBLIC
from rths.hardware.wire.layout import COMMAND, GOODBYE, RELEASE_PRESSURE, TRIPPED, VERSION
from rths.hardware.wire.packet import HEADER, Packet, close
from rths.hardware.wire.session import Session, new_session, session_key
from rths.hardware.wire.status import BEYOND, LATCHED, PRESSURE, SAFE, SILENCE
from rths.realtime.rig_memory import RigMemory
from rths.realtime.rig_words import PERIOD
from rths.studies.wallace2005.three_ways import PLAN

QUICK = RigSafety(timeout=0.1, hold=0.0, rate=10.0)
PATIENT = RigSafety(timeout=60.0, rate=10.0)


def served_until(serving, bits, seconds=20.0):
    end = time.monotonic() + seconds
    while not serving.status & bits:
        assert time.monotonic() < end, "the rig did not get there"
        serving.advance(0.005)


def welcome(rig, key=PUBLIC) -> Welcome:
    """Say hello to a rig, and let it answer."""
    rig.wire.send(pack_hello(3, 0, 1, key))
    return answer_to(rig, 3, key)


def answer_to(rig, nonce, key=PUBLIC) -> Welcome:
    rig.wire.settimeout(0.0)
    for _ in range(1000):
        rig.serving.advance(0.002)
        try:
            return unpack_welcome(rig.wire.recv(4096), nonce, key)
        except BlockingIOError:
            continue
    raise AssertionError("the rig does not answer")


def release(rig, challenge, latch, texts=("A", "", "it stalled")) -> Welcome:
    rig.wire.send(pack_release(challenge, latch, 1, texts, PUBLIC))
    return answer_to(rig, challenge)


def test_packets_of_an_earlier_session_are_refused_after_a_later_goodbye(commander):
    rig = commander(safety=PATIENT)
    recorded = [rig.packet(k, 0.01) for k in (1, 2)]
    for packet in recorded:
        assert rig.send(packet)
    assert rig.command(3, flags=GOODBYE)
    served_until(rig.serving, SAFE)
    assert rig.command(1, session=6)
    assert rig.command(2, session=6, flags=GOODBYE)
    served_until(rig.serving, SAFE)
    moved = rig.serving.arena.copy()
    for packet in (*recorded, rig.packet(1, session=6), rig.packet(9, 0.01, session=6)):
        assert rig.send(packet) is None
    assert rig.serving.status == SAFE
    position = rig.serving.layout.signals["rig.drive"].first
    assert rig.serving.arena[position] == moved[position] == 0.0


def test_a_rig_that_was_restarted_refuses_packets_of_the_session_before(commander):
    rig, restarted = commander(safety=PATIENT), commander(safety=PATIENT)
    recorded = [rig.packet(k, 0.01) for k in (1, 2, 3)]
    assert rig.send(recorded[0])
    for packet in recorded:
        assert restarted.send(packet) is None  # its challenge is another
    assert restarted.command(1)


def test_the_number_of_a_session_is_above_all_before_it(commander):
    rig = commander(safety=PATIENT)
    assert rig.command(1)
    assert rig.command(2, flags=GOODBYE)
    found = welcome(rig)
    last = rig.session(5).number
    assert found.highest == last
    for number, taken in ((last, False), (last - 1, False), (1, False), (last + 1, True)):
        rig.sessions[number] = Session(number, session_key(PUBLIC, found.challenge, number))
        assert (rig.command(1, session=number) is not None) == taken


@pytest.mark.parametrize("highest", [0, (3 << 64) + 7, (1 << 127) - 1, (1 << 128) - 5])
def test_nobody_can_plant_a_number_after_which_there_is_none(commander, highest):
    """Without a key every program of the machine can begin a session, with any number it likes."""
    rig = commander(safety=PATIENT, memory=RigMemory(session=highest))
    found, most = welcome(rig), (1 << 128) - 1
    planted = {most: highest == most - 4, highest + (1 << 64): False, highest + (2 << 64): False}
    for number in (n for n in planted if n <= most):
        rig.sessions[number] = Session(number, session_key(PUBLIC, found.challenge, number))
        assert (rig.command(1, session=number) is not None) == planted[number]
    if highest < most - 4:
        session = new_session(PUBLIC, found.challenge, found.highest)
        assert highest < session.number < highest + (1 << 64)
        rig.sessions[0] = session
        assert rig.command(1, session=0)


def test_a_rig_whose_numbers_are_used_up_is_named():
    with pytest.raises(InputError, match="leaves no number for the next session"):
        new_session(PUBLIC, 1, (1 << 128) - 1)


def test_a_session_belongs_to_the_sender_who_began_it(commander):
    rig = commander(safety=PATIENT)
    assert rig.command(1)
    assert rig.command(2, value=0.01, wire=rig.open()) is None  # from another port, key and all
    assert rig.command(2)


def test_without_the_key_nobody_drives_an_idle_rig(commander, tmp_path):
    write_key(tmp_path / "rig.key")
    key = {"hardware.kind": "udp", "hardware.port": 0, "hardware.key": str(tmp_path / "rig.key")}
    rig = commander(load(PLAN, {**key, "clock.tick": 1 / 1024}), safety=PATIENT)
    found = welcome(rig)
    assert not found.genuine
    number = found.highest + 1
    forged = session_key(PUBLIC, found.challenge, number)
    assert rig.send(Packet(COMMAND, 1, 7, number, ((0.01, 0.0, 0.0),)).pack(forged)) is None
    assert rig.serving.status == SAFE
    assert rig.command(1)  # with the key


def test_a_second_controller_is_refused_while_the_first_is_there(commander):
    rig = commander(safety=PATIENT)
    other = rig.session(6)  # greeted before the first began
    assert rig.command(1)
    assert rig.command(1, session=6) is None
    with pytest.raises(InputError, match="moved by another loop"):
        refuse_unfit(welcome(rig), "here")
    assert other.number != rig.session(5).number


def test_a_rig_that_went_safe_stays_safe_until_a_person_releases_it(commander):
    rig = commander(safety=QUICK)
    assert rig.command(1)
    served_until(rig.serving, SILENCE)
    served_until(rig.serving, SAFE)
    assert rig.command(1, session=7) is None  # a second controller
    assert rig.serving.status == SILENCE | LATCHED | SAFE  # no alarm clears by itself
    assert int(rig.command(2).values[0][3]) == SILENCE | LATCHED | SAFE  # its own is told so
    found = welcome(rig)
    with pytest.raises(InputError, match="is latched"):
        refuse_unfit(found, "here")
    assert release(rig, found.challenge, found.latch).latch == 0
    assert rig.serving.status == SAFE
    assert rig.command(3) is None  # the session that stalled never comes back
    assert rig.command(1, session=8)


def test_a_rig_that_is_told_of_a_trip_latches(commander):
    rig = commander(safety=PATIENT)
    assert rig.command(1)
    assert rig.command(2, flags=GOODBYE | TRIPPED)
    served_until(rig.serving, SAFE)
    assert rig.command(1, session=6) is None
    assert welcome(rig).latch == 1


def test_a_trip_is_not_hidden_by_a_session_that_begins_within_the_same_tick(commander):
    rig = commander(safety=PATIENT, rate=1.0)  # its next tick comes later than all of this
    assert rig.command(1)
    assert rig.command(2, flags=GOODBYE | TRIPPED)
    assert welcome(rig).latch == 1
    assert rig.command(1, session=6) is None


def test_a_command_may_release_the_oil_pressure(commander):
    rig = commander(safety=PATIENT)
    assert rig.command(1)
    assert rig.command(2, flags=RELEASE_PRESSURE)
    served_until(rig.serving, PRESSURE)
    found = welcome(rig)
    assert release(rig, found.challenge, found.latch).latch == 0
    served_until(rig.serving, SAFE)
    assert rig.serving.status == SAFE


def test_a_rig_releases_its_pressure_though_a_goodbye_comes_within_the_same_tick(commander):
    rig = commander(safety=PATIENT, rate=1.0)
    assert rig.command(1)
    assert rig.command(2, flags=RELEASE_PRESSURE)
    assert rig.command(3, flags=GOODBYE | TRIPPED)
    assert rig.serving.status & PRESSURE
    found = welcome(rig)
    assert release(rig, found.challenge, found.latch).latch == 0
    assert not rig.serving.status & PRESSURE
    assert rig.command(1, session=6).values[0][3] == 0


def test_a_release_needs_a_name_a_cause_the_latch_and_a_challenge_of_its_own(commander):
    rig = commander(safety=QUICK)
    assert rig.command(1)
    served_until(rig.serving, SAFE)
    first = welcome(rig)
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
        assert release(rig, challenge, latch, texts).latch == first.latch
    assert release(rig, first.challenge, first.latch).latch == 0
    assert rig.serving.released_by == {"by": "A", "second": "", "cause": "it stalled"}
    assert rig.command(1, session=6)
    served_until(rig.serving, SILENCE)
    served_until(rig.serving, SAFE)
    assert welcome(rig).latch == 2
    assert release(rig, first.challenge, 2).latch == 2  # what was sent once is of no use again


def test_a_rig_may_want_two_people_to_release_it(commander):
    rig = commander(safety=QUICK, two_names=True)
    assert rig.command(1)
    served_until(rig.serving, SAFE)
    found = welcome(rig)
    for names in (("A", ""), ("A", "A"), ("A. Ode", " a  ODE."), ("Å", "Å,"), ("A", "-")):
        assert release(rig, found.challenge, found.latch, (*names, "it stalled")).latch == 1
    assert (
        release(rig, found.challenge, found.latch, ("A. Ode", "A. Odet", "it stalled")).latch == 0
    )


def test_a_rig_on_its_way_to_safety_is_not_released(commander):
    rig = commander(safety=RigSafety(timeout=0.1, hold=60.0))
    assert rig.command(1)
    served_until(rig.serving, SILENCE)
    found = welcome(rig)
    assert release(rig, found.challenge, found.latch).latch == found.latch


def test_a_rig_whose_pressure_is_low_and_that_still_moves_is_not_released(commander):
    slow = RigSafety(timeout=0.1, hold=60.0, rate=0.01)
    rig = commander(safety=slow, faults=(parse_fault("pressure=0.005"),))
    assert rig.command(1)
    served_until(rig.serving, SILENCE)
    assert rig.serving.status & PRESSURE
    found = welcome(rig)
    assert not found.state & AT_REST
    assert release(rig, found.challenge, found.latch).latch == found.latch


def test_a_rig_that_moves_with_each_command_wants_a_loop_of_its_own_tick(commander):
    rig = commander(safety=PATIENT, triggered=True)
    own, tick = rig.session(5), int(rig.serving.state[PERIOD])

    def begin(apart):
        rig.wire.send(Packet(COMMAND, 1, 0, own.number, ((0.0,) * 3,), 0, apart).pack(own.key))
        rig.serving.advance(0.005)
        return rig.serving.counts["accepted"]

    assert begin(tick // 8) == begin(8 * tick) == 0
    assert begin(tick + tick // 2000) == 1


def test_a_session_is_remembered_as_soon_as_it_begins(commander, tmp_path):
    rig = commander(safety=PATIENT, memory=RigMemory(tmp_path / "memory"))
    remember = rig.serving.remember

    def be_switched_off():
        remember()
        if rig.serving.memory.engaged:
            raise KeyboardInterrupt

    rig.serving.remember = be_switched_off
    rig.wire.send(rig.packet(1))
    with pytest.raises(KeyboardInterrupt):
        rig.serving.advance(20.0)
    assert rig.serving.counts["moved"] < 10 * 1024  # not when it next looks up
    assert RigMemory.load(tmp_path / "memory").latch


def test_a_rig_keeps_its_latch_and_who_released_it_over_a_restart(commander, tmp_path):
    rig = commander(safety=QUICK, memory=RigMemory(tmp_path / "memory"))
    assert rig.command(1)
    served_until(rig.serving, SAFE)
    rig.serving.remember()
    again = commander(safety=QUICK, memory=RigMemory.load(tmp_path / "memory"))
    assert again.serving.status == SAFE | LATCHED
    assert again.command(1) is None
    found = welcome(again)
    assert found.highest == rig.session(5).number
    assert release(again, found.challenge, found.latch).latch == 0
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


def test_a_loop_of_another_version_is_refused_and_told_the_version_of_the_rig(commander):
    rig = commander()
    old = bytearray(Packet(COMMAND, 1, 7, 5, ((0.0, 0.0, 0.0),)).pack())
    old[4] = 1
    assert rig.send(bytes(old)) is None
    assert rig.serving.outdated == 1
    hello = bytearray(pack_hello(3, 0, 1, PUBLIC))
    hello[4] = VERSION + 1
    rig.wire.send(hello)
    assert answer_to(rig, 3).version == VERSION
    assert rig.serving.outdated == VERSION + 1


class Script:
    """A rig's end of a wire that answers every hello in the same way."""

    def __init__(self, answer) -> None:
        self.answer, self.waiting, self.kept = answer, [], None
        self.key = PUBLIC

    def send(self, packet):
        self.waiting += [self.answer(HEADER.unpack_from(packet))]

    def receive(self):
        return self.waiting.pop() if self.waiting else None


def told(version=VERSION, actuators=1, key=PUBLIC):
    first = 0x53485452 | version << 32 | 4 << 40 | actuators << 48
    body = bytes(14 * 8 + 4 * 8 * actuators)
    return lambda head: close(HEADER.pack(first, 0, 0, *head[3:5], 0, 0) + body, key)


@pytest.mark.parametrize(
    ("answer", "problem"),
    [
        (told(), None),
        (told(version=7), "speaks version 7 of the wire, this loop speaks 2"),
        (told(actuators=3), r"has 3 actuator\(s\), the plan has 1"),
        (told(key=bytes(range(16))), "does not have the key"),
    ],
)
def test_what_is_the_matter_with_a_rig_is_said(answer, problem):
    if problem is None:
        assert greet(Script(answer), "here", 1).actuators == 1
        return
    with pytest.raises(InputError, match=problem):
        greet(Script(answer), "here", 1)


def test_a_rig_that_is_silent_may_be_of_an_older_version_and_this_is_said(monkeypatch):
    monkeypatch.setattr("rths.hardware.wire.handshake.PATIENCE", 0.01)
    with pytest.raises(SilentRigError, match=r"has not answered .* another version of the wire"):
        greet(Script(lambda head: b""), "here", 1)


def test_a_rig_enforces_the_limits_that_it_announces(commander):
    rig = commander(safety=PATIENT, limits=((0.1, 1.0, 100.0, 1e4),))
    assert welcome(rig).limits == ((0.1, 1.0, 100.0, 1e4),)
    for k in range(1, 6):  # sent to where it stands it has arrived in the same tick: no approach
        assert rig.command(k).values[0][3] == 0
    rig.command(6, 0.11)  # beyond its stroke, however long the machine waits
    served_until(rig.serving, LATCHED)
    served_until(rig.serving, SAFE)
    assert rig.serving.status & BEYOND
    assert welcome(rig).latch == 1


def test_a_rig_of_several_actuators_answers_whatever_ports_their_compensators_have(commander):
    """Signals of several compensators with ports are no neighbours; a rig needs none of them."""
    link = {"hardware.kind": "udp", "hardware.port": 0}
    rig = commander(load(FOLDER / "chen2010.toml", link))
    rig.wire.send(pack_hello(3, 0, 2, PUBLIC))
    assert answer_to(rig, 3).actuators == 2


def test_a_rig_has_the_limits_of_the_file_that_its_plan_names(commander):
    link = {"hardware.kind": "udp", "hardware.port": 0, "rig.file": "emulated"}
    rig = commander(load(PLAN, {**link, "clock.tick": 1 / 1024, "safety": {"rate": 0.05}}))
    assert welcome(rig).limits == ((1.0, 1.0, 200.0, 1e6),)


@pytest.mark.parametrize("limits", [((0.1, 1.0, 0.0, 1.0),), ((1.0,) * 4, (1.0,) * 4)])
def test_limits_that_a_rig_cannot_have_are_refused(limits, commander):
    with pytest.raises(InputError) as error:
        commander(limits=limits)
    assert error.value.field == "rig.limits"
