"""The example of a rig in C does the duties of the wire format."""

from __future__ import annotations

import shutil
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest

from rths.errors import InputError
from rths.hardware.wire.greeting import AT_REST
from rths.hardware.wire.handshake import begin_session, greet, refuse_unfit
from rths.hardware.wire.key_file import write_key
from rths.hardware.wire.layout import COMMAND, GOODBYE, RELEASE_PRESSURE, TRIPPED
from rths.hardware.wire.packet import Packet, unpack
from rths.hardware.wire.session import new_session
from rths.hardware.wire.status import (
    APPROACHING,
    LATCHED,
    PRESSURE,
    RAMPING,
    SAFE,
    SILENCE,
    STANDING,
)
from rths.realtime.acknowledgement import Acknowledgement
from rths.realtime.meeting import release_rig
from rths.registry import find

EXAMPLE = Path(__file__).parents[2] / "examples" / "rig.c"


class Example:
    """The rig in C, compiled, and a plain wire to it."""

    def __init__(self, folder: Path) -> None:
        program, key = folder / "rig", folder / "rig.key"
        write_key(key)
        patient = "-DTIMEOUT=(3000 * MS)"  # no machine stands still for so long
        flags = ["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", patient, "-o", program]
        subprocess.run(["cc", *flags, EXAMPLE, "-lm"], check=True)
        command = [program, "0", "1000", "1", key]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        port = int(self.process.stdout.readline().split(":")[1])
        self.hardware = find("hardware", "udp")(port=port, key=str(key))
        self.begin()
        self.first = self.line

    def begin(self):
        """Begin another session, as the rig allows it."""
        opened = self.hardware.open()
        self.welcome = greet(opened, "here", 1)
        self.line = begin_session(opened, self.welcome)
        self.line.kept.settimeout(10)

    def packet(self, sequence, value=0.0, flags=0, session=None):
        own = session or self.line.session
        values = ((value, 0.0, 0.0),)
        return Packet(COMMAND, sequence, 77, own.number, values, flags).pack(own.key)

    def ask(self, sequence, *words, before=(), **more):
        """Give position and status that answer a command, and nothing that went before it."""
        for packet in before:
            self.line.send(packet)
        self.line.send(self.packet(sequence, *words, **more))
        answer = unpack(self.line.kept.recv(4096), self.line.session.key)
        assert answer.sequence == sequence
        return answer.values[0][0], int(answer.values[0][3])

    def close(self):
        self.line.close()
        self.first.close()
        self.process.kill()
        self.process.wait(10)
        self.process.stdout.close()


@pytest.fixture
def example(tmp_path):
    made = Example(tmp_path)
    yield made
    made.close()


needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")


@needs_compiler
@pytest.mark.realtime
def test_the_example_in_c_does_the_duties_of_a_rig(example):
    sequence, seen, sent, came = 0, [(0.0, APPROACHING)], [], []
    while seen[-1][1] & APPROACHING:  # slowly at first
        sequence += 1
        sent.append(time.monotonic())
        seen.append(example.ask(sequence, 0.002))
        came.append(time.monotonic())
        time.sleep(0.001)
    position = np.array([p for p, _ in seen])
    assert position[1] <= 0.01 * 0.002  # the safe rate for 2 ms, its longest step
    assert (np.diff(position[1:]) <= 0.01 * np.subtract(came[1:], sent[:-1])).all()
    assert position[-1] == 0.002
    stranger = new_session(bytes(16), example.welcome.challenge, example.line.session.number)
    refused = [
        example.packet(sequence, 0.009), example.packet(sequence + 9, 0.009, session=stranger),
        example.packet(sequence + 9, np.nan), example.packet(sequence + 9, 0.009)[:-1] + b"x",
        b"", b"RTHS",
    ]  # fmt: skip
    assert example.ask(sequence + 1, 0.005, before=refused) == (0.005, 0)  # then at any rate
    time.sleep(3.3)  # longer than its time-out
    position, status = example.ask(sequence + 2, -0.005)
    assert status & SILENCE
    assert 0.0 <= position <= 0.005  # it does not follow: it holds, and then it returns
    end = time.monotonic() + 20
    while not status & SAFE and time.monotonic() < end:
        sequence += 1
        position, status = example.ask(sequence + 2, 0.005)
        time.sleep(0.01)
    assert (position, status) == (0.0, SILENCE | LATCHED | SAFE)  # it came back, whatever was sent
    with pytest.raises(InputError, match="latched"):
        refuse_unfit(greet(example.line, "here", 1), "here")
    who = Acknowledgement("A. Tester", "waited for too long")
    assert "released latch 1" in release_rig(example.hardware, 1, who)
    assert example.process.stdout.readline() == "released by A. Tester: waited for too long\n"
    example.begin()
    position, status = example.ask(1, 0.001)
    assert status == APPROACHING  # a new session begins anew
    assert position < 1e-4


@needs_compiler
@pytest.mark.realtime
def test_the_example_in_c_refuses_an_earlier_session_another_sender_and_a_second_controller(
    example,
):
    recorded = example.packet(1, 0.004)
    example.line.send(recorded)
    example.line.kept.recv(4096)
    with pytest.raises(InputError, match="moved by another loop"):
        refuse_unfit(greet(example.line, "here", 1), "here")
    other = example.hardware.open()
    other.kept.settimeout(0.2)
    other.send(example.packet(2, 0.004))  # the right key from another address
    with pytest.raises(TimeoutError):
        other.kept.recv(4096)
    other.close()
    assert example.ask(2, flags=GOODBYE | TRIPPED)[1] & LATCHED
    while not greet(example.line, "here", 1).state & AT_REST:
        time.sleep(0.01)
    release_rig(example.hardware, 1, Acknowledgement("A. Tester", "told it to"))
    example.line.send(recorded)
    example.line.kept.settimeout(0.2)
    with pytest.raises(TimeoutError):
        example.line.kept.recv(4096)


@needs_compiler
@pytest.mark.realtime
def test_the_example_in_c_stays_where_it_is_without_oil(example):
    example.ask(1, 0.0)
    assert example.ask(2, 0.002) == (0.002, 0)
    assert example.ask(3, 0.001, flags=RELEASE_PRESSURE) == (0.002, PRESSURE | LATCHED | STANDING)
    assert example.ask(4, 0.001) == (0.002, PRESSURE | LATCHED | STANDING)


@needs_compiler
@pytest.mark.realtime
def test_the_example_in_c_returns_and_ends_after_a_goodbye(example):
    for k in range(1, 4):
        example.ask(k, 0.0)
    assert example.ask(4, 0.002) == (0.002, 0)
    position, status = example.ask(5, 0.009, flags=GOODBYE)
    assert 0.0015 < position <= 0.002  # what a goodbye says is not followed, and it does not jump
    assert status == RAMPING
    assert example.process.wait(20) == 0
