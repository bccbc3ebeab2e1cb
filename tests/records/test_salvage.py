"""A record that was cut off is mended by the rules of its format."""

from __future__ import annotations

import struct

import h5py
import pytest

from rths.errors import InputError
from rths.records.hdf5 import read
from rths.records.salvage import Salvaged, checksum, is_open, stored_end


def test_the_checksum_of_a_superblock_is_that_of_the_library(record_file):
    head = record_file.read_bytes()[:48]
    assert checksum(head[:44]) == int.from_bytes(head[44:], "little")
    assert stored_end(record_file) == record_file.stat().st_size


def leave_open(path):
    """Make a file look as if its writer had been killed."""
    content = bytearray(path.read_bytes())
    content[11] = 0x05  # being written, beside readers
    content[44:48] = struct.pack("<I", checksum(bytes(content[:44])))
    path.write_bytes(content)
    return content


def test_a_file_that_was_left_open_is_read_without_a_copy(record_file):
    rows = read(record_file).rows
    leave_open(record_file)
    assert is_open(record_file)
    assert (read(record_file).rows == rows).all()


def test_a_damaged_file_that_was_left_open_is_refused_and_not_waited_for(record_file):
    # the library's mode for readers beside a writer sleeps for hours here
    content = leave_open(record_file)
    root = struct.unpack_from("<Q", content, 36)[0]
    content[root + 8] ^= 0xFF
    record_file.write_bytes(content)
    with pytest.raises(InputError, match="is damaged"):
        read(record_file)


def test_what_is_missing_is_shown_as_zeros(record_file):
    whole = record_file.read_bytes()
    record_file.write_bytes(whole[:-100])
    with Salvaged(record_file) as file:
        assert file.seek(-100, 2) == len(whole) - 100
        assert file.read(200) == bytes(100)
        assert file.seek(48) == 48
        assert file.read(60) == whole[48:108]
    with h5py.File(Salvaged(record_file), "r") as file:
        assert file.filename == str(record_file)
