"""The emulated rig at the other end of a wire: it takes what it must and nothing else."""

from __future__ import annotations

import os
import threading
import time
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from rths.config.plan import load
from rths.errors import InputError
from rths.hardware.base import attach, send_goodbye
from rths.hardware.emulated.drive import RigSafety
from rths.hardware.emulated.fault import parse_fault
from rths.hardware.wire.layout import COMMAND, GOODBYE, RELEASE_PRESSURE, TO_FLAGS, TRIPPED
from rths.hardware.wire.packet import Packet, unpack
from rths.hardware.wire.policy import session_place
from rths.hardware.wire.session import WORDS as SESSION_WORDS
from rths.hardware.wire.status import RAMPING, SAFE, SILENCE
from rths.loop.cycle import Cycle
from rths.realtime.rig import Rig, Serving
from rths.realtime.rig_words import DUE
from rths.registry import find
from rths.run.virtual import simulate
from rths.studies.wallace2005.three_ways import PLAN

pytestmark = pytest.mark.realtime  # replies must come within their time-out


def planned(kind="udp", rate=1024, duration=0.5, **fields):
    changes = {f"hardware.{k}": v for k, v in fields.items()}
    if kind == "udp":
        changes.setdefault("hardware.port", 0)
    if kind == "shared_memory":
        changes["hardware.name"] = f"rths-test-{os.getpid()}"
    clock = {"clock.tick": 1 / rate, "clock.duration": duration}
    return load(PLAN, {"hardware.kind": kind, **clock, **changes})


def at(test, where: str):
    """Give the test with the port at which its rig was found."""
    port = where.rpartition(":")[2]
    return test.with_values({"hardware.port": int(port)}) if port.isdigit() else test


class Ready:
    """A cycle whose link is attached to its wire."""

    def __init__(self, test, meet, serving) -> None:
        self.layout = test.live_layout
        self.cycle = Cycle(self.layout, test.tick, "table")
        self.line = meet(test.hardware.open(), serving)
        attach(self.line, self.layout, self.cycle.arena)

    def run(self, ticks):
        rows = np.empty((ticks, len(self.layout.record_slots)))
        done = self.cycle.advance(ticks, rows)
        first, found = 0, {}
        for name in self.layout.recorded:
            width = self.layout.signals[name].width
            found[name] = rows[:done, first : first + width]
            first += width
        return found


@pytest.mark.parametrize("kind", ["udp", "shared_memory"])
def test_a_triggered_rig_gives_the_numbers_of_the_rehearsal_bit_for_bit(kind, meet):
    # a slow structure and a tick of 1 s, which is not waited for: time even on a busy machine
    slow = {"structure.mass": 45e3, "excitation.frequency": 0.01, "hardware.timeout": 0.9}
    test = planned(kind).with_values({"tick": 1.0, "duration": 128.0, **slow})
    rig = Rig(test, RigSafety(timeout=60.0), triggered=True)
    line = rig.hardware.serve()
    serving, over = Serving(rig, line), threading.Event()
    loop = Ready(at(test, line.where), meet, serving)

    def work():
        while not over.is_set():
            serving.advance(0.02)

    thread = threading.Thread(target=work)
    thread.start()
    got = loop.run(test.clock.ticks)
    over.set()
    thread.join(5)
    loop.line.close()
    line.close()
    if kind == "shared_memory":
        test.hardware.remove()
    assert serving.counts["accepted"] == test.clock.ticks
    assert not got["hardware.missed"].any()
    assert not got["hardware.status"].any()
    expected = simulate(test)
    for name in ("integrator.target", "compensator.command", "feedback.force"):
        assert_array_equal(got[name], expected[name])


def served_until(serving: Serving, bits: int, seconds: float = 20.0) -> None:
    """Let a rig work until its status has some bits; how soon is judged on a virtual clock."""
    end = time.monotonic() + seconds
    while not serving.status & bits:
        assert time.monotonic() < end, "the rig did not get there"
        serving.advance(0.02)


def test_an_answer_repeats_what_it_answers(commander):
    rig = commander()
    answer = rig.command(1)
    number = rig.session(5).number
    assert (answer.sequence, answer.session, answer.other_time) == (1, number, 77)


def test_the_rig_refuses_old_numbers_other_sessions_and_numbers_that_are_none(commander):
    rig = commander(safety=RigSafety(timeout=5.0))
    assert rig.command(3)
    assert rig.command(3) is None
    assert rig.command(2) is None
    assert rig.command(9, session=6) is None
    assert rig.send(Packet(COMMAND, 9, 77, 0, ((0.0, 0.0, 0.0),)).pack()) is None
    assert rig.command(9, value=np.nan) is None
    assert rig.command(9, value=np.inf) is None
    assert rig.command(4)
    assert rig.serving.counts["accepted"] == 2
    assert rig.serving.counts["refused"] == 6


@pytest.mark.parametrize("triggered", [False, True])
def test_without_commands_the_rig_is_safe_within_its_timeout(commander, triggered):
    safety = RigSafety(timeout=0.05, hold=0.02, rate=1.0)
    rig = commander(safety=safety, triggered=triggered)
    for k in range(1, 6):
        rig.command(k, value=0.002)
    assert rig.serving.counts["accepted"] == 5
    served_until(rig.serving, SILENCE)
    served_until(rig.serving, SAFE)
    answer = rig.command(9, value=0.002)  # the loop is told, and not followed
    assert int(answer.values[0][3]) & SILENCE


def test_random_bytes_never_move_the_rig(commander):
    rig, random = commander(), np.random.default_rng(2)
    good = rig.packet(1, 0.01)
    sent = 0
    for k in range(20_000):
        data = bytearray(good if k % 2 else random.bytes(int(random.integers(0, 200))))
        if k % 2:
            data[int(random.integers(len(data)))] ^= int(random.integers(1, 256))
        rig.wire.send(data)
        sent += 1
        if sent % 50 == 0:
            rig.serving.advance(0.0015)
    rig.serving.advance(0.5)
    assert rig.serving.counts["accepted"] == 0
    assert rig.serving.counts["refused"] > 0.5 * sent  # a full socket drops some
    assert rig.serving.status == SAFE
    assert rig.command(1)


def test_faults_of_the_wire_drop_and_delay_answers(commander):
    rig = commander(faults=(parse_fault("loss=1@0+1000"),))
    assert rig.command(1) is None
    assert rig.serving.counts["dropped"] == 1
    late = commander(faults=(parse_fault("jitter=0.03"),))
    begun = time.perf_counter()
    for k in range(1, 9):
        assert late.command(k)
    assert time.perf_counter() - begun > 0.05  # eight times 15 ms on average


@pytest.mark.parametrize("fast", [1.0, 0.05, -0.3])
def test_a_rig_moves_by_its_own_clock_however_late_it_comes_to_it(commander, fast):
    rig = commander(faults=(parse_fault(f"clock={fast}"),))
    period = 1 / 1024 / (1 + fast)
    first = rig.serving.state[DUE]
    time.sleep(0.2)  # nobody serves it, and yet it has moved
    rig.serving.advance(0.2)
    passed = 1e-9 * (rig.serving.state[DUE] - first)
    assert rig.serving.counts["moved"] == round(passed / period)
    assert passed >= 0.4
    assert rig.serving.counts["slips"] == 0


def test_beyond_a_second_of_absence_ticks_slip_and_are_counted(commander):
    rig = commander()
    rig.serving.state[DUE] -= 3_000_000_000
    rig.serving.advance(0.05)
    counts = rig.serving.counts
    assert counts["slips"] >= 2 * 1024
    assert counts["moved"] <= 1.5 * 1024  # a second and what it was served


def test_commands_and_ticks_happen_in_the_order_of_their_times(commander):
    at_once = planned().with_values({"transfer": find("transfer", "dead_time")(delay=0.0)})
    rig = commander(at_once, safety=RigSafety(timeout=5.0, rate=50.0), rate=200.0)
    values = [0.001, 0.002, -0.001, 0.003, 0.001]
    for k, value in enumerate(values, 1):  # none is served before all are sent
        rig.wire.send(rig.packet(k, value))
        time.sleep(0.02)
    rig.serving.advance(0.01)
    answers = [unpack(rig.wire.recv(4096), rig.session(5).key) for _ in values]
    assert [a.sequence for a in answers] == [1, 2, 3, 4, 5]
    assert [a.values[0][0] for a in answers] == [values[0], *values[:-1]]  # only the first at once


def test_a_rig_that_is_slower_than_its_loop_keeps_its_clock(commander):
    """Commands come ten in a tick of the rig: none of them is early, and sets its clock."""
    rig = commander(safety=RigSafety(timeout=60.0), rate=100.0)
    own, apart = rig.session(5), 1_000_000
    for k in range(1, 301):  # none is served before all are sent
        values = ((0.0, 0.0, 0.0),)
        rig.wire.send(Packet(COMMAND, k, 0, own.number, values, 0, apart).pack(own.key))
        time.sleep(1e-9 * apart)
    before, first = rig.serving.counts["moved"], rig.serving.state[DUE]
    rig.serving.advance(0.01)
    passed = 1e-9 * (rig.serving.state[DUE] - first)
    assert rig.serving.counts["accepted"] > 10
    assert abs(rig.serving.counts["moved"] - before - passed * 100.0) < 3  # first command, phase


def test_goodbye_lets_the_rig_return(meet):
    test = planned()
    rig = Rig(test, RigSafety(timeout=5.0, rate=1.0))
    line = rig.hardware.serve()
    serving = Serving(rig, line)
    loop = Ready(at(test, line.where), meet, serving)
    loop.run(3)
    while serving.status:  # the commands wait in the socket
        serving.advance(0.02)
    send_goodbye(loop.line, loop.layout, loop.cycle.arena)
    served_until(serving, SAFE)
    assert serving.status == SAFE
    loop.line.close()
    line.close()


def test_a_goodbye_repeats_what_was_sent_and_not_what_is_calculated(meet):
    test = planned()
    line = Rig(test).hardware.serve()
    loop = Ready(at(test, line.where), meet, Serving(Rig(test), line))
    loop.run(200)
    command = loop.layout.signals["compensator.command"].first
    sent = loop.cycle.arena[command]
    loop.cycle.arena[command] = np.nan  # what a test that has tripped may calculate
    packets = []
    leaving = replace(loop.line, send=packets.append)
    send_goodbye(leaving, loop.layout, loop.cycle.arena)
    last = unpack(packets[0], loop.line.session.key)
    assert (last.values, last.flags) == (((sent, 0.0, 0.0),), GOODBYE)
    for placed, place in zip(loop.layout.placed, loop.layout.places, strict=True):
        if placed.role == "hardware":  # as if the pressure was to be released, and nobody heard it
            out = place.x + session_place(1) + SESSION_WORDS + TO_FLAGS // 8
            loop.cycle.arena[out : out + 1].view(np.int64)[0] |= RELEASE_PRESSURE
    send_goodbye(leaving, loop.layout, loop.cycle.arena, tripped=True)
    assert unpack(packets[1], loop.line.session.key).flags == GOODBYE | TRIPPED | RELEASE_PRESSURE
    loop.line.close()
    line.close()


def test_after_a_goodbye_a_new_session_begins_at_once_and_the_old_one_never(commander):
    rig = commander(safety=RigSafety(timeout=60.0))
    rig.command(1)
    assert rig.command(2, session=6) is None  # the first is still there
    assert rig.command(3, flags=4)
    assert rig.command(4) is None
    assert rig.command(1, session=6)
    assert rig.command(9, session=5) is None


def test_a_plan_without_a_wire_has_no_rig():
    with pytest.raises(InputError, match="hardware"):
        _ = Rig(load(PLAN)).hardware


def test_status_of_a_rig_that_returns_is_ramping(commander):
    rig = commander(safety=RigSafety(timeout=5.0, rate=0.002))
    rig.command(1)
    rig.command(2, value=0.002)
    rig.command(3, value=0.002, flags=4)
    assert rig.serving.status & RAMPING
