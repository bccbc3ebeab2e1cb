"""A rig in a process of its own: the same numbers, and safe whoever is killed."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from rths.assembly.safety import Safety
from rths.config.plan import dumps, load
from rths.errors import InputError
from rths.hardware.base import attach, send_goodbye
from rths.hardware.emulated.drive import RigSafety
from rths.hardware.wire.handshake import begin_session, greet
from rths.hardware.wire.status import LATCHED, SAFE, SILENCE
from rths.loop.cycle import Cycle
from rths.metrics.nrmse import nrmse
from rths.metrics.rms_tracking_error import rms_tracking_error
from rths.realtime.rig import Rig, Serving
from rths.realtime.supervisor import Pace, run_realtime
from rths.records.hdf5 import read
from rths.run.virtual import simulate
from rths.safety.rig_file import RigFile
from rths.studies.wallace2005.three_ways import PLAN

pytestmark = pytest.mark.realtime  # replies must come within their time-out

EXAMPLE = Path(__file__).parents[2] / "examples" / "rig.c"


def planned(kind="udp", rate=1024, duration=0.5, **fields):
    changes = {f"hardware.{k}": v for k, v in fields.items()}
    if kind == "udp":
        changes.setdefault("hardware.port", 0)
    if kind == "shared_memory":
        changes["hardware.name"] = f"rths-test-{os.getpid()}"
    clock = {"clock.tick": 1 / rate, "clock.duration": duration}
    return load(PLAN, {"hardware.kind": kind, **clock, **changes})


def guarded(**fields):
    """Give a plan with what a rig on a wire is moved with: a way to safety and its limits."""
    test = planned(**fields)
    changes = {"safety": Safety(rate=0.05), "rig": RigFile(file="emulated")}
    return test.with_values(changes)


def at(test, where: str):
    """Give the test with the port at which its rig was found."""
    port = where.rpartition(":")[2]
    return test.with_values({"hardware.port": int(port)}) if port.isdigit() else test


class Ready:
    """A cycle whose link is attached to its wire."""

    def __init__(self, test) -> None:
        self.layout = test.live_layout
        self.cycle = Cycle(self.layout, test.tick, "table")
        opened = test.hardware.open()
        self.line = begin_session(opened, greet(opened, "here", 1))
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


def served_until(serving: Serving, bits: int, seconds: float = 20.0) -> None:
    """Let a rig work until its status has some bits; how soon is judged on a virtual clock."""
    end = time.monotonic() + seconds
    while not serving.status & bits:
        assert time.monotonic() < end, "the rig did not get there"
        serving.advance(0.02)


def test_a_rig_that_was_stopped_is_not_armed(rig_process, tmp_path):
    rig = rig_process(guarded(), "--fault", "stop@0", "--timeout", "5")
    with pytest.raises(InputError, match="stopped by its operator"):
        run_realtime(rig.test, tmp_path / "run", Pace(heartbeat=30.0))


def moves_of(record, tick):
    """Tell how often a rig with a clock of its own moved between a command and the next.

        a_k = (k + S_k) T + latency,   moves at a_0 + (j + 1/2) T                             (1)

    S_k are the periods that slipped before tick k, a_0 is the earliest arrival in the first second.
    """
    late, busy = record.timing.latency, record.timing.execution_time
    over = np.maximum(np.floor((late + busy) / tick) - 1, 0)
    sent = (np.arange(len(late)) + np.r_[0, np.cumsum(over)[:-1]]) * tick + late
    first = (sent - np.round(sent / tick) * tick)[: round(1 / tick)].min()
    count = np.maximum.accumulate(np.floor((sent - first) / tick - 0.5).astype(int))
    return np.diff(count, append=count[-1] + 1), int(over.sum())


def compared(test, folder, replayed, own_clock):
    """Give tracking and nrmse of a live record, and of virtual runs with the link's delay in them:

    as the link should be, and as it was in the record.
    """
    record = read(folder / "record.h5")
    ticks = test.clock.ticks - test.clock.tail  # what comes after is the way to safety
    missed, slips = record["hardware.missed"][:ticks, 0], 0
    ideal = was = None
    if own_clock:
        ideal = np.ones(len(missed), int)
        was, slips = moves_of(record, test.tick)
        was = was[:ticks]
        assert abs(slips - record.timing.slips) <= 0.01 * slips + 2  # a tick may end on the edge
    runs = [record, replayed(test, 0 * missed, ideal), replayed(test, missed, was)]
    whole = simulate(test.reference_test())["integrator.target"][:, 0]
    found = []
    for run in runs:
        target, moved = (run[n][:ticks, 0] for n in ("integrator.target", "transfer.displacement"))
        error = nrmse(whole[: len(target)], target, test.tick)
        found.append((rms_tracking_error(target, moved, test.tick), error))
    return record, *np.array(found)


def test_a_rig_in_another_process_behaves_like_the_virtual_one(rig_process, tmp_path, replayed):
    rig = rig_process(guarded(duration=2.0, missed=1000), "--triggered", "--timeout", "5")
    stop = run_realtime(rig.test, tmp_path / "run", Pace(heartbeat=30.0))
    assert stop.completed
    record, live, _, virtual = compared(rig.test, tmp_path / "run", replayed, own_clock=False)
    assert record["hardware.sequence"].max() > 0.9 * len(record.rows)
    assert_allclose(live, virtual, rtol=0.05)
    rig.until("at the safe position")  # the loop has said goodbye
    assert not any("time-out" in line for _, line in rig.said)


@pytest.mark.slow
@pytest.mark.parametrize("clock", ["triggered", "own clock"])
@pytest.mark.parametrize("rate", [1024, 4096])
def test_a_minute_with_the_rig_is_within_5_percent(rig_process, tmp_path, replayed, rate, clock):
    test = guarded(rate=rate, duration=60.0, missed=int(1.9 * rate), timeout=0.7 / rate)
    rig = rig_process(test, *(["--triggered"] if clock == "triggered" else []))
    stop = run_realtime(rig.test, tmp_path / "run", Pace(heartbeat=30.0))
    assert stop.completed
    own_clock = clock != "triggered"
    record, live, ideal, was = compared(rig.test, tmp_path / "run", replayed, own_clock)
    timing = record.timing
    told = {
        n: {k: f"{1e6 * v:.0f} us" for k, v in p.items()} for n, p in timing.percentiles.items()
    }
    print(rate, clock, live, live / ideal, live / was, timing.counts, told)
    assert_allclose(live, was, rtol=0.05)  # where nothing slipped or was missed, this is the ideal


def wait_for_rows(folder: Path) -> None:
    """Wait until a run has some hundred ticks: arming takes as long as it takes."""
    journal, end = folder / "journal", time.monotonic() + 60.0
    while not journal.exists() or journal.stat().st_size < 50_000:
        assert time.monotonic() < end, "the run does not begin"
        time.sleep(0.01)


def test_a_killed_rig_stops_the_loop_that_trips(rig_process, tmp_path):
    rig = rig_process(
        guarded(duration=60.0, policy="trip", missed=1000), "--triggered", "--timeout", "5"
    )

    def kill():
        wait_for_rows(tmp_path / "run")
        rig.process.kill()

    killer = threading.Thread(target=kill)
    killer.start()
    stop = run_realtime(rig.test, tmp_path / "run", Pace(heartbeat=30.0))
    killer.join(5)
    assert (stop.reason, stop.guard) == ("trip", "link_lost")
    record = read(tmp_path / "run/record.h5")
    missed, force = record["hardware.missed"][:, 0], record["specimen.force"][:, 0]
    last = int(np.flatnonzero(missed == 0)[-1])
    assert stop.tripped == last + 1000  # the thousandth missed reply is the tick that trips
    assert_array_equal(force[last:], force[last])  # held, not made up


def test_a_killed_loop_leaves_a_safe_rig(rig_process, tmp_path):
    rig = rig_process(guarded(duration=60.0), "--timeout", "0.2", "--safe-rate", "0.1")
    script = (
        "import sys; from pathlib import Path; from rths.config.plan import load\n"
        "from rths.realtime.supervisor import run_realtime\n"
        "run_realtime(load(sys.argv[1]), Path(sys.argv[2]))"
    )
    plan, folder = tmp_path / "loop.toml", tmp_path / "run"
    plan.write_text(dumps(rig.test))
    supervisor = subprocess.Popen([sys.executable, "-c", script, str(plan), str(folder)])
    wait_for_rows(folder)
    (loop,) = [
        int(p.name)
        for p in Path("/proc").iterdir()
        if p.name.isdigit() and is_loop(p / "cmdline", folder)
    ]
    os.kill(loop, signal.SIGKILL)
    killed = time.monotonic()
    rig.until("time-out")
    safe = rig.when("time-out") - killed
    assert safe < 0.2 + 0.05 + 0.5  # its time-out, a look every 50 ms, and a busy machine
    rig.until("time-out, at the safe position")
    supervisor.wait(30)
    assert len(read(folder / "record.h5")["compensator.command"]) > 0


LOOP = """
import sys
import numpy as np
from rths.config.plan import load
from rths.hardware.base import attach
from rths.hardware.wire.handshake import begin_session, greet
from rths.loop.cycle import Cycle
test = load(sys.argv[1])
cycle = Cycle(test.live_layout, test.tick, "table")
rows = np.empty((test.clock.ticks, len(test.live_layout.record_slots)))
print("begins", flush=True)
line = test.hardware.open()
attach(begin_session(line, greet(line, "here", 1)), test.live_layout, cycle.arena)
cycle.advance(len(rows), rows)
"""


@pytest.mark.slow
def test_a_hundred_killed_loops_leave_a_safe_rig(tmp_path):
    random = np.random.default_rng(3)
    for _ in range(100):
        test = planned(duration=1000.0)
        rig = Rig(test, RigSafety(timeout=0.05, hold=0.02, rate=1.0))
        line = rig.hardware.serve()
        serving = Serving(rig, line)
        plan = tmp_path / "plan.toml"
        plan.write_text(dumps(at(test, line.where)))
        loop = subprocess.Popen([sys.executable, "-c", LOOP, plan], stdout=subprocess.PIPE)
        try:
            loop.stdout.readline()
            while not serving.counts["accepted"]:
                serving.advance(0.005)
            serving.advance(float(random.uniform(0.0, 0.3)))
        finally:
            loop.kill()
            loop.wait(10)
            loop.stdout.close()
        served_until(serving, SILENCE)
        served_until(serving, SAFE)
        assert serving.status == SILENCE | LATCHED | SAFE
        line.close()


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["trip", "hold"])
def test_fifty_killed_rigs_leave_a_safe_loop(rig_process, policy):
    random = np.random.default_rng(4)
    for _ in range(50):
        rig = rig_process(planned(duration=1000.0, policy=policy, missed=20), "--triggered")
        loop = Ready(rig.test)
        while loop.run(5)["hardware.missed"][-1, 0]:  # the first may find it still busy
            pass
        wait = float(random.uniform(0.0, 0.2))
        threading.Timer(wait, rig.process.kill).start()
        end = time.monotonic() + 20.0
        force, missed = [], [0.0]
        while time.monotonic() < end and loop.cycle.stop is None and missed[-1] < 40:
            got = loop.run(10)
            force += got["specimen.force"][:, 0].tolist()
            missed += got["hardware.missed"][:, 0].tolist()
        missed = missed[1:]
        last = int(np.flatnonzero(np.array(missed) == 0)[-1])
        assert_array_equal(force[last:], force[last])  # held at the last measured force
        if policy == "trip":
            assert loop.cycle.stop.block == "hardware.udp"
            assert len(missed) == last + 20
        else:
            assert getattr(loop.cycle.stop, "block", None) is None  # a limit may stop it, no block
            assert missed[-1] >= 20
        loop.line.close()
        rig.end(signal.SIGKILL)


def is_loop(path: Path, folder: Path) -> bool:
    try:
        words = path.read_bytes().split(b"\0")
    except OSError:
        return False
    return b"rths.realtime.loop_process" in words and str(folder).encode() in words


@pytest.mark.realtime
@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
def test_the_example_in_c_answers_like_a_spring(tmp_path):
    program = tmp_path / "rig"
    # a minute of patience: how long a busy machine keeps the loop waiting is not what is tested
    flags = ["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-DTIMEOUT=(60000 * MS)"]
    subprocess.run(["cc", *flags, "-o", program, EXAMPLE, "-lm"], check=True)
    process = subprocess.Popen([program, "0", "2250"], stdout=subprocess.PIPE, text=True)
    try:
        ready = process.stdout.readline()
        test = planned(duration=0.25)
        test = test.with_values({"hardware": replace(test.hardware, port=int(ready.split(":")[1]))})
        loop = Ready(test)
        loop.line.send(b"RTHS, but no packet")
        got = loop.run(test.clock.ticks)
        fresh = got["hardware.missed"][:, 0] == 0
        assert fresh.any()
        command = got["compensator.command"]
        assert_array_equal(got["transfer.displacement"][fresh], command[fresh])
        assert_allclose(got["specimen.force"][fresh], 2250.0 * command[fresh])
        send_goodbye(loop.line, loop.layout, loop.cycle.arena)
        assert process.wait(60) == 0
        loop.line.close()
    finally:
        process.kill()
        process.stdout.close()
