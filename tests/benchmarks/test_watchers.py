"""A watcher that looks only at the heads of frames counts what a page would read."""

from __future__ import annotations

import json
import socket
import struct

import pytest

from benchmarks.watchers import AT_ONCE, BINARY, PING, PONG, TEXT, Received, Watcher

COLUMNS, STRIDE = 7, 4
TEST = json.dumps({"type": "test", "columns": ["x"] * COLUMNS, "stride": STRIDE}).encode()


def frame(code, payload):
    """Make a frame of RFC 6455, as a server sends it: whole, and without a mask."""
    size = len(payload)
    if size < 126:
        return struct.pack(">BB", 128 + code, size) + payload
    kind, code_of_size = (">BBH", 126) if size < 65536 else (">BBQ", 127)
    return struct.pack(kind, 128 + code, code_of_size, size) + payload


def rows(count, columns=COLUMNS):
    head = json.dumps({"type": "rows", "first": 0.0, "count": count}).encode()
    return frame(BINARY, struct.pack("<I", len(head)) + head + bytes(4 * columns * count))


@pytest.fixture
def ends():
    here, there = socket.socketpair()
    here.setblocking(False)
    there.settimeout(5)
    with here, there:
        yield Watcher(here), there


def test_every_sample_is_counted_however_the_bytes_arrive_and_a_ping_is_answered(ends):
    watcher, server = ends
    sent = frame(TEXT, TEST) + rows(0)
    for count in (1, 3, 50, 3000):  # lengths of 7, 16 and 64 bits
        sent += rows(count) + frame(PING, b"four") + frame(TEXT, b'{"type": "state"}')
    for at in range(0, len(sent), 997):
        server.sendall(sent[at : at + 997])
        assert watcher.empty()
    assert (watcher.got.samples, watcher.got.bytes) == (3054, len(sent))
    assert watcher.socket.getsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT) == AT_ONCE
    assert server.recv(1000) == 4 * (bytes([128 + PONG, 128 + 4, 0, 0, 0, 0]) + b"four")
    server.close()
    assert not watcher.empty()


def test_samples_that_do_not_fit_the_test_are_an_error(ends):
    watcher, server = ends
    server.sendall(frame(TEXT, TEST) + rows(5, COLUMNS + 1))
    with pytest.raises(AssertionError):
        watcher.empty()


def test_whoever_got_less_than_the_test_had_is_an_error():
    ticks = 10_000
    enough = Received(1_000_000, COLUMNS * ticks // STRIDE, COLUMNS, STRIDE)
    enough.check(ticks)
    with pytest.raises(AssertionError, match="of 12000 ticks"):
        enough.check(12_000)
