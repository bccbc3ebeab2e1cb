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


@pytest.mark.parametrize(
    "damaged",
    [
        {"latch": 1 << 63},
        {"latches": (1 << 63) - 1, "engaged": True},
        {"session": 1 << 128},
        {"latch": -1},
        {"engaged": ""},  # would be taken for no session
        {"releases": 5},
    ],
)
def test_a_memory_of_no_rig_is_refused_in_words(tmp_path, damaged):
    (tmp_path / "memory").write_text(json.dumps(damaged))
    with pytest.raises(InputError, match="cannot be read"):
        RigMemory.load(tmp_path / "memory")
