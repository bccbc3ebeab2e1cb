"""A disk that is full, what a run has noted, and a loop in lock step with a rig."""

from __future__ import annotations

import resource
import time
from pathlib import Path

import pytest

from rths.config.plan import load
from rths.hardware.wire.greeting import (
    Welcome,
    pack_hello,
    pack_release,
    read_text,
    unpack_welcome,
)
from rths.hardware.wire.keyed_hash import PUBLIC
from rths.hardware.wire.layout import COMMAND
from rths.hardware.wire.packet import Packet, unpack
from rths.realtime import rig_words
from rths.realtime.rig import Rig, Serving
from rths.run.run_directory import RunDirectory, read_json
from rths.safety.rig_file import RigFile
from rths.studies.wallace2005.three_ways import PLAN

LAB = """
[rig]
name = "wall"
{rig}
[actuator]
stroke = 0.1
velocity = 1.0
acceleration = 100.0
force = 1e4
{actuator}
"""


class FullDisk:
    """A disk that is full from now on: files of this process cannot grow any more."""

    def __enter__(self):
        self.before = resource.getrlimit(resource.RLIMIT_FSIZE)
        self.on = False
        return self

    def __call__(self, folder: Path) -> None:
        size = (folder / "journal").stat().st_size
        if not self.on and size > 5000:
            self.on = True
            resource.setrlimit(resource.RLIMIT_FSIZE, (size + 1000, self.before[1]))

    def __exit__(self, *error):
        resource.setrlimit(resource.RLIMIT_FSIZE, self.before)


@pytest.fixture
def full_disk():
    return FullDisk()


@pytest.fixture
def rig_file(tmp_path):
    def write(rig: str = "", actuator: str = "") -> RigFile:
        """Write the file of a laboratory's rig, with lines of its tables, and name it."""
        (tmp_path / "wall.toml").write_text(LAB.format(rig=rig, actuator=actuator))
        return RigFile(file=str(tmp_path / "wall.toml"))

    return write


@pytest.fixture(scope="session")
def states():
    def read(folder: Path) -> list[str]:
        """Give the states that a test went through."""
        return [event["state"] for event in read_json(RunDirectory(folder).events)]

    return read


class Commander:
    """A loop's end of a UDP wire in plain Python, in lock step with a rig."""

    def __init__(self, meet, test=None, **options) -> None:
        link = {"hardware.kind": "udp", "hardware.port": 0}
        self.meet, test = meet, test or load(PLAN, {**link, "clock.tick": 1 / 1024})
        rig = Rig(test, **options)
        self.line = rig.hardware.serve()
        self.serving = Serving(rig, self.line)
        self.test = test.with_values({"hardware.port": int(self.line.where.rpartition(":")[2])})
        self.opened = [self.test.hardware.open()]
        self.sessions = {}

    @property
    def wire(self):
        return self.opened[0].kept

    @property
    def identity(self) -> str:
        """Who the rig says it is."""
        words = self.serving.state[rig_words.IDENTITY : rig_words.LIMITS]
        return read_text(words.tobytes())

    def session(self, name):
        """Give the session of a name; it is agreed upon with the rig when it is named first."""
        if name not in self.sessions:
            self.sessions[name] = self.meet(self.opened[0], self.serving).session
        return self.sessions[name]

    def open(self):
        """Open another wire to the same rig."""
        self.opened.append(self.test.hardware.open())
        return self.opened[-1].kept

    def send(self, data: bytes, wire=None) -> bytes | None:
        """Send bytes, let the rig work, and give what it answers."""
        wire = wire or self.wire
        wire.settimeout(0.02)
        before, end = self.taken, time.monotonic() + 5.0
        wire.send(data)
        while self.taken == before and time.monotonic() < end:
            self.serving.advance(0.002)
        for _ in range(3):  # a busy machine may part the rig between taking and answering
            try:
                return wire.recv(4096)
            except TimeoutError:
                self.serving.advance(0.002)
        return None

    @property
    def taken(self) -> int:
        counts = self.serving.counts
        return counts["accepted"] + counts["refused"]

    def packet(self, sequence, value=0.0, session=5, flags=0) -> bytes:
        own = self.session(session)
        values = ((value, 0.0, 0.0),)
        return Packet(COMMAND, sequence, 77, own.number, values, flags).pack(own.key)

    def command(self, sequence, value=0.0, session=5, flags=0, wire=None):
        data = self.send(self.packet(sequence, value, session, flags), wire)
        return None if data is None else unpack(data, self.session(session).key)

    def serve_until(self, bits, seconds=20.0):
        """Let the rig work until its status has one of the bits."""
        end = time.monotonic() + seconds
        while not self.serving.status & bits:
            assert time.monotonic() < end, "the rig did not get there"
            self.serving.advance(0.005)

    def welcome(self, key=PUBLIC) -> Welcome:
        """Say hello to the rig, and give its answer."""
        self.wire.send(pack_hello(3, 0, 1, key))
        return self.answer_to(3, key)

    def answer_to(self, nonce, key=PUBLIC) -> Welcome:
        """Let the rig work until it has answered a hello or a release."""
        self.wire.settimeout(0.0)
        for _ in range(1000):
            self.serving.advance(0.002)
            try:
                return unpack_welcome(self.wire.recv(4096), nonce, key)
            except BlockingIOError:
                continue
        raise AssertionError("the rig does not answer")

    def release(self, challenge, latch, texts=("A", "", "it stalled")) -> Welcome:
        """Release the latch of the rig, as a person would, and give its answer."""
        self.wire.send(pack_release(challenge, latch, 1, texts, PUBLIC))
        return self.answer_to(challenge)

    def close(self):
        for each in (*self.opened, self.line):
            each.close()


@pytest.fixture
def commander(meet):
    made = []

    def make(*test, **options):
        made.append(Commander(meet, *test, **options))
        return made[-1]

    yield make
    for each in made:
        each.close()
