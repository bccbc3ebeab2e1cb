"""Pages that watch a cockpit and cost next to nothing: they stand for browsers on other machines.

A browser far away draws on its own cores, of which the loop knows nothing. What is left here is a
socket: the kernel takes what the cockpit sends, and wakes the one thread that empties all sockets
when 64 KiB are there. Each watcher reads one frame of samples as a page does. From then on only the
heads of the frames are looked at, to answer pings, without which a cockpit lets nobody stay, and
to count the samples, of which none may be missing:

    numbers of a frame = (payload - 4 - length of its head) / 4 = columns x samples             (1)

The process goes to the cores to which the cockpit has gone by itself.
"""

from __future__ import annotations

import json
import os
import selectors
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

AT_ONCE = 65536
"""Bytes at which the kernel wakes whoever reads."""
LOOK, EMPTY = 1.0, 5.0
"""Seconds between two looks at the cores of the cockpit, and between two times at which all is read
however little it is: a ping is answered within 20 s."""
PATIENCE = 60.0
"""Seconds until a cockpit that is just starting answers."""
LEAST = 0.9
"""Share of a test's samples that each must get: a cockpit that has no turn for seconds leaves out
what the loop has written over."""
TEXT, BINARY, PING, PONG = 1, 2, 9, 10
ROOT = Path(__file__).parents[1]


@dataclass
class Received:
    """What one watcher got."""

    bytes: int = 0
    numbers: int = 0
    columns: int = 0
    """Numbers of a sample; 0 until a frame of samples was read."""
    stride: int = 0
    """Ticks of the loop from sample to sample."""

    @property
    def samples(self) -> float:
        """Samples by (1)."""
        return self.numbers / self.columns

    def check(self, ticks: int) -> None:
        """Require the samples of a test of so many ticks."""
        least = LEAST * ticks / self.stride
        assert 4 * self.columns * least <= self.bytes, f"{self} of {ticks} ticks"
        assert least <= self.samples, f"{self} of {ticks} ticks"


@dataclass
class Watcher:
    """One connection."""

    socket: socket.socket
    got: Received = field(default_factory=Received)
    _rest: bytes = b""
    _columns: int = 0
    """Numbers of a sample, as the test says."""

    def empty(self) -> bool:
        """Read all that is there; False if the connection has ended."""
        while True:
            try:
                new = self.socket.recv(4 * AT_ONCE)
            except BlockingIOError:
                return True
            if not new:
                return False
            self.got.bytes += len(new)
            self._rest = self._walk(self._rest + new)

    def _walk(self, data: bytes) -> bytes:
        """Go from head to head of the frames; give what is not a whole one yet."""
        at = 0
        while len(data) - at >= 2:
            code, length, first = data[at] & 15, data[at + 1], at + 2
            if length >= 126:
                wide = 2 if length == 126 else 8
                length, first = int.from_bytes(data[first : first + wide], "big"), first + wide
            if len(data) < first + length:
                break
            at = first + length
            if code == BINARY:
                head = int.from_bytes(data[first : first + 4], "little")
                self.got.numbers += (length - 4 - head) // 4
            elif code == PING:
                self.socket.send(bytes([128 + PONG, 128 + length, *[0] * 4]) + data[first:at])
            if not self.got.columns:
                self._read(code, data[first:at])
        return data[at:]

    def _read(self, code: int, payload: bytes) -> None:
        """Read a message as a page does, until the first samples have come."""
        if code == TEXT:
            told = json.loads(payload)
            if told["type"] == "test":
                self._columns, self.got.stride = len(told["columns"]), told["stride"]
        elif code == BINARY:
            length = int.from_bytes(payload[:4], "little")
            head = json.loads(payload[4 : 4 + length])
            if head["count"]:
                assert len(payload) - 4 - length == 4 * self._columns * head["count"]
                self.got.columns = self._columns
                self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, AT_ONCE)


def ask_for_page(url: str, buffer: int | None = None) -> socket.socket:
    """Ask a cockpit for its live test, as the head of a WebSocket does."""
    host = url.removeprefix("http://").rstrip("/")
    name, port = host.split(":")
    made = socket.create_connection((name, int(port)), PATIENCE)
    if buffer is not None:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    lines = [
        "GET /live HTTP/1.1", f"Host: {host}", f"Origin: http://{host}", "Upgrade: websocket",
        "Connection: Upgrade", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        "Sec-WebSocket-Version: 13", "", "",
    ]  # fmt: skip
    made.sendall("\r\n".join(lines).encode())
    return made


def open_watcher(url: str) -> Watcher:
    """Open a page and wait until it is let in."""
    made, head = ask_for_page(url), b""
    while not head.endswith(b"\r\n\r\n"):
        byte = made.recv(1)
        assert byte, f"refused: {head!r}"
        head += byte
    assert head.startswith(b"HTTP/1.1 101 "), head
    made.setblocking(False)
    return Watcher(made)


def watch(url: str, count: int, server: int) -> None:
    """Watch until the standard input ends; then tell what came, one line for each watcher."""
    pages = [open_watcher(url) for _ in range(count)]
    print("watching", flush=True)
    with selectors.DefaultSelector() as ready:
        ready.register(sys.stdin, selectors.EVENT_READ)
        for page in pages:
            ready.register(page.socket, selectors.EVENT_READ, page)
        emptied, ends = time.monotonic(), False
        while not ends:
            found = [key for key, _ in ready.select(LOOK)]
            ends = any(key.data is None for key in found)
            due = ends or time.monotonic() - emptied > EMPTY
            emptied = time.monotonic() if due else emptied
            for page in pages if due else [key.data for key in found]:
                if not page.empty() and page.socket in ready.get_map():
                    ready.unregister(page.socket)
            with suppress(ProcessLookupError):
                os.sched_setaffinity(0, os.sched_getaffinity(server))
    for page in pages:
        print(json.dumps(asdict(page.got)))


@contextmanager
def watchers(
    server: subprocess.Popen[str], url: str, count: int, silent: bool
) -> Iterator[list[Received]]:
    """Open watchers of a cockpit, and one more that never reads if that is wanted.

    What each of them got is in the list at the end; one that got no samples is an error.
    """
    words = ["-m", "benchmarks.watchers", url, str(count), str(server.pid)]
    process = subprocess.Popen(
        [sys.executable, *words], cwd=ROOT, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    received: list[Received] = []
    deaf = None
    try:
        assert process.stdout.readline() == "watching\n", "the watchers were not let in"
        deaf = ask_for_page(url, buffer=4096) if silent else None
        yield received
        told, _ = process.communicate(timeout=PATIENCE)
        received += [Received(**json.loads(line)) for line in told.splitlines()]
        assert len(received) == count, "the watchers have ended before"
        assert all(r.columns and r.numbers for r in received), received
    finally:
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()
        if deaf is not None:
            deaf.close()


if __name__ == "__main__":
    watch(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
