"""The keyed hash is the published one."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from rths.hardware.wire.keyed_hash import hash_bytes

KEY = bytes(range(16))
PUBLISHED = Path(__file__).with_name("siphash_vectors.txt")
"""Hashes of no byte, of 0, of 0 1, ... up to 63 bytes: vectors_sip128 of the reference code."""


def test_the_hash_is_that_of_the_64_published_vectors():
    found = [hash_bytes(KEY, bytes(range(n))).hex() for n in range(64)]
    assert found == PUBLISHED.read_text().split()


@given(st.binary(max_size=80), st.integers(0, 8 * 16 - 1))
def test_every_bit_of_the_key_changes_the_hash(data, bit):
    other = bytearray(KEY)
    other[bit // 8] ^= 1 << bit % 8
    assert hash_bytes(KEY, data) != hash_bytes(bytes(other), data)
