"""Loop, supervisor or rig killed while all run: no sample is lost, and the others are safe."""

from __future__ import annotations

import json
import os
import signal
import socket
import struct
import subprocess
import sys
import threading
import time
import tomllib
from math import inf
from pathlib import Path

import numpy as np
import pytest

from rths.config.plan import dumps, load
from rths.errors import InputError
from rths.hardware.wire.greeting import pad_text
from rths.hardware.wire.keyed_hash import PUBLIC
from rths.hardware.wire.layout import GOODBYE, HELLO, MEASUREMENT, WELCOME, first_word
from rths.hardware.wire.packet import HEADER, Packet, close, join_number, unpack
from rths.hardware.wire.session import session_key
from rths.hardware.wire.status import APPROACHING
from rths.realtime.acknowledgement import Acknowledgement
from rths.realtime.control_words import ControlWord
from rths.realtime.journal import read_journal
from rths.realtime.meeting import release_rig
from rths.realtime.recovery import recover
from rths.realtime.ring import SharedRing
from rths.realtime.supervisor import run_realtime
from rths.records.hdf5 import read
from rths.safety.phase import RAMPING_OUT
from rths.studies.wallace2005.three_ways import PLAN

pytestmark = pytest.mark.realtime

RUN = """
import sys
from pathlib import Path
from rths.config.plan import load
from rths.realtime.supervisor import run_realtime
run_realtime(load(sys.argv[1]), Path(sys.argv[2]))
"""
TICK, RATE = 1 / 1024, 0.05
TIMEOUT, MISSED = 0.5, 500
"""Silence that loop and rig bear: on a shared machine the other must wait for its turn."""
LOOK, BUSY = 0.05, 0.5
"""Seconds between two looks of the rig's process at itself, and what a busy machine may add."""


def planned():
    given = {
        "clock.tick": TICK, "clock.duration": 60.0, "safety": {"rate": RATE, "hold": 0.02},
        "hardware": {"kind": "udp", "port": 0, "missed": MISSED}, "rig": {"file": "emulated"},
    }  # fmt: skip
    return load(PLAN, given)


class Run:
    """A live test: supervisor and loop in processes of their own, its ring looked at from here."""

    def __init__(self, test, folder: Path) -> None:
        self.test, self.folder = test, folder
        plan = folder.with_suffix(".toml")
        plan.write_text(dumps(test))
        self.supervisor = subprocess.Popen([sys.executable, "-c", RUN, str(plan), str(folder)])
        self.ring = self._ring()
        while self.ring.read(ControlWord.WRITTEN) == 0:
            assert self.supervisor.poll() is None
            time.sleep(0.002)

    def _ring(self) -> SharedRing:
        end = time.monotonic() + 60.0
        while time.monotonic() < end:
            time.sleep(0.01)
            if (self.folder / "journal").exists() and (self.folder / "realtime.json").exists():
                about = json.loads((self.folder / "realtime.json").read_text())
                return SharedRing.attach(Path(about["ring"]), about["width"])
        raise AssertionError("the run did not begin")

    @property
    def loop(self) -> int | None:
        """Number of the loop's process, while it lives."""
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    words = (entry / "cmdline").read_bytes().split(b"\0")
                except OSError:
                    continue
                if b"rths.realtime.loop_process" in words and str(self.folder).encode() in words:
                    return int(entry.name)
        return None

    def ended(self) -> None:
        """Wait until nothing of it lives."""
        self.supervisor.wait(30)
        end = time.monotonic() + 30.0
        while self.loop is not None:
            assert time.monotonic() < end, "the loop goes on"
            time.sleep(0.01)

    def record(self):
        """Give the record, recovered if need be; every row that the loop ever put is in it."""
        taken = self.ring.read(ControlWord.WRITTEN)
        last = self.ring.rows[(taken - 1) % len(self.ring.rows)].copy()
        assert self.ring.read(ControlWord.LOST) == 0
        if not (self.folder / "record.h5").exists():
            recover(self.folder)
        record = read(self.folder / "record.h5")
        _, rows = read_journal(self.folder / "journal")
        assert np.array_equal(rows[:, 0], np.arange(len(rows)))
        assert len(record.rows) == taken
        assert np.array_equal(record.rows[-1], last[3:])
        return record


def safe_after_the_trip(record, guard):
    """Check that a trip is named, and that the command then braked and never moved too fast."""
    assert record.stop.reason == "trip"
    assert record.stop.guard == guard
    left = int(np.argmax(record["safety.phase"][:, 0] >= RAMPING_OUT))
    steps = np.diff(record["safety.command"][left - 2 :, 0])
    slowing = record_acceleration(record) * TICK**2
    assert np.abs(np.diff(steps)).max(initial=0.0) <= slowing * (1 + 1e-9)
    braked = 2 + int(abs(steps[0]) / slowing)
    assert np.abs(steps[braked:]).max(initial=0.0) <= RATE * TICK * (1 + 1e-12)
    assert record["safety.command"][-1, 0] == 0.0


def record_acceleration(record):
    """Give the acceleration of the rig that a record has kept."""
    return tomllib.loads(record.files["rig.file"].decode())["actuator"]["acceleration"]


def kill_the_loop(rig, folder, after):
    run = Run(rig.test, folder)
    time.sleep(after)
    before = len(rig.said)
    assert run.loop is not None
    os.kill(run.loop, signal.SIGKILL)
    killed = time.monotonic()
    run.ended()
    heard = rig.until("time-out", after=before)
    assert rig.when("time-out", after=before) - killed < TIMEOUT + LOOK + BUSY, heard
    rig.until("time-out, at the safe position", after=before)
    assert run.record().stop.reason == "killed"


def kill_the_supervisor(rig, folder, after):
    run = Run(rig.test, folder)
    time.sleep(after)
    before = len(rig.said)
    run.supervisor.kill()
    run.ended()
    safe_after_the_trip(run.record(), "heartbeat")
    rig.until("at the safe position", after=before)
    assert not any("time-out" in words for _, words in rig.said[before:])  # it was said goodbye


def kill_the_rig(rig, folder, after):
    run = Run(rig.test, folder)
    time.sleep(after)
    rig.end(signal.SIGKILL)
    run.ended()
    safe_after_the_trip(run.record(), "link_lost")


ALL = {"loop": kill_the_loop, "supervisor": kill_the_supervisor, "rig": kill_the_rig}


def check_kills(who, times, rig_process, folder):
    random = np.random.default_rng(len(who))
    rig = None
    for k in range(times):
        if rig is None or who == "rig":
            options = ("--timeout", str(TIMEOUT), "--safe-rate", "1.0", "--seconds", "3600")
            rig = rig_process(planned(), *options)
        ALL[who](rig, folder / f"run{k}", float(random.uniform(0.0, 0.5)))
        if who != "rig":  # it has latched itself, and so is its latch in the state folder
            with pytest.raises(InputError, match="latched"):
                run_realtime(rig.test, folder / f"refused{k}")
            release_rig(rig.test.hardware, 1, Acknowledgement("a tester", f"killed the {who}"))


@pytest.mark.parametrize("who", ALL)
def test_whoever_is_killed_no_sample_is_lost_and_the_others_are_safe(who, rig_process, tmp_path):
    check_kills(who, 2, rig_process, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("who", ALL)
def test_a_hundred_kills_lose_no_sample_and_leave_the_others_safe(who, rig_process, tmp_path):
    check_kills(who, 100, rig_process, tmp_path)


class Approaching:
    """A rig that is for ever on its way to the first command; it keeps what it was sent."""

    def __init__(self) -> None:
        self.wire = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.wire.bind(("127.0.0.1", 0))
        self.wire.settimeout(0.1)
        self.heard, self._over = [], threading.Event()
        self._thread = threading.Thread(target=self._answer)
        self._thread.start()

    def _answer(self) -> None:
        while not self._over.is_set():
            try:
                data, peer = self.wire.recvfrom(4096)
            except TimeoutError:
                continue
            head = HEADER.unpack_from(data)
            number = join_number(*head[3:5])
            if head[0] == first_word(HELLO, 1):
                own = HEADER.pack(first_word(WELCOME, 1), 0, 1, *head[3:5], 0, head[2])
                body = pad_text("for ever on its way", 64) + bytes(6 * 8)
                body += struct.pack("<4d", *[inf] * 4)
                self.wire.sendto(close(own + body, PUBLIC), peer)
                continue
            key = session_key(PUBLIC, 0, number)
            c = unpack(data, key)
            self.heard.append(c)
            values = ((0.0, 0.0, 0.0, APPROACHING),)
            answer = Packet(MEASUREMENT, c.sequence, 1, number, values, 0, c.time)
            self.wire.sendto(answer.pack(key), peer)

    def close(self) -> None:
        self._over.set()
        self._thread.join(5)
        self.wire.close()


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_a_test_that_is_given_up_while_arming_leaves_no_loop_and_says_goodbye(tmp_path, how):
    rig = Approaching()
    test = planned().with_values({"hardware.port": rig.wire.getsockname()[1]})
    plan, folder = tmp_path / "run.toml", tmp_path / "run"
    plan.write_text(dumps(test))
    heard = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    supervisor = subprocess.Popen([sys.executable, "-c", heard + RUN, str(plan), str(folder)])
    try:
        end = time.monotonic() + 30
        while len(rig.heard) < 5 and time.monotonic() < end:
            time.sleep(0.01)
        supervisor.send_signal(how)
        supervisor.wait(20)
        while not rig.heard[-1].flags & GOODBYE and time.monotonic() < end:
            time.sleep(0.01)
        assert rig.heard[-1].flags & GOODBYE
        assert {c.values[0][0] for c in rig.heard} == {0.0}
        count = len(rig.heard)
        time.sleep(0.3)
        assert len(rig.heard) == count  # nobody speaks to it any more
        about = json.loads((folder / "realtime.json").read_text())
        assert not Path(about["ring"]).exists()
        assert not (folder / "journal").exists()
    finally:
        rig.close()
