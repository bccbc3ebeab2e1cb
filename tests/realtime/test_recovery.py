"""Nothing of a run that was cut off is thrown away, and what was lost is a gap."""

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
from rths.realtime import supervisor
from rths.realtime.acknowledgement import Acknowledgement
from rths.realtime.control_words import ControlWord
from rths.realtime.recovery import place_rows, read_ring_rows, recover
from rths.realtime.ring import SharedRing
from rths.realtime.supervisor import Pace, run_realtime
from rths.realtime.trip_latch import acknowledge
from rths.records.hdf5 import read
from rths.records.verification import verify
from rths.run.run_directory import RunDirectory
from rths.run.virtual import simulate
from rths.studies.wallace2005.three_ways import PLAN

RUN = """
import sys
from pathlib import Path
from rths.config.plan import load
from rths.realtime.supervisor import run_realtime
run_realtime(load(sys.argv[1]), Path(sys.argv[2]))
"""
ROWS = 5000
"""Bytes of a journal that has rows behind its head."""
PATIENT = Pace(heartbeat=30.0)


def planned(**changes):
    given = {"clock.tick": 1 / 1024, "clock.duration": 0.2, "safety": {"rate": 0.05}}
    return load(PLAN, {**given, **changes})


def started(folder: Path, duration: float = 30.0) -> subprocess.Popen[bytes]:
    plan = folder.with_suffix(".toml")
    plan.write_text(dumps(planned(**{"clock.duration": duration})))
    process = subprocess.Popen([sys.executable, "-c", RUN, str(plan), str(folder)])
    journal = RunDirectory(folder).journal
    for _ in range(3000):
        if journal.exists() and journal.stat().st_size > ROWS:  # it runs, and there is a loss
            return process
        time.sleep(0.01)
    raise AssertionError("the run did not begin")


def test_a_run_that_goes_on_keeps_others_out_and_one_cut_off_is_recovered_first(tmp_path):
    folder = tmp_path / "run"
    process = started(folder)
    with pytest.raises(InputError, match="goes on"):
        run_realtime(planned(), folder, PATIENT)
    process.kill()
    process.wait(20)
    with pytest.raises(InputError, match="goes on"):
        recover_now(folder)  # its loop is on the way to safety
    stop = recovered_at_last(folder)
    assert (stop.reason, stop.guard) == ("trip", "heartbeat")
    assert len(read(folder / "record.h5").rows) == stop.tick
    with pytest.raises(InputError, match="not yet acknowledged"):
        run_realtime(planned(), folder, PATIENT)
    record = read(folder / "record.h5")
    assert record.details["events"][-1]["state"] == "tripped"
    acknowledge(folder, Acknowledgement("the test", "its supervisor was killed"))
    recover(folder)  # once more: it is known
    assert run_realtime(planned(), folder, PATIENT).completed


def recover_now(folder):
    from rths.realtime import recovery

    with RunDirectory(folder).hold():
        recovery.rebuild_record(folder)


def recovered_at_last(folder):
    with RunDirectory(folder).hold(patience=30.0):
        pass
    return recover(folder)


def test_a_journal_without_its_record_is_not_thrown_away(tmp_path):
    (tmp_path / "journal").write_text("{}\n")
    with pytest.raises(InputError, match="rths recover"):
        run_realtime(planned(), tmp_path, PATIENT)
    assert (tmp_path / "journal").exists()


def test_a_run_of_no_tick_has_a_record(tmp_path):
    start = {"kind": "free_vibration", "displacement": 0.03}  # beyond the limit of 0.025
    test = load(PLAN, {"clock.duration": 0.2, "excitation": start})
    assert run_realtime(test, tmp_path, PATIENT).tick == 0
    assert len(read(tmp_path / "record.h5").rows) == 0
    assert recover(tmp_path).tick == 0


def test_rows_that_found_no_room_are_gaps_and_the_others_stay_at_their_ticks(tmp_path):
    ring = SharedRing.create(tmp_path / "ring", 8, 2)
    ticks = [0, 1, 2, 3, 9, 10, 11, 12, 13]  # five were lost
    for k, tick in enumerate(ticks):
        ring.rows[k % 8] = (tick, -tick)
    ring.write(ControlWord.WRITTEN, len(ticks))
    journal = np.array([[0.0, -0.0], [1.0, -1.0], [2.0, -2.0]])
    left = read_ring_rows(ring, journal)
    assert left[:, 0].tolist() == [3, 9, 10, 11, 12, 13]
    whole = place_rows(np.concatenate([journal, left]), most=10**6)
    assert whole.shape == (14, 2)
    assert np.flatnonzero(np.isnan(whole[:, 1])).tolist() == [4, 5, 6, 7, 8]
    assert whole[13, 1] == -13


def test_the_ring_is_longer_than_a_loop_goes_on_without_a_supervisor(tmp_path):
    late = {"guard": [{"kind": "heartbeat", "trip": 55.0}], "safety": {"rate": 0.05}}
    test = load(PLAN, {"clock.tick": 1 / 1024, "clock.duration": 0.05, **late})
    about, ring = supervisor._prepare(test, RunDirectory(tmp_path), Pace())
    ring.remove()
    assert len(ring.rows) * test.tick >= about["heartbeat"] > 55.0


def test_rows_lost_in_a_ring_that_is_too_short_are_gaps_of_the_record(tmp_path, monkeypatch):
    test = load(PLAN, {"clock.tick": 1 / 1024, "clock.duration": 1.5})
    asleep, told, reserve = [], [], SharedRing.reserve
    monkeypatch.setattr(SharedRing, "reserve", lambda rows, width: reserve(256, width))

    def visit(life):
        if not asleep:
            asleep.append(time.sleep(0.8))  # longer than the ring

    stop = run_realtime(test, tmp_path, PATIENT, visit=visit, tell=told.append)
    record = read(tmp_path / "record.h5")
    lost = np.isnan(record["compensator.command"][:, 0])
    assert stop.completed
    assert record.timing.lost == lost.sum() > 0
    assert any("rows were lost" in words for words in told)
    assert len(record.rows) == stop.tick  # on a whole time axis
    kept = simulate(test)["compensator.command"][~lost]
    assert np.array_equal(record["compensator.command"][~lost], kept)
    assert all(np.isfinite(list(p.values())).all() for p in record.timing.percentiles.values())


def test_a_directory_that_is_not_there_or_cannot_be_written_is_told(tmp_path):
    with pytest.raises(InputError, match="does not exist"):
        recover(tmp_path / "missing")
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file" / "run", Path("/proc/run")):
        with pytest.raises(InputError, match=r"Choose another directory|does not exist"):
            run_realtime(planned(), folder)


@pytest.fixture
def left_behind(tmp_path):
    """The directory of a run that was cut off, as somebody sends it."""
    test, folder = planned(), tmp_path / "run"
    folder.mkdir()
    (folder / "plan.toml").write_text(dumps(test))
    width = len(test.live_layout.record_slots) + 3
    rows = np.zeros((20, width))
    rows[:, 0] = np.arange(20)
    about = {"name": "x", "tick": test.tick, "width": width, "ring": ""}

    def write(**changes):
        head = json.dumps({**about, **changes}).encode()
        (folder / "journal").write_bytes(head + b"\n" + rows.tobytes())
        return folder

    return write


def test_a_ring_that_a_journal_names_is_no_file_of_somebody_else(left_behind, tmp_path):
    thesis = tmp_path / "thesis.txt"
    thesis.write_bytes(bytes(1 << 16))
    (tmp_path / "thesis.status").write_text("kept")
    assert recover(left_behind(ring=str(thesis))).tick == 20
    assert thesis.read_bytes() == bytes(1 << 16)
    assert (tmp_path / "thesis.status").exists()


def test_a_journal_of_another_plan_is_refused(left_behind):
    folder = left_behind()
    (folder / "plan.toml").write_text(dumps(planned(**{"record.signals": ["feedback.force"]})))
    with pytest.raises(InputError, match="columns, and the plan beside it records"):
        recover(folder)


@pytest.mark.parametrize(
    "status",
    [
        '{"reason": "x"}',
        '{"reason": []}',
        '{"reason": {}}',
        "[]",
        '{"stop": {"reason": 3}}',
        '{"stop": [1]}',
        "null",
        "[" * 9999,
    ],
)
def test_a_status_that_makes_no_sense_is_that_of_a_killed_run(left_behind, status):
    folder = left_behind()
    (folder / "status.json").write_text(status)
    (folder / "events.json").write_text('[{"time": 3}]')
    (folder / "timing.json").write_text('{"slips": "many"}')
    assert recover(folder).reason == "killed"


@pytest.mark.parametrize("slips", [10**30, -1])
def test_a_count_that_no_run_can_have_is_none(left_behind, slips):
    folder = left_behind()
    (folder / "timing.json").write_text(json.dumps({"slips": slips, "lost": 3}))
    recover(folder)
    timing = read(folder / "record.h5").timing
    assert (timing.slips, timing.lost) == (0, 3)


def test_a_recovered_record_is_verified_and_its_chain_goes_on(left_behind):
    folder = left_behind()
    recover(folder)
    found = verify(folder / "record.h5")
    assert [p for p in found.problems if "trail does not tell" not in p] == []
    recover(folder)
    again = verify(folder / "record.h5")
    assert len(again.events) == len(found.events) + 1
    assert again.events[-1].about == {"seal": again.contents}


@pytest.fixture
def patience():
    """End a test that waits for a pipe; where nobody waits this has no part in it."""

    def give_up(*_):
        raise AssertionError("waits for a pipe")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(20)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def put_pipe(path):
    path.unlink(missing_ok=True)
    os.mkfifo(path)


@pytest.mark.parametrize("name", ["events", "machine", "rig", "status", "timing"])
def test_a_pipe_among_the_files_of_a_run_counts_as_nothing_noted(left_behind, patience, name):
    folder = left_behind()
    put_pipe(getattr(RunDirectory(folder), name))
    assert recover(folder).tick == 20


@pytest.mark.parametrize("name", ["journal", "plan"])
def test_a_pipe_in_the_place_of_what_a_record_needs_is_refused(left_behind, patience, name):
    folder = left_behind()
    put_pipe(getattr(RunDirectory(folder), name))
    with pytest.raises(InputError, match="a pipe or a device"):
        recover(folder)


@pytest.mark.parametrize("name", ["trip", "events", "rig", "record"])
def test_a_pipe_does_not_keep_a_trip_from_being_acknowledged(left_behind, patience, name):
    directory = RunDirectory(left_behind())
    directory.trip.write_text("{}")
    put_pipe(getattr(directory, name))
    acknowledge(directory.folder, Acknowledgement("A. Tester", "a pipe"))
    assert not directory.trip.exists()
