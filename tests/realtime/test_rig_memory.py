"""The memory of a rig: a disk that is full neither ends the rig nor is forgotten."""

from __future__ import annotations

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
