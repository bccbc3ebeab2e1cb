"""The packets: what is written can be read, and nothing else can."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rths.hardware.wire.layout import COMMAND, HEADER_WORDS, MEASUREMENT, first_word, words_of
from rths.hardware.wire.packet import Packet, unpack
from rths.hardware.wire.seal import is_whole
from rths.loop.compilation import compile_function

finite = st.floats(allow_nan=False)
word = st.integers(0, 2**32 - 1)
packets = st.builds(
    Packet,
    kind=st.just(MEASUREMENT),
    sequence=st.integers(0, 2**53),
    time=st.integers(-(2**62), 2**62),
    session=st.integers(0, 2**128 - 1),
    values=st.lists(st.tuples(finite, finite, finite, word), min_size=1, max_size=8).map(tuple),
    flags=word,
    other_time=st.integers(-(2**62), 2**62),
)
M = 2
KEY = bytes(range(1, 17))
MADE = Packet(MEASUREMENT, 5, 7, 9, ((0.1, 0.2, 0.3, 4), (0.5, 0.6, 0.7, 8)), 0, 11)
GOOD = MADE.pack(KEY)


@cache
def counting():
    import numba

    reader = compile_function(is_whole)

    @numba.njit
    def count(rows, sizes, words, first, key):
        found = 0
        for k in range(len(rows)):
            if reader(np.int64(rows[k].ctypes.data), sizes[k], words, first, key):
                found += 1
        return found

    return count


def accepted(strings: np.ndarray, sizes: np.ndarray) -> int:
    """Count the byte strings (rows) that the loop's own reader accepts as measurements."""
    words, first = words_of(MEASUREMENT, M), first_word(MEASUREMENT, M)
    key = np.frombuffer(KEY, np.int64)
    return int(counting()(strings, sizes, words, first, key.ctypes.data))


def rows_of(strings: list[bytes], width: int = 256) -> tuple[np.ndarray, np.ndarray]:
    rows = np.zeros((len(strings), width), np.uint8)
    for k, s in enumerate(strings):
        rows[k, : len(s)] = np.frombuffer(s, np.uint8)
    return rows, np.array([len(s) for s in strings])


@given(packets, st.binary(min_size=16, max_size=16))
def test_a_packet_is_read_as_it_was_written(packet, key):
    assert unpack(packet.pack(key), key) == packet


@given(packets)
def test_without_the_key_a_packet_is_none(packet):
    assert unpack(packet.pack(KEY)) is None
    assert unpack(packet.pack(), KEY) is None


def test_the_layout_is_the_documented_one():
    at = {k: GOOD[8 * k : 8 * k + 8] for k in range(len(GOOD) // 8)}
    assert at[0] == b"RTHS" + bytes([2, 2, 2, 0])
    assert int.from_bytes(at[1], "little") == 5
    assert int.from_bytes(at[3] + at[4], "little") == 9
    assert int.from_bytes(at[6], "little") == 11
    assert np.frombuffer(at[HEADER_WORDS + 4 + 2])[0] == 0.7
    assert int.from_bytes(at[HEADER_WORDS + 4 + 3], "little") == 8
    assert len(GOOD) == 8 * words_of(MEASUREMENT, M) == 8 * (7 + 4 * 2 + 2)


def test_the_loop_reads_what_python_writes():
    assert accepted(*rows_of([GOOD, GOOD[:-8], GOOD])) == 2


def test_one_wrong_bit_is_found():
    bad = [bytearray(GOOD) for _ in range(8 * len(GOOD))]
    for bit, packet in enumerate(bad):
        packet[bit // 8] ^= 1 << bit % 8
    assert not any(unpack(bytes(b), KEY) for b in bad)
    assert accepted(*rows_of([bytes(b) for b in bad])) == 0


@given(st.binary(max_size=256))
def test_other_bytes_are_no_packet(data):
    assert unpack(data, KEY) is None
    assert accepted(*rows_of([data])) == 0


@given(st.data())
def test_a_changed_packet_is_no_packet(data):
    bad = bytearray(GOOD)
    where = data.draw(st.lists(st.integers(0, len(bad) - 1), min_size=1, max_size=12, unique=True))
    for place in where:
        bad[place] ^= data.draw(st.integers(1, 255))
    cut = data.draw(st.integers(0, len(bad)))
    assert unpack(bytes(bad), KEY) is None
    assert accepted(*rows_of([bytes(bad), bytes(bad[:cut])])) == 0


def test_a_command_is_no_measurement():
    same_size = replace(MADE, kind=COMMAND, values=tuple((0.0,) * 3 for _ in range(M)))
    assert accepted(*rows_of([same_size.pack(KEY)])) == 0


def test_none_of_a_million_random_strings_and_a_million_changed_packets_is_accepted():
    random = np.random.default_rng(1)
    n, size = 1_000_000, len(GOOD)
    sizes = random.integers(0, 257, n)
    sizes[: n // 2] = size  # half of them of the right length
    strings = random.integers(0, 256, (n, 256), np.uint8)
    strings[: n // 4, :8] = np.frombuffer(GOOD[:8], np.uint8)  # and a quarter with a right start
    assert accepted(strings, sizes) == 0
    strings[:, :size] = np.frombuffer(GOOD, np.uint8)
    assert accepted(strings, np.full(n, size)) == n  # the reader does read
    for _ in range(3):
        places = random.integers(0, size, n)
        strings[np.arange(n), places] ^= random.integers(1, 256, n).astype(np.uint8)
    unchanged = (strings[:, :size] == np.frombuffer(GOOD, np.uint8)).all(axis=1)
    assert accepted(strings[~unchanged], np.full(n, size)) == 0
