"""A test on the clock: the same numbers as off it, and none of them lost whatever is killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from rths.config.plan import dumps, load
from rths.errors import InputError
from rths.realtime.journal import Journal, read_journal
from rths.realtime.recovery import recover
from rths.realtime.ring import HEAD, LOST, TAIL, SharedRing
from rths.realtime.supervisor import Pace, run_realtime
from rths.records.hdf5 import read
from rths.run.virtual import simulate
from rths.studies.wallace2005.three_ways import PLAN

RUN = """
import sys
from pathlib import Path
from rths.config.plan import load
from rths.realtime.supervisor import run_realtime
run_realtime(load(sys.argv[1]), Path(sys.argv[2]))
"""


@pytest.fixture
def test():
    return load(PLAN, {"clock.tick": 1 / 1024, "clock.duration": 1.0})


def test_the_record_is_that_of_the_virtual_run_bit_for_bit(test, tmp_path):
    stop = run_realtime(test, tmp_path / "run")
    assert stop.completed
    record, virtual = read(tmp_path / "run/record.h5"), simulate(test)
    assert set(record) == set(virtual)
    for name in virtual:
        assert np.array_equal(record[name], virtual[name])
    timing = json.loads((tmp_path / "run/timing.json").read_text())
    assert timing["lost"] == 0
    assert timing["latency"]["p50"] > 0


def test_a_limit_stops_it_at_the_same_tick(test, tmp_path):
    limited = test.with_values({"limits": {"compensator.command": 0.001}})
    stop = run_realtime(limited, tmp_path / "run")
    virtual = simulate(limited)
    assert (stop.reason, stop.tick, stop.signal) == (
        "limit",
        virtual.stop.tick,
        virtual.stop.signal,
    )
    assert len(read(tmp_path / "run/record.h5")["compensator.command"]) == virtual.stop.tick


def test_a_clock_faster_than_the_loop_can_be_paced_is_refused(test, tmp_path):
    with pytest.raises(InputError, match="8192"):
        run_realtime(test.with_values({"tick": 1 / 16384, "duration": 0.1}), tmp_path / "run")


def test_slips_beyond_what_the_plan_allows_end_the_test(test, tmp_path):
    stop = run_realtime(test, tmp_path / "run", Pace(slips=-1))  # the first slip is one too many
    assert stop.reason in ("slips", "completed")  # a machine that never slips has nothing to end


def processes_of(folder: Path) -> list[int]:
    """Find the loop's process of a run directory."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if b"rths.realtime.loop_process" in words and str(folder).encode() in words:
                found.append(int(entry.name))
    return found


def killed(test, folder: Path, who: str, after: float) -> None:
    """Start a run in a process of its own and kill its loop or its supervisor."""
    plan = folder.parent / "plan.toml"
    plan.write_text(dumps(test))
    supervisor = subprocess.Popen([sys.executable, "-c", RUN, str(plan), str(folder)])
    ring = None
    for _ in range(3000):
        if ring is None and (folder / "realtime.json").exists():
            about = json.loads((folder / "realtime.json").read_text() or "{}")
            if about and Path(about["ring"]).exists():
                ring = SharedRing.attach(Path(about["ring"]), about["width"])
        if ring is not None and ring.word(HEAD) > 0:
            break
        time.sleep(0.01)
    time.sleep(after)
    (loop,) = processes_of(folder)
    os.kill(loop if who == "loop" else supervisor.pid, signal.SIGKILL)
    supervisor.wait(20)
    for _ in range(500):
        if not processes_of(folder):
            return
        time.sleep(0.01)
    raise AssertionError("the loop went on without its supervisor")


def check_nothing_is_lost(test, folder: Path) -> None:
    if not (folder / "record.h5").exists():
        recover(folder)
    record, virtual = read(folder / "record.h5"), simulate(test)
    name = "compensator.command"
    rows = len(record[name])
    assert rows > 0
    assert np.array_equal(record[name], virtual[name][:rows])
    assert record.stop.reason in ("interrupted", "heartbeat")


@pytest.mark.parametrize("who", ["loop", "supervisor"])
def test_a_killed_process_loses_no_sample(test, tmp_path, who):
    longer = test.with_values({"duration": 30.0})
    killed(longer, tmp_path / "run", who, after=0.3)
    check_nothing_is_lost(longer, tmp_path / "run")


@pytest.mark.slow
@pytest.mark.parametrize("who", ["loop", "supervisor"])
def test_a_hundred_kills_lose_no_sample(test, tmp_path, who):
    longer = test.with_values({"duration": 30.0})
    random = np.random.default_rng(1)
    for k in range(100):
        folder = tmp_path / f"run{k}"
        folder.parent.mkdir(exist_ok=True)
        killed(longer, folder, who, after=float(random.uniform(0.0, 0.5)))
        check_nothing_is_lost(longer, folder)


def test_a_journal_that_breaks_off_is_read_up_to_its_last_whole_row(tmp_path):
    rows = np.arange(12.0).reshape(4, 3)
    with Journal(tmp_path / "journal", {"width": 3}) as journal:
        journal.append(rows)
    whole = (tmp_path / "journal").read_bytes()
    (tmp_path / "journal").write_bytes(whole[:-5])
    about, found = read_journal(tmp_path / "journal")
    assert about["width"] == 3
    assert np.array_equal(found, rows[:3])


def test_a_file_that_is_no_journal_is_refused(tmp_path):
    (tmp_path / "journal").write_bytes(b"no journal")
    with pytest.raises(InputError, match="journal"):
        read_journal(tmp_path / "journal")


def test_the_ring_gives_each_row_once_and_in_order(tmp_path):
    ring = SharedRing.create(tmp_path / "ring", 5, 2)
    assert len(ring.rows) == 8
    taken = []
    for head in (3, 8, 13):
        for k in range(ring.word(HEAD), head):
            ring.rows[k % 8] = (k, -k)
        ring.put(HEAD, head)
        taken.append(ring.taken())
    assert np.array_equal(np.concatenate(taken)[:, 0], np.arange(13))
    assert (ring.word(TAIL), ring.word(LOST)) == (13, 0)
