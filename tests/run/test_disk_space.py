"""A record that cannot fit is refused before the test begins, and only then."""

from __future__ import annotations

import os
import shutil
from collections import namedtuple

import pytest

from rths.config.plan import load
from rths.errors import InputError
from rths.run.disk_space import TEXT_BYTES, check_disk_space, record_bytes
from rths.run.virtual import rehearse
from rths.studies.wallace2005.three_ways import PLAN

Usage = namedtuple("Usage", "total used free")


@pytest.fixture
def free(monkeypatch):
    """Say how many bytes are free on every disk."""
    asked = []

    def say(count):
        def usage(path):
            asked.append(path)
            return Usage(1e15, 0, count)

        monkeypatch.setattr(shutil, "disk_usage", usage)
        return asked

    return say


@pytest.mark.parametrize("duration", [0.1, 60.0])
def test_the_room_foreseen_is_what_the_file_claims(tmp_path, monkeypatch, duration):
    claimed = []
    claim = os.posix_fallocate
    monkeypatch.setattr(os, "posix_fallocate", lambda *a: (claimed.append(a[2]), claim(*a)))
    test = load(PLAN, {"clock.duration": duration})
    rehearse(test, tmp_path / "record.h5")
    size = (tmp_path / "record.h5").stat().st_size
    assert size <= max(claimed) <= record_bytes(test, realtime=False) <= max(claimed) + TEXT_BYTES


def test_the_files_of_a_plan_take_room_too(tmp_path):
    motion = tmp_path / "motion.csv"
    motion.write_text("time (s),acceleration (m/s2)\n0.00,1\n0.01,2\n0.02,1\n")
    quake = {"excitation": {"kind": "ground_motion", "motion": str(motion)}}
    before = [record_bytes(load(PLAN, quake), live) for live in (False, True)]
    motion.write_text(motion.read_text() + f"# {'x' * 10_000}\n")
    after = [record_bytes(load(PLAN, quake), live) for live in (False, True)]
    # in the record, and of a run on the clock in a copy beside it
    assert [b - a for a, b in zip(before, after, strict=True)] == [10_003, 2 * 10_003]


def test_slower_signals_take_less(tmp_path):
    fast = load(PLAN, {"clock.duration": 100.0})
    slow = load(PLAN, {"clock.duration": 100.0, "clock.step": 0.004})
    assert record_bytes(slow, False) < record_bytes(fast, False)


def test_two_hundred_million_ticks_are_refused_with_field_sizes_and_remedy(free, tmp_path):
    free(1_000_000_000)
    test = load(PLAN, {"clock.duration": 2e5, "record.signals": ["feedback.force"]})
    assert test.clock.ticks > 1.9e8
    with pytest.raises(InputError, match=r"1\.63 GB.*") as error:
        check_disk_space(test, tmp_path / "not" / "yet")
    assert error.value.field == "clock.duration"
    assert "1 GB free" in error.value.problem
    assert "--out" in error.value.remedy
    free(3_000_000_000)
    check_disk_space(test, tmp_path / "not" / "yet")


def test_the_disk_asked_is_that_of_the_nearest_directory_that_exists(free, tmp_path):
    asked = free(1e12)
    check_disk_space(load(PLAN), tmp_path / "a" / "b")
    assert asked == [tmp_path]


def test_a_run_on_the_clock_needs_room_for_its_journal_too():
    test = load(PLAN)
    width, ticks = len(test.layout.record_slots), test.clock.ticks
    journal, timing = 8 * (width + 3) * ticks, 16 * ticks
    more = record_bytes(test, realtime=True) - record_bytes(test, realtime=False)
    assert more == pytest.approx(journal + timing, rel=1e-12)
