"""The latch belongs to the rig: no other folder, address, time-out or lost run opens it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import pytest

from rths.config.plan import dumps, load
from rths.errors import InputError
from rths.hardware.emulated.drive import RigSafety
from rths.hardware.wire.status import LATCHED
from rths.loop.stop import Stop
from rths.realtime.acknowledgement import Acknowledgement
from rths.realtime.lifecycle import LifeCycle
from rths.realtime.meeting import meet_rig, release_rig
from rths.realtime.recovery import recover
from rths.realtime.rig_latch import RigLatch, latch_of
from rths.realtime.trip_latch import acknowledge, let_rig_go, write_trip
from rths.run.run_directory import RunDirectory, write_json
from rths.state_folder import state_folder

WHO = Acknowledgement("A. Tester", "a stuck valve")
NAME = "the rig at the east wall"
TRIP = Stop("trip", 7, 0.007, "tripped by stuck", guard="stuck", tripped=5)
DONE = Stop("completed", 7, 0.007, "completed")


def begun(folder, name=NAME) -> RunDirectory:
    """Give the directory of a run that has met a rig."""
    directory = RunDirectory(folder)
    directory.make()
    write_json(directory.rig, {"identity": name})
    RigLatch(name).engage(folder)
    return directory


def ended(directory: RunDirectory, stop: Stop) -> None:
    LifeCycle(directory.folder, "running").end(stop)


def test_after_a_good_end_the_rig_is_free(tmp_path):
    directory = begun(tmp_path / "one")
    assert RigLatch(NAME).read()["state"] == "engaged"
    ended(directory, DONE)
    assert RigLatch(NAME).read() is None
    begun(tmp_path / "two")


BAD = ("limit", "not finite", "block", "exception", "slips", "heartbeat", "trip", "killed")


@pytest.mark.parametrize("reason", BAD)
def test_a_rig_is_latched_after_every_end_but_a_planned_or_wanted_one(tmp_path, reason):
    directory = begun(tmp_path / "one")
    ended(directory, Stop(reason, 7, 0.007, f"it was {reason}", tripped=5))
    assert RigLatch(NAME).read()["state"] == "latched"
    assert json.loads(directory.events.read_text())[-1]["state"] == "tripped"
    with pytest.raises(InputError, match=f"latched .* it was {reason}"):
        begun(tmp_path / "two")
    acknowledge(directory.folder, WHO)
    begun(tmp_path / "two")


@pytest.mark.parametrize("reason", ["slips", "limit"])
def test_a_recovered_run_latches_its_rig_after_such_an_end_too(tmp_path, monkeypatch, reason):
    stop = Stop(reason, 7, 0.007, f"it was {reason}")
    monkeypatch.setattr("rths.realtime.recovery.rebuild_record", lambda folder: stop)
    directory = begun(tmp_path / "one")
    recover(directory.folder)
    assert RigLatch(NAME).read()["state"] == "latched"
    assert directory.trip.exists()


@pytest.mark.parametrize("reason", ["completed", "interrupted"])
def test_a_rig_is_free_after_a_planned_or_wanted_end(tmp_path, reason):
    ended(begun(tmp_path / "one"), Stop(reason, 7, 0.007, reason))
    assert RigLatch(NAME).read() is None


@pytest.mark.parametrize("reason", ["limit", "not finite", "block", "exception", "slips"])
def test_without_a_rig_such_an_end_latches_nothing(tmp_path, reason):
    directory = RunDirectory(tmp_path)
    ended(directory, Stop(reason, 7, 0.007, reason))
    assert not directory.trip.exists()


@pytest.mark.parametrize("elsewhere", ["two", "other/parent/two"])
def test_a_rig_that_tripped_is_refused_from_every_folder_until_it_is_acknowledged(
    tmp_path, elsewhere
):
    directory = begun(tmp_path / "one")
    ended(directory, TRIP)
    with pytest.raises(InputError, match=r"latched .* tripped by stuck"):
        begun(tmp_path / elsewhere)
    begun(tmp_path / "three", "another rig")
    acknowledge(directory.folder, WHO)
    begun(tmp_path / elsewhere)


def test_a_rig_whose_run_was_killed_and_never_recovered_is_refused(tmp_path):
    begun(tmp_path / "one").journal.write_text("{}")  # loop and supervisor are gone
    with pytest.raises(InputError, match=r"latched .* rths recover .*one.* the run was cut off"):
        begun(tmp_path / "two")


def test_a_rig_that_a_run_holds_is_in_use_and_not_latched(tmp_path):
    directory = begun(tmp_path / "one")
    with directory.hold(), pytest.raises(InputError, match="is moved by the run in"):
        begun(tmp_path / "two")


def test_only_the_run_that_engaged_a_rig_lets_it_go(tmp_path):
    begun(tmp_path / "one")
    other = RunDirectory(tmp_path / "two")
    other.make()
    write_json(other.rig, {"identity": NAME})
    let_rig_go(other)
    with pytest.raises(InputError, match="latched"):
        RigLatch(NAME).refuse()


def test_a_folder_that_somebody_sent_neither_latches_nor_frees_a_rig_that_another_run_has(tmp_path):
    """It may name any rig as its own."""
    own, sent = begun(tmp_path / "own"), RunDirectory(tmp_path / "sent")
    sent.make()
    write_json(sent.rig, {"identity": NAME})
    ended(sent, TRIP)  # as rths recover does
    assert RigLatch(NAME).read()["folder"] == str(own.folder)
    acknowledge(sent.folder, WHO)
    assert RigLatch(NAME).read()["state"] == "engaged"
    with pytest.raises(InputError, match=r"since the run in \S+own, not by that in \S+sent"):
        RigLatch(NAME).refuse_other(sent.folder)
    ended(own, TRIP)
    ended(sent, TRIP)
    acknowledge(sent.folder, WHO)
    assert RigLatch(NAME).read()["folder"] == str(own.folder)
    acknowledge(own.folder, WHO)
    assert RigLatch(NAME).read() is None


def test_a_folder_that_was_moved_is_still_the_one_to_acknowledge(tmp_path):
    ended(begun(tmp_path / "one"), TRIP)
    (tmp_path / "one").rename(tmp_path / "two")
    acknowledge(tmp_path / "two", WHO)
    assert RigLatch(NAME).read() is None


def test_a_run_that_had_to_leave_its_folder_still_has_its_rig_and_lets_it_go(tmp_path):
    begun(tmp_path / "one")
    other = RunDirectory(tmp_path / "spare")
    other.make()
    write_json(other.rig, {"identity": NAME})
    RigLatch(NAME).follow_run(tmp_path / "not this one", other.folder)
    assert RigLatch(NAME).read()["folder"] == str(tmp_path / "one")
    RigLatch(NAME).follow_run(tmp_path / "one", other.folder)
    with pytest.raises(InputError, match=r"latched since the run in .*spare"):
        begun(tmp_path / "two")
    ended(other, DONE)
    assert RigLatch(NAME).read() is None


def test_a_trip_is_not_acknowledged_while_its_run_is_on_the_way_to_safety(tmp_path):
    directory = begun(tmp_path / "one")
    with directory.hold():
        write_trip(directory, TRIP.as_dict())  # as the supervisor does when the loop has tripped
        with pytest.raises(InputError, match="of a run that goes on"):
            acknowledge(directory.folder, WHO)
        with pytest.raises(InputError, match="is moved by the run in"):
            RigLatch(NAME).refuse_moved()  # as the acknowledgement by a plan does
    acknowledge(directory.folder, WHO)


def test_a_state_folder_that_is_gone_in_mid_run_does_not_end_the_supervisor(tmp_path, monkeypatch):
    directory = begun(tmp_path / "one")
    (tmp_path / "no folder").write_text("")
    monkeypatch.setenv("RTHS_STATE_DIR", str(tmp_path / "no folder"))
    write_trip(directory, TRIP.as_dict())
    ended(directory, TRIP)
    assert directory.trip.exists()
    other = RunDirectory(tmp_path / "two")
    other.make()
    write_json(other.rig, {"identity": NAME})
    with pytest.raises(InputError, match="cannot be made"):
        ended(other, DONE)  # that the rig is not free is said,
    assert json.loads(other.events.read_text())[-1]["reason"] == "completed"  # and the end noted


def test_a_state_folder_that_is_full_latches_nothing(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("rths.realtime.rig_latch.json.dump", full)
        with pytest.raises(OSError, match="No space"):
            begun(tmp_path / "one")
    begun(tmp_path / "two")


@pytest.mark.parametrize("left", ["as it is", "emptied"])
def test_a_killed_run_is_not_forgotten_by_trying_again_in_its_folder(tmp_path, left):
    directory = begun(tmp_path / "one")  # and its processes were killed
    if left == "emptied":
        directory.rig.unlink()
    with directory.hold():
        for _ in range(2):
            directory.rig.unlink(missing_ok=True)  # as a new run begins
            with pytest.raises(InputError, match="is latched since the run in"):
                RigLatch(NAME).engage(directory.folder)
            let_rig_go(directory)  # as a run does that was refused
    assert RigLatch(NAME).read()["state"] == "engaged"


def test_a_run_that_was_cut_off_before_it_began_is_acknowledged_by_its_folder(tmp_path):
    directory = begun(tmp_path / "one")  # no journal, no trip
    with pytest.raises(InputError, match=r"then: rths acknowledge \S+one --by"):
        begun(tmp_path / "two")
    with directory.hold(), pytest.raises(InputError, match="of a run that goes on"):
        acknowledge(directory.folder, WHO)
    assert acknowledge(directory.folder, WHO) == "the run was cut off before it began"
    begun(tmp_path / "two")


@pytest.mark.parametrize("content", ["{cut o", "[]", "null", "7", "{}"])
def test_a_latch_that_cannot_be_read_stands(tmp_path, content):
    directory = begun(tmp_path / "one")
    ended(directory, TRIP)
    directory.trip.write_text(content)
    RigLatch(NAME).path.write_text(content)
    with pytest.raises(InputError, match="cannot be read"):
        RigLatch(NAME).refuse()
    RigLatch(NAME).acknowledge(WHO)
    RigLatch(NAME).refuse()


def test_who_acknowledged_and_why_is_kept(tmp_path):
    directory = begun(tmp_path / "one")
    ended(directory, TRIP)
    acknowledge(directory.folder, Acknowledgement("A. Tester", "a stuck valve", "B. Tester"))
    (log,) = state_folder("rigs").glob("*.log")
    kept = json.loads(log.read_text())
    assert kept["acknowledged"] | {"time": ""} == {
        "by": "A. Tester", "second": "B. Tester", "cause": "a stuck valve", "time": "",
    }  # fmt: skip
    assert kept["identity"] == NAME
    events = json.loads(directory.events.read_text())
    assert events[-1]["reason"] == "acknowledged by A. Tester and B. Tester: a stuck valve"


def test_a_run_that_is_not_recovered_cannot_be_acknowledged(tmp_path):
    directory = begun(tmp_path / "one")
    directory.journal.write_text("{}")
    with pytest.raises(InputError, match="rths recover"):
        acknowledge(directory.folder, WHO)


@contextmanager
def at_work(rig):
    """Let a thread serve a rig."""
    over = threading.Event()

    def work():
        while not over.is_set():
            rig.serving.advance(0.01)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield rig
    finally:
        over.set()
        thread.join(5)


@pytest.fixture
def served(commander, monkeypatch):
    """Give a rig that a thread serves, and its test."""
    monkeypatch.setattr("rths.hardware.wire.handshake.PATIENCE", 60.0)
    with at_work(commander(safety=RigSafety(timeout=0.1, hold=0.0, rate=10.0))) as rig:
        yield rig


def met(test, folder):
    directory = RunDirectory(folder)
    directory.make()
    line = test.hardware.open()
    try:
        return meet_rig(test, line, directory, lambda: None), directory
    finally:
        line.close()


def test_a_rig_that_is_moved_is_not_acknowledged_from_another_state_folder(commander, monkeypatch):
    monkeypatch.setattr("rths.hardware.wire.handshake.PATIENCE", 60.0)
    rig = commander(safety=RigSafety(timeout=60.0))
    assert rig.command(1)
    with at_work(rig), pytest.raises(InputError, match="is moved by a loop"):
        release_rig(rig.test.hardware, 1, WHO)


def test_another_time_out_or_another_name_of_the_address_is_the_same_rig(served, tmp_path):
    line, directory = met(served.test, tmp_path / "one")
    assert line.session.number > 0
    assert latch_of(directory).identity == served.identity
    ended(directory, TRIP)
    for changes in ({"hardware.timeout": 4e-4}, {"hardware.address": "localhost"}):
        with pytest.raises(InputError, match="latched"):
            met(served.test.with_values(changes), tmp_path / "two")
    assert "free again" in release_rig(served.test.hardware, 1, WHO)
    met(served.test, tmp_path / "two")


RUN = """
import os, signal, sys
from pathlib import Path
from rths.config.plan import load
from rths.realtime.supervisor import run_realtime

def kill_all():
    own = os.getpid()
    for loop in Path(f"/proc/{own}/task/{own}/children").read_text().split():
        os.kill(int(loop), signal.SIGKILL)
    os.kill(own, signal.SIGKILL)

run_realtime(load(sys.argv[1]), Path(sys.argv[2]), begin=kill_all)
"""


@pytest.mark.realtime
def test_a_run_whose_processes_were_all_killed_leaves_the_rig_latched(served, tmp_path):
    plan, folder = tmp_path / "plan.toml", tmp_path / "run"
    given = {"safety": {"rate": 0.05}, "hardware.missed": 500, "clock.duration": 60.0}
    given["rig.file"] = "emulated"
    plan.write_text(dumps(served.test))
    plan.write_text(dumps(load(plan, given)))
    run = subprocess.Popen([sys.executable, "-c", RUN, plan, folder])
    assert run.wait(60) == -signal.SIGKILL
    end = time.monotonic() + 20
    while not served.serving.status & LATCHED:  # by its own time-out
        assert time.monotonic() < end, "the rig does not go safe"
        time.sleep(0.01)
    with pytest.raises(InputError, match="latched"):
        met(served.test, tmp_path / "two")
    assert os.path.exists(folder / "journal")
    recover(folder)
    with pytest.raises(InputError, match="latched"):
        met(served.test, tmp_path / "two")
