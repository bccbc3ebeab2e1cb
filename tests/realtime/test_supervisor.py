"""A test on the clock: the same numbers as off it, and none of them lost whatever happens."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from rths.config.plan import load
from rths.errors import InputError
from rths.realtime import loop_process, supervisor
from rths.realtime.control_words import ControlWord, LoopState
from rths.realtime.journal import read_journal
from rths.realtime.recovery import recover
from rths.realtime.ring import SharedRing
from rths.realtime.supervisor import Pace, Supervision, run_realtime
from rths.realtime.words import LOOK
from rths.records.hdf5 import read
from rths.run.run_directory import RunDirectory
from rths.run.virtual import simulate
from rths.safety.phase import RAMPING_OUT
from rths.studies.wallace2005.three_ways import PLAN

TICK = 1 / 1024
PATIENT = Pace(heartbeat=30.0)  # a busy machine may keep the supervisor waiting


@pytest.fixture
def test():
    return load(PLAN, {"clock.tick": 1 / 1024, "clock.duration": 1.0})


def test_the_record_is_that_of_the_virtual_run_bit_for_bit(test, tmp_path):
    stop = run_realtime(test, tmp_path / "run", PATIENT)
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
    stop = run_realtime(limited, tmp_path / "run", PATIENT)
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


def halt_loop(seconds: float) -> None:
    """Stop the loop's process for a while: it wakes late by that much."""
    for number in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split():
        if b"loop_process" in Path(f"/proc/{number}/cmdline").read_bytes():
            os.kill(int(number), signal.SIGSTOP)
            time.sleep(seconds)
            os.kill(int(number), signal.SIGCONT)


def test_a_loop_that_is_silent_is_told_to_the_operator_and_so_is_its_return(tmp_path):
    test = load(PLAN, {"clock.tick": 1 / 1024, "clock.duration": 1.0})
    told, looks, waiting = [], [], []

    def visit(life):
        looks.append(time.monotonic())
        if len(looks) == 5:
            waiting.append(threading.Thread(target=halt_loop, args=(1.0,)))
            waiting[0].start()

    assert run_realtime(test, tmp_path, PATIENT, visit=visit, tell=told.append).completed
    waiting[0].join()
    assert any("silent for" in words for words in told)
    assert any("the loop is back after" in words for words in told)


def test_what_is_asked_for_while_the_loop_ends_is_noted_in_the_record(tmp_path):
    test = load(PLAN, {"clock.tick": 1 / 1024, "clock.duration": 0.2})
    session = RunDirectory(tmp_path).session

    def visit(life):
        about = json.loads(session.read_text())
        ring = SharedRing.attach(Path(about["ring"]), about["width"])
        if ring.read(ControlWord.STATE) == LoopState.ENDED:
            life.note("stop asked for: Ada")

    assert run_realtime(test, tmp_path, PATIENT, visit=visit).completed
    events = [e["reason"] for e in read(tmp_path / "record.h5").details["events"]]
    assert "stop asked for: Ada" in events


def test_slips_beyond_what_the_pace_allows_end_the_test(tmp_path):
    test = load(PLAN, {"clock.tick": 1 / 1024, "clock.duration": 30.0})
    stop = run_realtime(
        test, tmp_path, Pace(slips=40, heartbeat=30.0), visit=lambda life: halt_loop(0.05)
    )
    assert stop.reason == "slips"  # the first halt is 51 periods long


@pytest.mark.parametrize("safety", [None, {"rate": 0.05, "hold": 0.02}])
def test_a_full_disk_ends_the_test_and_loses_no_sample(tmp_path, full_disk, safety):
    changes = {"clock.tick": 1 / 1024, "clock.duration": 20.0}
    test = load(PLAN, {**changes, **({"safety": safety} if safety else {})})
    folder = tmp_path / "run"
    with full_disk, pytest.raises(InputError, match="rths recover") as error:
        run_realtime(test, folder, PATIENT, visit=lambda life: full_disk(folder))
    assert "too large" in str(error.value)  # what the system says of such a file
    about, journal = read_journal(folder / "journal")
    ring = SharedRing.attach(Path(about["ring"]), about["width"])
    taken = ring.read(ControlWord.WRITTEN)
    assert len(journal) < taken < test.clock.ticks
    assert ring.read(ControlWord.LOST) == 0
    stop = recover(folder)
    record, virtual = read(folder / "record.h5"), simulate(test)
    assert stop.reason == "interrupted"
    command = record["compensator.command"]
    assert len(command) == taken
    rows = taken if safety is None else int(np.argmax(record["safety.phase"][:, 0] >= RAMPING_OUT))
    assert np.array_equal(command[:rows], virtual["compensator.command"][:rows])
    assert not Path(about["ring"]).exists()


@pytest.mark.parametrize("how", ["deleted", "moved"])
def test_a_folder_that_is_deleted_or_moved_ends_the_test_and_loses_no_sample(
    tmp_path, rig_file, how
):
    """So is the file of its rig, as when a laboratory is tidied up."""
    changes = {"clock.tick": 1 / 1024, "clock.duration": 20.0, "safety": {"rate": 0.05}}
    folder = tmp_path / "run"
    given = {"rig.file": rig_file("emulated = true").file, "limits": {}}
    test = load(PLAN, {**changes, **given})
    virtual = simulate(test)

    def disturb(life):
        journal = folder / "journal"
        if not disturbed and journal.exists() and journal.stat().st_size > 5000:
            disturbed.append(True)
            (tmp_path / "wall.toml").unlink()
            shutil.rmtree(folder) if how == "deleted" else folder.rename(tmp_path / "elsewhere")

    disturbed: list[bool] = []
    stop = run_realtime(test, folder, PATIENT, visit=disturb)
    assert stop.reason == "interrupted"
    record = read(folder / "record.h5")
    assert "deleted or moved" in str(record.details["events"])
    command = record["compensator.command"]
    assert len(command) == stop.tick < test.clock.ticks
    rows = int(np.argmax(record["safety.phase"][:, 0] >= RAMPING_OUT))
    assert np.array_equal(command[:rows], virtual["compensator.command"][:rows])


def test_a_folder_that_is_replaced_by_a_file_ends_the_test_and_its_record_is_named(tmp_path):
    changes = {"clock.tick": 1 / 1024, "clock.duration": 20.0, "safety": {"rate": 0.05}}
    folder, test = tmp_path / "run", load(PLAN, changes)

    def replace(life):
        journal = folder / "journal"
        if folder.is_dir() and journal.exists() and journal.stat().st_size > 5000:
            shutil.rmtree(folder)
            folder.write_text("somebody's")

    with pytest.raises(InputError, match="was replaced in mid-run") as error:
        run_realtime(test, folder, PATIENT, visit=replace)
    (spare,) = tmp_path.glob("run-rescued-*")
    assert str(spare) in error.value.problem
    assert folder.read_text() == "somebody's"
    record, virtual = read(spare / "record.h5"), simulate(test)
    assert record.stop.reason == "interrupted"
    assert f"kept in {spare}" in str(record.details["events"])
    command = record["compensator.command"]
    assert len(command) == record.stop.tick < test.clock.ticks
    rows = int(np.argmax(record["safety.phase"][:, 0] >= RAMPING_OUT))
    assert np.array_equal(command[:rows], virtual["compensator.command"][:rows])


@pytest.mark.parametrize("how", ["deleted", "moved", "replaced"])
def test_a_folder_into_which_a_run_had_to_go_is_held_by_it(tmp_path, how):
    """Else its rig would count as latched by a run that is over, and could be acknowledged."""
    safe = {"safety": {"rate": 0.0005, "hold": 0.2}}
    test = load(PLAN, {"clock.tick": 1 / 1024, "clock.duration": 20.0, **safe})
    folder, held, disturbed = tmp_path / "run", [], []

    def visit(life):
        journal = folder / "journal"
        if not disturbed and journal.exists() and journal.stat().st_size > 5000:
            disturbed.append(True)
            folder.rename(tmp_path / "elsewhere") if how == "moved" else shutil.rmtree(folder)
            if how == "replaced":
                folder.write_text("somebody's")
        elif disturbed:
            held.append(RunDirectory(life.folder).is_held())

    with suppress(InputError):  # a record is elsewhere
        run_realtime(test, folder, PATIENT, visit=visit)
    assert held[-1]
    (kept,) = tmp_path.glob("run-rescued-*") if how == "replaced" else [folder]
    assert not RunDirectory(kept).is_held()


def test_what_the_system_refuses_the_loop_is_told_in_one_message(test, tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device", "machine.json")

    directory = RunDirectory(tmp_path)
    _, ring = supervisor._prepare(test, directory, Pace())
    monkeypatch.setattr(loop_process, "_prepare", full)
    monkeypatch.setattr(loop_process, "obey_signals", lambda words: None)
    with pytest.raises(SystemExit):
        loop_process.main(tmp_path)
    ring.remove()
    assert "'machine.json': cannot be used (No space left" in str(supervisor._refusal(directory))


@pytest.mark.parametrize("word", [signal.SIGTERM, signal.SIGKILL])
def test_a_loop_that_is_ended_while_arming_is_told_in_one_message(
    test, tmp_path, word, monkeypatch
):
    def end_at_once(command, **options):  # a signal sent to it may come after it has begun
        ending = f"import os; os.kill(os.getpid(), {int(word)})"
        return popen([sys.executable, "-c", ending], **options)

    popen = subprocess.Popen
    monkeypatch.setattr("rths.realtime.supervisor.subprocess.Popen", end_at_once)
    with pytest.raises(InputError, match="ended from outside before it began"):
        run_realtime(test, tmp_path / "run", PATIENT)
    assert not (tmp_path / "run/journal").exists()  # or the next run is told to recover this one


def test_modules_in_the_current_folder_are_not_taken_for_those_of_python(
    test, tmp_path, monkeypatch
):
    mark = tmp_path / "executed"
    for name in ("secrets", "json", "numpy", "rths"):
        (tmp_path / f"{name}.py").write_text(f"open({str(mark)!r}, 'w')\nraise SystemExit(7)\n")
    monkeypatch.chdir(tmp_path)
    assert run_realtime(test, tmp_path / "run", PATIENT).completed
    assert not mark.exists()


@pytest.mark.parametrize(("rows", "seconds"), [(0, 0.0), (5, 5 * TICK), (500, LOOK)])
def test_a_look_moves_the_share_on_by_the_time_of_the_loop(tmp_path, rows, seconds):
    class Life:
        """Takes what the supervisor hands on."""

        moved: ClassVar[list[float]] = []
        path = tmp_path / "journal"

        def append(self, rows):
            """As a journal."""

        def visit(self, seconds, tick):
            self.moved.append(seconds)

    life = Life()
    ring = SharedRing.create(tmp_path / "ring", rows=512, columns=2)
    ring.write(ControlWord.WRITTEN, rows)
    Supervision(ring, life, life, [], TICK, str).look()
    assert life.moved.pop() == seconds


@pytest.mark.parametrize("kind", ["mine.py:Mine", "../mine.py:Mine", "mine:Mine"])
def test_a_block_of_ones_own_runs_live_though_the_run_directory_is_elsewhere(tmp_path, kind):
    """The loop is another process, and reads the plan from the run directory."""
    folder = tmp_path / "plans"
    folder.mkdir()
    program = "from rths.specimen.spring import Spring\n\n\nclass Mine(Spring):\n    pass\n"
    own = (folder / kind.partition(":")[0]).with_suffix(".py")
    own.write_text(program)
    given = PLAN.read_text("utf-8").replace('[specimen]\nkind = "spring"', '[specimen]\nkind = "K"')
    (folder / "plan.toml").write_text(given.replace('"K"', f'"{kind}"'))
    test = load(folder / "plan.toml", {"clock.tick": 1 / 1024, "clock.duration": 0.05}, trust=True)
    stop = run_realtime(test, tmp_path / "runs" / "one", PATIENT)
    assert stop.completed
    record = read(tmp_path / "runs" / "one" / "record.h5")
    assert record.files["specimen.kind"].decode() == program
    assert own.read_text() == program
