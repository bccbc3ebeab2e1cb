"""A test on the clock: the same numbers as off it, and none of them lost whatever is killed."""

from __future__ import annotations

import json
import resource
from pathlib import Path

import numpy as np
import pytest

from rths.config.plan import load
from rths.errors import InputError
from rths.realtime.control_words import ControlWord
from rths.realtime.journal import Journal, read_journal
from rths.realtime.recovery import recover
from rths.realtime.ring import SharedRing
from rths.realtime.supervisor import Pace, run_realtime
from rths.records.hdf5 import read
from rths.run.virtual import simulate
from rths.safety.latch import RAMPING_OUT
from rths.studies.wallace2005.three_ways import PLAN

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


def test_slips_beyond_what_the_plan_allows_end_the_test(test, tmp_path):
    stop = run_realtime(test, tmp_path / "run", Pace(slips=-1, heartbeat=30.0))
    assert stop.reason in ("slips", "completed")  # a machine that never slips has nothing to end


def test_a_journal_that_breaks_off_is_read_up_to_its_last_whole_row(tmp_path):
    rows = np.arange(12.0).reshape(4, 3)
    with Journal(tmp_path / "journal", {"width": 3}) as journal:
        journal.append(rows)
    whole = (tmp_path / "journal").read_bytes()
    (tmp_path / "journal").write_bytes(whole[:-5])
    about, found = read_journal(tmp_path / "journal")
    assert about["width"] == 3
    assert np.array_equal(found, rows[:3])


class Full:
    """A disk that is full from now on: files of this process cannot grow any more."""

    def __enter__(self):
        self.before = resource.getrlimit(resource.RLIMIT_FSIZE)
        self.on = False
        return self

    def __call__(self, folder: Path) -> None:
        size = (folder / "journal").stat().st_size
        if not self.on and size > 5000:
            self.on = True
            resource.setrlimit(resource.RLIMIT_FSIZE, (size + 1000, self.before[1]))

    def __exit__(self, *error):
        resource.setrlimit(resource.RLIMIT_FSIZE, self.before)


@pytest.mark.parametrize("safety", [None, {"rate": 0.05, "hold": 0.02}])
def test_a_full_disk_ends_the_test_and_loses_no_sample(tmp_path, safety):
    changes = {"clock.tick": 1 / 1024, "clock.duration": 20.0}
    test = load(PLAN, {**changes, **({"safety": safety} if safety else {})})
    folder = tmp_path / "run"
    with Full() as full, pytest.raises(InputError, match="rths recover") as error:
        run_realtime(test, folder, PATIENT, visit=lambda life: full(folder))
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


def test_rows_that_find_no_room_are_taken_back_as_a_whole(tmp_path):
    rows = np.arange(3000.0).reshape(1000, 3)
    with Journal(tmp_path / "journal", {"width": 3}) as journal:
        journal.append(rows[:300])
        with Full() as full:
            full(tmp_path)
            with pytest.raises(OSError, match="large"):
                journal.append(rows[300:])
        journal.append(rows[300:600])
    assert np.array_equal(read_journal(tmp_path / "journal")[1], rows[:600])


def test_a_file_that_is_no_journal_is_refused(tmp_path):
    (tmp_path / "journal").write_bytes(b"no journal")
    with pytest.raises(InputError, match="journal"):
        read_journal(tmp_path / "journal")


def test_the_ring_gives_each_row_once_and_in_order(tmp_path):
    ring = SharedRing.create(tmp_path / "ring", 5, 2)
    assert len(ring.rows) == 8
    taken = []
    for head in (3, 8, 13):
        for k in range(ring.read(ControlWord.WRITTEN), head):
            ring.rows[k % 8] = (k, -k)
        ring.write(ControlWord.WRITTEN, head)
        taken.append(ring.copy_new())
        ring.release(len(taken[-1]))
    assert np.array_equal(np.concatenate(taken)[:, 0], np.arange(13))
    assert (ring.read(ControlWord.TAKEN), ring.read(ControlWord.LOST)) == (13, 0)
