"""A file in which the library would never come to an end is refused before it is opened."""

from __future__ import annotations

import struct

import h5py
import pytest

from rths.errors import InputError
from rths.motions import global_heap
from rths.motions.global_heap import HEAD_BYTES, SIGNATURE, check_heaps
from rths.motions.motion import read_motion
from rths.realtime.events import put_into_record
from rths.records.hdf5 import add_details, read
from rths.run.run_directory import RunDirectory

SMALL = 4096
"""Bytes of a window in the test of where windows meet."""


@pytest.fixture
def texts(tmp_path):
    path = tmp_path / "texts.mat"
    with h5py.File(path, "w") as file:
        for k in range(4):
            file.attrs[f"text {k}"] = "x" * (20 * k)
    return path


def empty_what_is_free(path):
    """Give the free object of the last collection no length."""
    content = bytearray(path.read_bytes())
    first = content.rindex(SIGNATURE)
    at = first + 16
    while struct.unpack_from("<H", content, at)[0]:
        at += 16 + (struct.unpack_from("<Q", content, at + 8)[0] + 7) // 8 * 8
    struct.pack_into("<Q", content, at + 8, 0)
    path.write_bytes(content)


def test_a_sound_file_is_let_through(texts):
    check_heaps(texts)
    with h5py.File(texts) as file:
        assert len(file.attrs["text 3"]) == 60


def test_an_object_that_is_followed_by_itself_is_found(texts):
    empty_what_is_free(texts)
    with pytest.raises(ValueError, match="no end"):
        check_heaps(texts)


@pytest.mark.parametrize("before", [0, 1, len(SIGNATURE) - 1, len(SIGNATURE), 2000])
def test_it_is_found_wherever_windows_meet(tmp_path, monkeypatch, before):
    monkeypatch.setattr(global_heap, "WINDOW", SMALL)
    endless = SIGNATURE + struct.pack("<Q", 4096) + struct.pack("<H6xQ", 0, 0)
    path = tmp_path / "long.h5"
    path.write_bytes(bytes(2 * SMALL - before) + endless + bytes(SMALL + 5))
    with pytest.raises(ValueError, match=f"at byte {2 * SMALL - before} "):
        check_heaps(path)
    path.write_bytes(
        path.read_bytes().replace(endless, endless[:HEAD_BYTES] + bytes([1]) * HEAD_BYTES)
    )
    check_heaps(path)


@pytest.mark.parametrize("reader", [read, read_motion])
def test_such_a_file_is_refused_by_its_reader(texts, reader):
    empty_what_is_free(texts)
    with pytest.raises(InputError, match=r"is damaged|cannot be read"):
        reader(texts)


def test_nothing_is_added_to_such_a_record(texts):
    directory = RunDirectory(texts.parent)
    texts.rename(directory.record)
    empty_what_is_free(directory.record)
    before = directory.record.read_bytes()
    with pytest.raises(ValueError, match="no end"):
        add_details(directory.record, {"events": []})
    put_into_record(directory, [])  # an acknowledgement goes on without it
    assert directory.record.read_bytes() == before


def test_a_file_that_ends_within_a_collection_is_left_to_the_library(texts):
    content = texts.read_bytes()
    texts.write_bytes(content[: content.rindex(SIGNATURE) + 12])
    check_heaps(texts)
    texts.write_bytes(b"")
    check_heaps(texts)


def test_a_collection_longer_than_what_is_read_at_once_is_walked_to_its_end(tmp_path, monkeypatch):
    monkeypatch.setattr(global_heap, "PORTION", 100)
    path, objects = tmp_path / "long.h5", struct.pack("<HHIQ8x", 1, 0, 0, 8) * 50
    head, free = SIGNATURE + struct.pack("<Q", 4096), struct.pack("<H6xQ", 0, 0)
    path.write_bytes(head + objects + free + bytes(5000))
    with pytest.raises(ValueError, match="no end"):
        check_heaps(path)
    path.write_bytes(head + objects + struct.pack("<H6xQ", 0, 16) + bytes(5000))
    check_heaps(path)
