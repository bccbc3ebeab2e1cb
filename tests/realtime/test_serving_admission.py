"""Whom a rig lets in: one loop at a time, with its key, and no packet of a session before."""

from __future__ import annotations

import pytest

from rths.config.plan import load
from rths.config.template import FOLDER
from rths.errors import InputError
from rths.hardware.emulated.drive import RigSafety
from rths.hardware.wire.greeting import (
    pack_hello,
)
from rths.hardware.wire.handshake import refuse_unfit
from rths.hardware.wire.key_file import write_key
from rths.hardware.wire.keyed_hash import PUBLIC
from rths.hardware.wire.layout import COMMAND, GOODBYE, VERSION
from rths.hardware.wire.packet import Packet
from rths.hardware.wire.session import Session, new_session, session_key
from rths.hardware.wire.status import SAFE
from rths.realtime.rig_memory import RigMemory
from rths.realtime.rig_words import PERIOD
from rths.studies.wallace2005.three_ways import PLAN

PATIENT = RigSafety(timeout=60.0, rate=10.0)


def test_packets_of_an_earlier_session_are_refused_after_a_later_goodbye(commander):
    rig = commander(safety=PATIENT)
    recorded = [rig.packet(k, 0.01) for k in (1, 2)]
    for packet in recorded:
        assert rig.send(packet)
    assert rig.command(3, flags=GOODBYE)
    rig.serve_until(SAFE)
    assert rig.command(1, session=6)
    assert rig.command(2, session=6, flags=GOODBYE)
    rig.serve_until(SAFE)
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
    found = rig.welcome()
    last = rig.session(5).number
    assert found.highest == last
    for number, taken in ((last, False), (last - 1, False), (1, False), (last + 1, True)):
        rig.sessions[number] = Session(number, session_key(PUBLIC, found.challenge, number))
        assert (rig.command(1, session=number) is not None) == taken


@pytest.mark.parametrize("highest", [0, (3 << 64) + 7, (1 << 127) - 1, (1 << 128) - 5])
def test_nobody_can_plant_a_number_after_which_there_is_none(commander, highest):
    """Without a key every program of the machine can begin a session, with any number it likes."""
    rig = commander(safety=PATIENT, memory=RigMemory(session=highest))
    found, most = rig.welcome(), (1 << 128) - 1
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
    found = rig.welcome()
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
        refuse_unfit(rig.welcome(), "here")
    assert other.number != rig.session(5).number


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


def test_a_loop_of_another_version_is_refused_and_told_the_version_of_the_rig(commander):
    rig = commander()
    old = bytearray(Packet(COMMAND, 1, 7, 5, ((0.0, 0.0, 0.0),)).pack())
    old[4] = 1
    assert rig.send(bytes(old)) is None
    assert rig.serving.outdated == 1
    hello = bytearray(pack_hello(3, 0, 1, PUBLIC))
    hello[4] = VERSION + 1
    rig.wire.send(hello)
    assert rig.answer_to(3).version == VERSION
    assert rig.serving.outdated == VERSION + 1


def test_a_rig_of_several_actuators_answers_whatever_ports_their_compensators_have(commander):
    """Signals of several compensators with ports are no neighbours; a rig needs none of them."""
    link = {"hardware.kind": "udp", "hardware.port": 0}
    rig = commander(load(FOLDER / "chen2010.toml", link))
    rig.wire.send(pack_hello(3, 0, 2, PUBLIC))
    assert rig.answer_to(3).actuators == 2
