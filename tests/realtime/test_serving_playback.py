"""Somebody records all that is said to a rig and plays it back: the rig follows its one loop."""

from __future__ import annotations

import select

import numpy as np
import pytest

from rths.hardware.emulated.drive import RigSafety
from rths.hardware.wire.greeting import pack_hello, pack_release, unpack_welcome
from rths.hardware.wire.keyed_hash import PUBLIC
from rths.hardware.wire.layout import COMMAND, GOODBYE, TRIPPED
from rths.hardware.wire.packet import Packet
from rths.hardware.wire.session import new_session
from rths.hardware.wire.status import SAFE
from rths.realtime.rig_words import LATCH

PATIENT = RigSafety(timeout=600.0, rate=1e3)


class Laboratory:
    """A rig, its loop, and somebody who has heard every packet."""

    def __init__(self, rig) -> None:
        self.rig, self.other = rig, rig.open()
        self.heard, self.sequence, self.accepted, self.session = [], 0, 0, None
        self.rig.wire.settimeout(0.0)
        self.other.settimeout(0.0)

    def send(self, packet, wire) -> bytes | None:
        """Send bytes, let the rig deal with them, and give what it answers."""
        wire.send(packet)
        while select.select([self.rig.line.kept], [], [], 0.0)[0]:
            self.rig.serving.advance(0.001)
        self.rig.serving.advance(0.0002)  # what was taken off the wire may wait for a tick
        answer = None
        while select.select([wire], [], [], 0.0)[0]:
            answer = wire.recv(4096)
        return answer

    def say(self, packet) -> bytes | None:
        self.heard.append(packet)
        return self.send(packet, self.rig.wire)

    def greet(self, wire):
        packet = pack_hello(3, 0, 1, PUBLIC)
        return unpack_welcome(self.send(packet, wire), 3, PUBLIC)

    def begin(self):
        found = self.greet(self.rig.wire)
        self.session, self.sequence = new_session(PUBLIC, found.challenge, found.highest), 0

    def command(self, value, flags=0):
        self.sequence += 1
        own, values = self.session, ((value, 0.0, 0.0),)
        packet = Packet(COMMAND, self.sequence, 7, own.number, values, flags).pack(own.key)
        assert self.say(packet) is not None
        self.accepted += 1

    def leave(self, flags):
        self.command(0.0, GOODBYE | flags)
        while not self.rig.serving.status & SAFE:
            self.rig.serving.advance(0.002)
        if flags & TRIPPED:
            found = self.greet(self.rig.wire)
            texts = ("A", "", "it tripped")
            self.say(pack_release(found.challenge, found.latch, 1, texts, PUBLIC))
        self.begin()

    def play_back(self, random):
        packet = self.heard[random.integers(len(self.heard))]
        self.send(packet, (self.rig.wire, self.other)[random.integers(2)])

    def take_over(self):
        """Try to begin a session in good order while another goes on."""
        found = self.greet(self.other)
        own = new_session(PUBLIC, found.challenge, found.highest)
        packet = Packet(COMMAND, 1, 7, own.number, ((0.01, 0.0, 0.0),)).pack(own.key)
        answer = self.send(packet, self.other)
        assert answer is None or self.sequence == 0
        if answer is not None:  # there was none: it is the loop now, and leaves
            self.accepted += 1
            own_goodbye = Packet(COMMAND, 2, 7, own.number, ((0.0, 0.0, 0.0),), GOODBYE)
            assert self.send(own_goodbye.pack(own.key), self.other) is not None
            self.accepted += 1
            self.begin()


@pytest.mark.parametrize("steps", [150, pytest.param(20_000, marks=pytest.mark.slow)])
def test_whatever_is_played_back_the_rig_follows_its_one_loop(commander, steps):
    lab, random = Laboratory(commander(safety=PATIENT, triggered=True)), np.random.default_rng(13)
    position = lab.rig.serving.layout.signals["rig.drive"].first
    lab.begin()
    lab.command(0.0)
    played = taken_over = 0
    for _ in range(steps):
        act, latch = random.random(), lab.rig.serving.state[LATCH]
        if act < 0.3:
            value = float(random.uniform(-0.01, 0.01))
            lab.command(value)
            assert lab.rig.serving.arena[position] in (value, 0.0)
        elif act < 0.8:
            before = lab.rig.serving.arena[position]
            lab.play_back(random)
            played += 1
            assert lab.rig.serving.arena[position] == before
            assert lab.rig.serving.state[LATCH] == latch
        elif act < 0.9:
            lab.take_over()
            taken_over += 1
        elif act < 0.95:
            lab.leave(0)
        else:
            lab.leave(TRIPPED)
        assert lab.rig.serving.counts["accepted"] == lab.accepted
    assert played > 0.4 * steps
    assert taken_over > 0.05 * steps
