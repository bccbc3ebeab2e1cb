"""A record is verified: what was changed since it was recorded is named."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict, replace

import h5py
import pytest

from rths.config.plan import load
from rths.errors import InputError
from rths.records.hdf5 import add_details
from rths.records.trail import Event, chain
from rths.records.verification import verify
from rths.run.virtual import rehearse
from rths.studies.wallace2005.three_ways import PLAN


@pytest.fixture(scope="module")
def sealed(tmp_path_factory):
    path = tmp_path_factory.mktemp("sealed") / "record.h5"
    rehearse(load(PLAN, {"clock.duration": 0.1}), path, changes={"clock.duration": 0.1})
    return path


@pytest.fixture
def record(sealed, tmp_path):
    return shutil.copy(sealed, tmp_path / "record.h5")


def test_a_record_is_whole_and_tells_who_changed_what(record):
    found = verify(record)
    assert found.whole
    assert "changed: clock.duration = 0.1" in found.events[0].reason
    assert "@" in found.events[0].by
    assert {"plan", "versions", "seal"} <= set(found.events[0].about)


def shift_sample(file):
    file["feedback/force"][5, 0] += 1e-12


def rescale(file):
    file["feedback/force"].attrs["unit"] = "kN"


def change_plan(file):
    file.attrs["plan"] = file.attrs["plan"].replace("2250.0", "2251.0")


def change_version(file):
    file.attrs["versions"] = file.attrs["versions"].replace("numba", "nimba")


def remove_signal(file):
    del file["feedback/force"]


def add_signal(file):
    file["feedback/invented"] = [1.0]


def edit_trail(file):
    file.attrs["events"] = file.attrs["events"].replace("rehearsed W", "certified W")


def remove_trail(file):
    file.attrs["events"] = "[]"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (shift_sample, "feedback/force was changed"),
        (rescale, "feedback/force was changed"),
        (change_plan, "plan is not what the test was begun with"),
        (change_version, "the attribute versions was changed"),
        (remove_signal, "feedback/force was taken out"),
        (add_signal, "feedback/invented was put in"),
        (remove_trail, "its trail holds no seal"),
    ],
)
def test_what_was_changed_is_named(record, change, told):
    with h5py.File(record, "r+") as file:
        change(file)
    found = verify(record)
    assert not found.whole
    assert told in " ".join(found.problems)


def test_an_entry_that_is_changed_breaks_the_chain_behind_it(record):
    with h5py.File(record) as file:
        events = [Event(**e) for e in json.loads(file.attrs["events"])]
    events = chain([*events, Event("later", "idle", "acknowledged by A. Tester")])
    add_details(record, {"events": [asdict(e) for e in events]})
    assert verify(record).whole
    with h5py.File(record, "r+") as file:
        edit_trail(file)
    assert "entry 2 of the trail (later" in verify(record).problems[0]


def test_a_record_that_was_sealed_anew_is_found_by_the_seal_that_was_written_down(record):
    seal = verify(record).seal
    assert verify(record, seal[:12]).whole
    assert "sealed anew" in verify(record, "0" * 12).problems[0]
    with pytest.raises(InputError, match="too short"):
        verify(record, "0")


def read_trail(record):
    with h5py.File(record) as file:
        return [Event(**e) for e in json.loads(file.attrs["events"])]


def change_last(events):
    return [*events[:-1], replace(events[-1], by="somebody else")]


def make_anew(events):
    return chain([replace(e, by="somebody else", before=None) for e in events])


def forge(events):
    return chain([*events, Event("later", "idle", "acknowledged by nobody")])


@pytest.mark.parametrize("forged", [change_last, make_anew])
def test_a_trail_that_was_made_anew_is_found_by_the_seal_that_was_written_down(record, forged):
    seal = verify(record).seal
    add_details(record, {"events": [asdict(e) for e in forged(read_trail(record))]})
    assert "sealed anew" in verify(record, seal).problems[-1]


def test_entries_after_a_seal_are_counted_and_a_later_seal_covers_them(record):
    seal = verify(record).seal
    add_details(record, {"events": [asdict(e) for e in forge(read_trail(record))]})
    assert (verify(record, seal).whole, verify(record, seal).later) == (True, 1)
    later = verify(record).seal
    assert verify(record, later).later == 0
    add_details(record, {"events": [asdict(e) for e in change_last(read_trail(record))]})
    assert not verify(record, later).whole


@pytest.mark.parametrize("link", ["hard", "soft"])
def test_another_name_for_a_dataset_is_seen(record, link):
    with h5py.File(record, "r+") as file:
        data = file["compensator/command"]
        file["another"] = data if link == "hard" else h5py.SoftLink("/compensator/command")
    assert "was put in" in " ".join(verify(record).problems)


def test_a_run_that_was_killed_has_no_seal(record):
    with h5py.File(record, "r+") as file:
        del file.attrs["seal"]
    assert "never sealed" in verify(record).problems[0]


def test_a_record_that_claims_more_than_it_holds_is_not_hashed_for_days(record):
    with h5py.File(record, "r+") as file:
        file["integrator/target"].resize(1 << 40, axis=0)
    with pytest.raises(InputError, match="claims"):
        verify(record)
