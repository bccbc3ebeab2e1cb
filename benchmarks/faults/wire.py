"""Strangers on the wire, in lock step: packets played back, and a second controller.

A loop of plain Python sends its commands one by one, and the rig moves with each of them. Between
two of them somebody sends what he has recorded, changed or made up. The rig must stand where its
own loop has sent it, refuse everything else, and after a stall belong to nobody.
"""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from benchmarks.faults.plans import Sound
from benchmarks.faults.virtual import Outcome, Window
from rths.errors import InputError
from rths.hardware.base import Line
from rths.hardware.emulated.drive import RigSafety
from rths.hardware.wire.greeting import Welcome, pack_hello, unpack_welcome
from rths.hardware.wire.handshake import begin_session, refuse_unfit
from rths.hardware.wire.keyed_hash import PUBLIC
from rths.hardware.wire.layout import COMMAND, GOODBYE
from rths.hardware.wire.packet import Packet
from rths.hardware.wire.session import Session
from rths.hardware.wire.status import APPROACHING, LATCHED, SAFE
from rths.realtime.rig import Rig, Serving
from rths.registry import find

PATIENT = RigSafety(timeout=60.0, hold=0.0, rate=100.0)
"""A rig that waits for as long as lock step takes."""
HASTY = RigSafety(timeout=0.02, hold=0.0, rate=100.0)
"""A rig whose loop has stalled after 20 ms."""
PATIENCE = 20.0
"""s, for an answer on a busy machine."""
KEPT = ("integrator.target",)
TRIES = 20
"""Rigs that may go safe because this process had to wait for its turn."""
STEP = 1e-5
"""m, of a command of the loop; a stranger's is a thousand times as far."""


class Post:
    """A rig in this process, and everybody who writes to it."""

    def __init__(self, sound: Sound, safety: RigSafety) -> None:
        link = find("hardware", "udp")(port=0)
        test = replace(sound.test, hardware=link, guards=(), rig=None, safety=None, record=KEPT)
        self.line = Rig(test, safety, triggered=True).hardware.serve()
        self.serving = Serving(Rig(test, safety, triggered=True), self.line)
        port = int(self.line.where.rpartition(":")[2])
        self.test = test.with_values({"hardware.port": port})
        assert self.test.hardware is not None
        self.loop, self.stranger = self.test.hardware.open(), self.test.hardware.open()

    def close(self) -> None:
        """Close all wires."""
        for each in (self.loop, self.stranger, self.line):
            each.close()

    def greet(self, who: Line) -> Welcome:
        """Say hello, and hear who the rig is."""
        who.send(pack_hello(3, 0, 1, PUBLIC))
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            self.serving.advance(0.0005)
            data = who.receive()
            found = unpack_welcome(data, 3, PUBLIC) if data is not None else None
            if found is not None:
                return found
        raise TimeoutError("the rig does not answer")

    def begin(self, who: Line) -> Session:
        """Agree upon a session, if the rig wants one."""
        welcome = self.greet(who)
        refuse_unfit(welcome, "here")
        session = begin_session(who, welcome).session
        assert session is not None
        return session

    def send(self, who: Line, data: bytes) -> bool:
        """Send a packet and let the rig deal with it; tell whether it was accepted."""
        before = dict(self.serving.counts)
        who.send(data)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            self.serving.advance(0.0003)
            now = self.serving.counts
            if now["accepted"] + now["refused"] > before["accepted"] + before["refused"]:
                while who.receive() is not None:
                    pass
                return now["accepted"] > before["accepted"]
        raise TimeoutError("the rig does nothing")

    @property
    def position(self) -> float:
        """Where the actuator of the rig stands, m."""
        return float(self.serving.arena[self.serving.layout.signals["rig.drive"].first])


def packet(session: Session, sequence: int, value: float, flags: int = 0) -> bytes:
    """Make a command of a session."""
    values = ((value, 0.0, 0.0),)
    made = Packet(COMMAND, sequence, time.monotonic_ns(), session.number, values, flags)
    return made.pack(session.key)


def approach(post: Post, session: Session) -> tuple[int, list[bytes]]:
    """Let the loop send commands until the rig follows; give the last number, and what was sent."""
    sent = []
    for k in range(1, 1000):
        sent.append(packet(session, k, STEP))
        post.send(post.loop, sent[-1])
        if post.serving.status & LATCHED:
            break
        if not post.serving.status & (APPROACHING | SAFE):
            return k, sent
    raise TimeoutError("the rig does not follow")


def run_replay(sound: Sound, window: Window, seed: int) -> Outcome:
    """Play back what an earlier session and the present one sent, changed or as it was."""
    random, post, wrong = np.random.default_rng(seed), Post(sound, PATIENT), []
    try:
        first = post.begin(post.loop)
        last, recorded = approach(post, first)
        recorded += [packet(first, last + k, 1e3 * STEP) for k in range(1, 4)]
        post.send(post.loop, packet(first, last + 9, 0.0, GOODBYE))
        second = post.begin(post.loop)
        last, sent = approach(post, second)
        recorded += sent
        for _ in range(int(random.integers(5, 20))):
            wrong += _attack(post, recorded, random, STEP)
        last += 1
        if not post.send(post.loop, packet(second, last, 2 * STEP)):
            wrong.append("the loop is not heard any more")
        elif abs(post.position - 2 * STEP) > 1e-12:
            wrong.append("the rig does not follow its loop")
    finally:
        post.close()
    return _outcome("replay", wrong)


def _attack(
    post: Post, recorded: list[bytes], random: np.random.Generator, where: float
) -> list[str]:
    """Send one packet of a stranger, or of the loop's own past; list what came of it."""
    data = bytearray(recorded[random.integers(len(recorded))])
    way = random.integers(4)
    if way == 1:
        data[random.integers(len(data))] ^= 1 << random.integers(8)
    elif way == 2:
        data[8:16] = int(random.integers(1 << 40)).to_bytes(8, "little")  # a newer number
    elif way == 3:
        data = bytearray(random.bytes(len(data)))
    who = post.loop if random.random() < 0.5 else post.stranger
    found = ["a packet played back was accepted"] if post.send(who, bytes(data)) else []
    if abs(post.position - where) > 1e-12:
        found.append("a packet played back moved the rig")
    return found


def run_takeover(sound: Sound, window: Window, seed: int) -> Outcome:
    """Let a second controller try, while the loop is there and after it has stalled."""
    for _ in range(TRIES):
        with suppress(TimeoutError):
            return _outcome("takeover", take_over(sound, np.random.default_rng(seed)))
    return _outcome("takeover", ["the rig does not follow"])


def take_over(sound: Sound, random: np.random.Generator) -> list[str]:
    """List what a second controller achieved."""
    post, wrong = Post(sound, HASTY), []
    try:
        own = post.begin(post.loop)
        last, _ = approach(post, own)
        wrong += _try_session(post, random)
        end = time.monotonic() + PATIENCE
        while not (post.serving.status & LATCHED and post.serving.status & SAFE):
            post.serving.advance(0.002)
            if time.monotonic() > end:
                return ["a rig that hears nothing does not go safe"]
        for _ in range(int(random.integers(1, 5))):
            wrong += _try_session(post, random)
        post.send(post.loop, packet(own, last + 1, STEP))  # the loop is back, and is not followed
        if abs(post.position) > 1e-12:
            wrong.append("a rig that went safe moved")
        if not post.serving.status & LATCHED:
            wrong.append("the alarm went by itself")
    finally:
        post.close()
    return wrong


def _try_session(post: Post, random: np.random.Generator) -> list[str]:
    """Begin a session as a second controller would, with the key and a good number."""
    welcome = post.greet(post.stranger)
    found: list[Any] = []
    with suppress(InputError):
        refuse_unfit(welcome, "here")
        found.append("a second controller is not refused")
    session = begin_session(post.stranger, welcome).session
    assert session is not None
    if post.send(post.stranger, packet(session, 1, float(random.uniform(-1, 1)) * 1e3 * STEP)):
        found.append("a second controller is accepted")
    return found


def _outcome(fault: str, wrong: list[str]) -> Outcome:
    return {
        "faults": [fault], "reason": "refused", "guard": None, "after": None, "promised": None,
        "period": 0.0, "wrong": wrong,
    }  # fmt: skip
