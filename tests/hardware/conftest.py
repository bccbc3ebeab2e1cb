"""A link by itself, with a scripted other side: the same script for every kind of link."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
import uuid
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from rths.config.plan import dumps
from rths.hardware.base import Hardware, attach
from rths.hardware.wire.packet import MEASUREMENT, Packet, unpack
from rths.hardware.wire.policy import X
from rths.loop.block import Block
from rths.loop.cycle import Cycle
from rths.loop.layout import Layout
from rths.loop.row import ROW_BYTES
from rths.loop.site import Site
from rths.loop.solo import play
from rths.loop.table import table_of
from rths.loop.wiring import Owner, Wiring
from rths.realtime.arming import load_ask
from rths.registry import find

MAIN = "from rths.cli.main import main; main()"
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
        box = self.words[256:]
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

    fresh = to(command)
    late = [to(before).pack()] if before else []
    damaged = bytearray(fresh.pack())
    damaged[45] ^= 1
    return {
        "fresh": [fresh.pack()],
        "lost": [],
        "late": late,
        "late and fresh": [*late, fresh.pack()],
        "twice": [fresh.pack(), fresh.pack()],
        "damaged": [bytes(damaged)],
        "short": [fresh.pack()[:-8]],
        "long": [fresh.pack() + bytes(8)],
        "empty": [b""],
        "foreign": [replace(fresh, session=fresh.session ^ 1).pack()],
        "another number": [replace(fresh, sequence=fresh.sequence + 1).pack()],
        "earlier time": [replace(fresh, other_time=fresh.other_time - 1).pack()],
        "a command": [command.pack()],
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
        line = link.open()
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
            command = unpack(data) if data is not None else None
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
    block = link.block(Site(TICK, TICK, seed=3), np.zeros(m), scales)
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
    line = replace(link, port=wire.port).open()
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


@pytest.fixture
def replayed():
    """Give the run on a virtual clock in which the link does what it did in a record.

    Replies that the record misses are lost. ``moves`` tells how often a rig with a clock of its own
    moved between each command and the next; a rig that is triggered moves once.
    """

    def replay(test, missed, moves=None):
        h = test.tick
        gaps = np.flatnonzero(np.diff(np.r_[0, missed > 0, 0].astype(int)))
        lost = [f"loss=1@{(a - 0.5) * h:.17g}+{(b - a) * h:.17g}" for a, b in gaps.reshape(-1, 2)]
        late = 0 if moves is None else 1
        link = find("hardware", "simulated")(late=late, faults=tuple(lost))
        layout = test.with_values({"hardware": link}).live_layout
        cycle = Cycle(layout, h, "table")
        rows = np.empty((len(missed), len(layout.record_slots)))
        if moves is None:
            assert cycle.advance(len(rows), rows) == len(rows)
        else:
            by_its_own_clock(cycle, layout, rows, moves)
        return dict(zip(layout.recorded, columns(layout, rows), strict=True))

    return replay


def by_its_own_clock(cycle, layout, rows, moves):
    """Advance tick by tick; undo the rig's move of a tick, or let it move more often."""
    arena, labels = cycle.arena, [p.label for p in layout.placed]
    link, drive = labels.index("hardware.simulated"), labels.index("rig.drive")
    t = table_of(layout, arena, [p.block.kernel.address for p in layout.placed])
    asks = [t.rows.ctypes.data + ROW_BYTES * t.order.index(k) for k in range(drive, link)]
    own = [slice(p.x, p.x + p.nx) for p in layout.places[drive:link]]
    own += [span(s) for name, s in layout.signals.items() if name.startswith("rig.")]
    measured = layout.signals["rig.measured"]
    place = layout.places[link].x + X.kept + 6 * (measured.width // 4) + 1  # of simulated.py's ring
    ask = load_ask()
    for k, count in enumerate(moves):
        before = arena.copy() if count == 0 else None
        assert cycle.advance(1, rows[k : k + 1]) == 1
        for part in own if count == 0 else ():
            arena[part] = before[part]
        for row in asks * (count - 1):
            ask(row)
        newest = place + 1 + (1 - int(arena[place])) * measured.width
        arena[newest : newest + measured.width] = arena[span(measured)]
        arena[layout.places[drive].x + 2] = k + 1  # the rig's time, by which replies are lost


def span(signal):
    return slice(signal.first, signal.first + signal.width)


def columns(layout, rows):
    widths = [len(layout_slots(layout, n)) for n in layout.recorded]
    return np.split(rows, np.cumsum(widths)[:-1], axis=1)


def layout_slots(layout, name):
    s = layout.signals[name]
    return range(s.first, s.first + s.width)


class Process:
    """An emulated rig in a process of its own, its words as they come."""

    def __init__(self, test, folder: Path, *options: str) -> None:
        plan = folder / "rig.toml"
        plan.write_text(dumps(test))
        command = [sys.executable, "-c", MAIN, "rig", str(plan), "--seconds", "120", *options]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.said: list[tuple[float, str]] = []
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()
        port = self.until("ready at").partition("ready at ")[2].split(":")[1]
        self.test = test.with_values({"hardware.port": int(port)}) if port.isdigit() else test

    def _listen(self):
        for line in self.process.stdout:
            self.said.append((time.monotonic(), line.strip()))

    def until(self, words: str, seconds: float = 60.0, after: int = 0) -> str:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for _, line in self.said[after:]:
                if words in line:
                    return line
            time.sleep(0.005)
        raise AssertionError(f"the rig did not say {words!r} but {self.said}")

    def when(self, words: str, after: int = 0) -> float:
        return next(t for t, line in self.said[after:] if words in line)

    def end(self, how=signal.SIGINT):
        if self.process.poll() is None:
            self.process.send_signal(how)
        self.process.wait(20)
        self._thread.join(5)
        self.process.stdout.close()


@pytest.fixture
def rig_process(tmp_path):
    started = []

    def start(test, *options):
        started.append(Process(test, tmp_path, *options))
        return started[-1]

    yield start
    for each in started:
        each.end(signal.SIGKILL)
