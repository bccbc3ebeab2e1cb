"""The memory of a rig: a disk that is full neither ends the rig nor is forgotten."""

from __future__ import annotations

import json

import pytest

from rths.errors import InputError
from rths.realtime.rig_memory import RigMemory


def test_a_rig_whose_memory_cannot_be_written_serves_on_and_tries_again(tmp_path):
    memory = RigMemory(tmp_path / "gone" / "memory")
    memory.keep(session=5, engaged=True)
    assert memory.unwritten
    (tmp_path / "gone").mkdir()
    memory.keep(session=5, engaged=True)  # nothing is new, and yet it was never written
    assert not memory.unwritten
    kept = RigMemory.load(tmp_path / "gone" / "memory")
    assert (kept.session, kept.latch, kept.unwritten) == (5, 1, False)


WHOLE = {"latch": 0, "latches": 2, "session": 5, "engaged": False, "releases": []}


def test_a_whole_memory_is_read(tmp_path):
    (tmp_path / "memory").write_text(json.dumps(WHOLE))
    assert RigMemory.load(tmp_path / "memory").latches == 2


@pytest.mark.parametrize(
    "damaged",
    [
        {"latch": 1 << 63},
        {"latches": (1 << 63) - 1, "engaged": True},
        {"session": 1 << 128},
        {"latch": -1},
        {"latch": 3},  # it had two
        {"engaged": ""},  # would be taken for no session
        {"releases": 5},
        {"unwritten": True},
    ],
)
def test_a_memory_of_no_rig_is_refused_in_words(tmp_path, damaged):
    _refuse(tmp_path / "memory", WHOLE | damaged)


@pytest.mark.parametrize("field", WHOLE)
def test_what_is_missing_is_not_taken_for_a_rig_that_is_free(tmp_path, field):
    _refuse(tmp_path / "memory", {k: v for k, v in WHOLE.items() if k != field})


def test_a_memory_on_a_disk_that_is_not_there_is_not_an_empty_one(tmp_path):
    (tmp_path / "memory").symlink_to(tmp_path / "disk" / "memory")
    for path in (tmp_path / "disk" / "memory", tmp_path / "memory"):
        with pytest.raises(InputError, match="cannot be read"):
            RigMemory.load(path)
    assert RigMemory.load(tmp_path / "new").latch == 0


def _refuse(path, stored):
    path.write_text(json.dumps(stored))
    with pytest.raises(InputError, match="cannot be read"):
        RigMemory.load(path)
