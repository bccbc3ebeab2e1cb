"""The example of a rig in C does the duties of the wire format."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest

from rths.hardware.wire.layout import COMMAND, GOODBYE
from rths.hardware.wire.packet import Packet, unpack
from rths.hardware.wire.status import APPROACHING, RAMPING, SAFE, SILENCE

EXAMPLE = Path(__file__).parents[2] / "examples" / "rig.c"


def command(sequence, value=0.0, session=5, flags=0):
    return Packet(COMMAND, sequence, 77, session, ((value, 0.0, 0.0),), flags).pack()


class Example:
    """The rig in C, compiled, and a plain socket to it."""

    def __init__(self, folder: Path) -> None:
        program = folder / "rig"
        patient = "-DTIMEOUT=(3000 * MS)"  # no machine stands still for so long
        flags = ["-std=gnu11", "-O2", patient, "-o", program]
        subprocess.run(["cc", *flags, EXAMPLE, "-lm"], check=True)
        self.process = subprocess.Popen([program, "0", "1000"], stdout=subprocess.PIPE, text=True)
        port = int(self.process.stdout.readline().split(":")[1])
        self.wire = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.wire.connect(("127.0.0.1", port))
        self.wire.settimeout(10)

    def ask(self, sequence, *words, before=(), **more):
        """Give position and status that answer a command, and nothing that went before it."""
        for packet in before:
            self.wire.send(packet)
        self.wire.send(command(sequence, *words, **more))
        answer = unpack(self.wire.recv(4096))
        assert answer.sequence == sequence
        return answer.values[0][0], int(answer.values[0][3])

    def close(self):
        self.wire.close()
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
    refused = [
        command(sequence, 0.009), command(sequence + 9, 0.009, session=6),
        command(sequence + 9, np.nan), command(sequence + 9, 0.009)[:-1] + b"x", b"", b"RTHS",
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
    assert (position, status) == (0.0, SILENCE | SAFE)  # it came back, whatever was sent
    time.sleep(3.3)
    position, status = example.ask(1, 0.001, session=6)
    assert status == APPROACHING  # a new session begins anew
    assert position < 1e-4


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
