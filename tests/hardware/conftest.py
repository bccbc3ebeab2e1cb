"""A link by itself, with a scripted other side: the same script for every kind of link."""

from __future__ import annotations

import threading
import time
import uuid
from dataclasses import dataclass, replace

import numpy as np
import pytest

from rths.hardware.base import Hardware, attach
from rths.hardware.wire.layout import MEASUREMENT
from rths.hardware.wire.medium import BOX
from rths.hardware.wire.packet import Packet, unpack
from rths.hardware.wire.session import Session
from rths.loop.block import Block
from rths.loop.cycle import Cycle
from rths.loop.layout import Layout
from rths.loop.solo import play
from rths.loop.wiring import Owner, Wiring
from rths.registry import find
from rths.site import Site

SESSION = Session(5 << 64 | 7, bytes(range(16)))
"""Number and key that link and script have agreed on."""
TICK, TIMEOUT, STIFFNESS = 1.0, 0.15, 100.0
"""A tick that is long for any machine: the compiled link itself is not paced here."""
NAMES = (
    "displacement",
    "velocity",
    "force",
    "status",
    "round_trip",
    "missed",
    "sequence",
    "refused",
)


class Wire:
    """The rig's end of a wire, as plain Python sees it."""

    def __init__(self, link: Hardware) -> None:
        if link.kind == "udp":
            self.line = link.serve()
            self.socket = self.line.kept
            self.socket.settimeout(0.05)
            self.port = self.socket.getsockname()[1]
        else:
            self.line = link.serve()
            self.words, self.seen = self.line.kept[1], 0

    def take(self) -> bytes | None:
        if hasattr(self, "socket"):
            try:
                data, self.peer = self.socket.recvfrom(4096)
            except TimeoutError:
                return None
            return data
        time.sleep(1e-4)
        count = int(self.words[0])
        if count & 1 or count == self.seen:
            return None
        data = self.words[2 : 2 + int(self.words[1]) // 8].tobytes()
        self.seen = count
        return data

    def give(self, data: bytes) -> None:
        if hasattr(self, "socket"):
            self.socket.sendto(data, self.peer)
            return
        data += bytes(-len(data) % 8)  # shared memory holds whole words
        box = self.words[BOX // 8 :]
        count = int(box[0]) | 1
        box[0], box[1] = count, len(data)
        box[2 : 2 + len(data) // 8] = np.frombuffer(data, np.int64)
        box[0] = count + 1
        time.sleep(2e-3)  # so that the reader sees each of several


def answers(action: str, command: Packet, before: Packet | None) -> list[bytes]:
    """Give what the other side sends at an action of the script."""

    def to(c: Packet) -> Packet:
        values = tuple((v[0], v[1], STIFFNESS * v[0], 2) for v in c.values)
        return Packet(MEASUREMENT, c.sequence, 7, c.session, values, 0, c.time)

    fresh, key = to(command), SESSION.key
    late = [to(before).pack(key)] if before else []
    damaged = bytearray(fresh.pack(key))
    damaged[45] ^= 1
    return {
        "fresh": [fresh.pack(key)],
        "lost": [],
        "late": late,
        "late and fresh": [*late, fresh.pack(key)],
        "twice": [fresh.pack(key), fresh.pack(key)],
        "damaged": [bytes(damaged)],
        "short": [fresh.pack(key)[:-8]],
        "long": [fresh.pack(key) + bytes(8)],
        "empty": [b""],
        "foreign": [replace(fresh, session=fresh.session ^ 1).pack(key)],
        "another half": [replace(fresh, session=fresh.session ^ 1 << 64).pack(key)],
        "another key": [fresh.pack(bytes(16))],
        "another number": [replace(fresh, sequence=fresh.sequence + 1).pack(key)],
        "earlier time": [replace(fresh, other_time=fresh.other_time - 1).pack(key)],
        "a command": [command.pack(key)],
    }[action]


@dataclass(frozen=True, eq=False)
class Bench:
    """A kind of link, and a way to run it against a script."""

    kind: str

    def link(self, **fields):
        if self.kind == "udp":
            fields["port"] = 0
        if self.kind == "shared_memory":
            fields["name"] = f"rths-test-{uuid.uuid4().hex}"
        fields.setdefault("timeout", TIMEOUT)
        return find("hardware", self.kind)(**fields)

    def run(self, script, commands=None, scales=((1.0, 1.0),), **fields):
        """Run a tick for each action; give what the link answered by name, and why it stopped."""
        commands = np.arange(1.0, len(script) + 1) if commands is None else commands
        commands = np.asarray(commands, float).reshape(len(script), -1)
        if self.kind == "simulated":
            return self._simulated(script, commands, scales, fields)
        link = self.link(**fields)
        wire = Wire(link)
        if link.kind == "udp":
            link = replace(link, port=wire.port)
        line = replace(link.open(), session=SESSION)
        over = threading.Event()
        rig = threading.Thread(target=self._answer, args=(wire, script, over))
        rig.start()
        try:
            return advance(link, commands, scales, line)
        finally:
            over.set()
            rig.join(5)
            line.close()
            wire.line.close()
            if link.kind == "shared_memory":
                link.remove()

    def _answer(self, wire, script, over):
        before = None
        while not over.is_set():
            data = wire.take()
            command = unpack(data, SESSION.key) if data is not None else None
            if command is None:
                continue
            for packet in answers(script[command.sequence - 1], command, before):
                wire.give(packet)
            before = command

    def _simulated(self, script, commands, scales, fields):
        faults = []
        for k, action in enumerate(script):
            if action in ("late", "lost"):
                name = "loss=1" if action == "lost" else "jitter=1e6"
                faults.append(f"{name}@{k * TICK}+{TICK}")
        link = self.link(faults=tuple(faults), **fields)
        at_rig = commands / np.array([s[0] for s in scales])
        time = np.arange(len(script))[:, None] * TICK
        zero = np.zeros_like(at_rig)
        rows = np.hstack([at_rig, zero, STIFFNESS * at_rig, zero + 2, time])
        return advance(link, rows, scales, link.open())


def advance(link, inputs, scales, line):
    m = len(scales)
    block = link.block(Site(TICK, TICK, key=(3,)), np.zeros(m), scales)
    w = Wiring()
    w.signal("inputs", inputs.shape[1])
    w.signal("outputs", block.outputs)
    source = Block(play, inputs.ravel(), 1, outputs=inputs.shape[1])
    w.place("inputs", source, [], "inputs")
    w.place(Owner("hardware", link.kind), block, ["inputs"], "outputs")
    return running(w, line, len(inputs), m)()


def running(w, line, ticks, m):
    """Give a function that runs some ticks of a wired link and tells what it answered."""
    layout = Layout.of(w, ["outputs"])
    cycle = Cycle(layout, TICK, "table")
    attach(line, layout, cycle.arena)
    rows = np.zeros((ticks, len(layout.record_slots)))
    ends = [m, 2 * m, 3 * m, 4 * m, 4 * m + 1, 4 * m + 2, 4 * m + 3]

    def run():
        parts = np.split(rows[: cycle.advance(ticks, rows)], ends, axis=1)
        found = {n: p[:, 0] if p.shape[1] == 1 else p for n, p in zip(NAMES, parts, strict=True)}
        return found, cycle.stop

    return run


@pytest.fixture
def listening():
    """Give a link that listens without a rig, the address it listens at and what can reach it."""
    link = Bench("udp").link(timeout=0.02)
    wire = Wire(link)
    line = replace(replace(link, port=wire.port).open(), session=SESSION)
    block = link.block(Site(TICK, TICK), np.zeros(1), ((1.0, 1.0),))
    w = Wiring()
    w.signal("inputs")
    w.signal("outputs", block.outputs)
    w.place(Owner("hardware", "udp"), block, ["inputs"], "outputs")
    yield line, wire.socket, running(w, line, 5, 1)
    line.close()
    wire.line.close()


ON_A_WIRE = [pytest.param(k, marks=pytest.mark.realtime) for k in ("udp", "shared_memory")]
"""Their replies must come within a time-out; the simulated link has a virtual clock."""


@pytest.fixture(params=[*ON_A_WIRE, "simulated"])
def bench(request):
    return Bench(request.param)


@pytest.fixture(params=ON_A_WIRE)
def wired(request):
    return Bench(request.param)
