"""What is no silence of the loop, and no jump: times at which the rig itself was away."""

from __future__ import annotations

import os
import time

import pytest

from rths.config.plan import load
from rths.hardware.emulated.drive import RigSafety
from rths.hardware.wire.layout import COMMAND
from rths.hardware.wire.packet import Packet
from rths.hardware.wire.status import BEYOND, LATCHED, SILENCE
from rths.realtime import rig_words
from rths.realtime.rig import Rig, Serving
from rths.studies.wallace2005.three_ways import PLAN

QUICK = RigSafety(timeout=0.1, hold=0.0, rate=10.0)
PATIENT = RigSafety(timeout=60.0, rate=10.0)


def test_a_rig_that_was_away_itself_goes_safe_by_silence_and_finds_no_jump(commander):
    away = 0.6 * rig_words.PAST * 1e-9
    own = RigSafety(timeout=1.2 * away, rate=10.0)  # no two commands are as far apart
    rig = commander(safety=own, limits=((0.1, 1.0, 100.0, 1e4),))
    for k in range(1, 6):
        assert rig.command(k)
    for k in (6, 7):  # as if it was stopped, while the loop went on
        time.sleep(away)
        rig.wire.send(rig.packet(k, 0.04 * (k - 5)))
    for _ in range(4000):  # 20 s at most
        if rig.serving.status & LATCHED:
            break
        rig.serving.advance(0.005)
    assert rig.serving.status & SILENCE
    assert not rig.serving.status & BEYOND


@pytest.mark.parametrize("triggered", [False, True])
def test_a_rig_that_was_away_before_a_session_takes_that_for_no_silence_of_it(commander, triggered):
    rig = commander(safety=QUICK, triggered=triggered)
    first = rig.packet(1)
    rig.serving.advance(0.002)
    time.sleep(1.1 * rig_words.PAST * 1e-9)  # as if it was stopped
    rig.wire.send(first)
    time.sleep(0.01)  # it waits when the rig comes back
    while rig.taken == 0:
        rig.serving.advance(0.002)
    assert not rig.serving.status & LATCHED


def test_a_triggered_rig_that_missed_commands_finds_no_jump_in_the_next(commander):
    rig = commander(safety=PATIENT, triggered=True, limits=((0.1, 1.0, 100.0, 1e4),))
    for k in range(1, 6):
        assert rig.command(k)
    time.sleep(0.05)
    assert rig.command(50, 0.04).values[0][3] == 0  # less than 1 m/s
    assert int(rig.command(51, 0.11).values[0][3]) & BEYOND  # a limit that no gap widens


def test_a_clock_that_jumps_is_no_silence_of_the_loop(meet):
    """A time of arrival is by a clock that can be set; in shared memory the sender tells it."""
    name = f"rths-test-{os.getpid()}-jump"
    wire = {"hardware.kind": "shared_memory", "hardware.name": name, "clock.tick": 1 / 1024}
    rig = Rig(load(PLAN, wire), RigSafety(timeout=0.9, rate=10.0))
    own, opened = rig.hardware.serve(), rig.hardware.open()
    serving = Serving(rig, own)
    session = meet(opened, serving).session
    for number, sent in ((1, time.monotonic_ns()), (2, 0), (3, time.monotonic_ns())):
        command = Packet(COMMAND, number, sent, session.number, ((0.0, 0.0, 0.0),))
        opened.send(command.pack(session.key))
        serving.advance(0.005)
    assert serving.counts["accepted"] == 3
    assert not serving.status & (SILENCE | LATCHED)
    opened.close()
    own.close()
    rig.hardware.remove()
