"""Timing in a record: what was written is read, others can read it, and it is right."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace

import h5py
import numpy as np
import pytest

from rths.config.plan import load
from rths.records.export import FORMATS, export
from rths.records.hdf5 import add_details, read, write
from rths.records.timing import MISSED, REFUSED, ROUND_TRIP, Link, Timing, link_of
from rths.run.repetition import repetition
from rths.run.virtual import rehearse, simulate
from rths.studies.wallace2005.three_ways import PLAN

EVENTS = [{"time": "2026-01-01T00:00:00+00:00", "state": "idle", "reason": "done", "tick": 7}]
MACHINE = [{"name": "timer", "granted": False, "words": "an ordinary kernel"}]


@pytest.fixture(scope="module")
def record():
    plain = simulate(load(PLAN, {"clock.duration": 0.5}))
    random = np.random.default_rng(1)
    latency, work = random.exponential(5e-5, (2, len(plain.rows)))
    details = {**plain.details, "events": EVENTS, "machine": MACHINE}
    return replace(plain, timing=Timing(latency, work, slips=3, lost=2), details=details)


@pytest.fixture(scope="module")
def file(record, tmp_path_factory):
    path = tmp_path_factory.mktemp("timed") / "record.h5"
    write(record, path)
    return path


def test_timing_events_and_machine_survive_writing_reading_and_writing_again(
    record, file, tmp_path
):
    write(read(file), tmp_path / "again.h5")
    for path in (file, tmp_path / "again.h5"):
        back = read(path)
        assert np.array_equal(back.timing.latency, record.timing.latency)
        assert np.array_equal(back.timing.execution_time, record.timing.execution_time)
        assert back.timing.counts == {"slips": 3, "lost_rows": 2}
        assert (back.details["events"], back.details["machine"]) == (EVENTS, MACHINE)
        assert list(back) == list(record)  # timing is no signal of the test


def test_plain_h5py_finds_values_counts_and_percentiles_in_seconds(record, file):
    with h5py.File(file) as h5:
        group = h5["timing"]
        assert set(group) == {"latency", "execution_time", "slips", "lost_rows"}
        assert group["latency"].shape == (len(record.rows),)
        assert group["slips"][()] == 3
        # by counting, not by the function that wrote them
        ordered = np.sort(record.timing.latency)
        for name, share in (("p50", 0.5), ("p99", 0.99), ("p99_9", 0.999)):
            below = np.mean(ordered <= group.attrs[f"latency_{name}"])
            assert below == pytest.approx(share, abs=1 / len(ordered))
        assert group.attrs["execution_time_max"] == record.timing.execution_time.max()


def test_a_run_off_the_clock_has_no_timing(tmp_path):
    rehearse(load(PLAN, {"clock.duration": 0.1}), tmp_path / "r.h5")
    assert read(tmp_path / "r.h5").timing is None
    with h5py.File(tmp_path / "r.h5") as h5:
        assert "timing" not in h5
        assert "machine" not in h5.attrs


def signals(trips, missed, refused):
    columns = zip((ROUND_TRIP, MISSED, REFUSED), (trips, missed, refused), strict=True)
    return {name: np.array(values, float)[:, None] for name, values in columns}


def test_a_round_trip_counts_only_where_an_answer_came():
    given = signals([1e-4, 5e-4, 5e-4, 2e-4], missed=[0, 1, 2, 0], refused=[0, 0, 1, 3])
    link = link_of(given)
    assert link.round_trip.tolist() == [1e-4, 2e-4]
    assert (link.missed, link.refused) == (2, 3)


def test_a_link_that_is_simulated_or_none_has_no_round_trips():
    assert link_of({}) is None
    assert link_of(signals([0.0, 0.0], [0, 0], [0, 0])) is None


def test_without_a_single_answer_there_are_counts_but_no_percentiles():
    link = link_of(signals([5e-4, 5e-4], missed=[1, 2], refused=[0, 0]))
    timing = Timing(np.ones(2), np.ones(2), link=link)
    assert timing.counts["missed_replies"] == 2
    assert "round_trip" not in timing.percentiles
    assert Timing(np.empty(0), np.empty(0), link=Link(np.empty(0), 0, 0)).percentiles == {}


def test_a_record_with_timing_is_exported_and_repeated_as_any_other(file, tmp_path):
    for form in FORMATS:
        assert export(read(file), form, tmp_path / f"record.{form}")
    assert repetition(file).identical


@pytest.mark.parametrize("share", [0.9, 0.6])
def test_a_truncated_record_with_timing_is_still_read(share, record, file, tmp_path):
    cut = tmp_path / "cut.h5"
    cut.write_bytes(file.read_bytes()[: int(share * file.stat().st_size)])
    left = read(cut)
    assert 0 < len(left) <= len(record)
    assert left.timing.slips == 3


def test_events_known_only_later_are_added_and_nothing_else_changes(file, tmp_path):
    path = tmp_path / "later.h5"
    shutil.copy(file, path)
    later = [*EVENTS, {**EVENTS[0], "reason": "acknowledged by A"}]
    add_details(path, {"events": later})
    before, after = read(file), read(path)
    assert after.details["events"] == later
    assert all(np.array_equal(before[n], after[n]) for n in before)
    assert after.stop == before.stop


@pytest.mark.skipif(shutil.which("octave") is None, reason="Octave is not installed")
def test_octave_reads_the_timing(record, file):
    script = (
        f"r = load('-hdf5', '{file}');"
        "printf('%.17g %d %d', max(r.timing.latency), numel(r.timing.latency), r.timing.slips);"
    )
    done = subprocess.run(
        ["octave", "--no-gui", "--norc", "-q", "--eval", script],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    largest, count, slips = done.stdout.split()[:3]
    assert float(largest) == record.timing.latency.max()
    assert (int(count), int(slips)) == (len(record.rows), 3)
