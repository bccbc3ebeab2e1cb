"""A record that was cut off is mended by the rules of its format."""

from __future__ import annotations

from rths.records.salvage import checksum, stored_end


def test_the_checksum_of_a_superblock_is_that_of_the_library(record_file):
    head = record_file.read_bytes()[:48]
    assert checksum(head[:44]) == int.from_bytes(head[44:], "little")
    assert stored_end(record_file) == record_file.stat().st_size
