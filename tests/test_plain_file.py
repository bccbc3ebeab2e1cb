"""What is read is a file, and what is written is a file of its own."""

from __future__ import annotations

import os

import h5py
import pytest

from rths.config.plan import load
from rths.errors import InputError
from rths.hardware.wire.key_file import read_key
from rths.plain_file import write_text
from rths.realtime.rig_memory import RigMemory
from rths.run.virtual import rehearse
from rths.studies.wallace2005.three_ways import PLAN


def test_a_file_is_written_as_a_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "events.json"
    write_text(path, "before")

    def full(file, *given, **more):
        os.close(file)
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("rths.plain_file.os.fdopen", full)
    with pytest.raises(OSError, match="space"):
        write_text(path, "after")
    assert path.read_text() == "before"
    assert [p.name for p in tmp_path.iterdir()] == ["events.json"]


@pytest.mark.parametrize("name", ["events.json", "events.json.part"])
def test_a_link_in_the_place_of_a_file_is_not_written_through(tmp_path, name):
    other = tmp_path / "thesis.txt"
    other.write_text("years of work")
    (tmp_path / name).symlink_to(other)
    write_text(tmp_path / "events.json", "[]")
    assert other.read_text() == "years of work"
    assert (tmp_path / "events.json").read_text() == "[]"


def test_a_record_is_not_written_through_a_link(tmp_path):
    other = tmp_path / "thesis.txt"
    other.write_text("years of work")
    (tmp_path / "record.h5").symlink_to(other)
    rehearse(load(PLAN, {"clock.duration": 0.05}), tmp_path / "record.h5")
    assert other.read_text() == "years of work"
    assert h5py.is_hdf5(tmp_path / "record.h5")


@pytest.mark.parametrize("use", [load, read_key, RigMemory.load])
def test_a_pipe_or_a_device_is_not_waited_for(tmp_path, use):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="a pipe or a device, not a file"):
        use(tmp_path / "pipe" if use is not read_key else str(tmp_path / "pipe"))
    with pytest.raises(InputError, match="a pipe or a device, not a file"):
        use("/dev/zero" if use is read_key else type(tmp_path)("/dev/zero"))
