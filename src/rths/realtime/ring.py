"""Memory that the loop and its supervisor share: control words, then a ring of rows.

    head = rows written, tail = rows taken;   row k lies at place k mod size                  (1)

One writes, one reads: each word has one owner and is published after what it announces. The memory
is a file in the machine's shared memory, so that it outlives a process that is killed: whatever is
between tail and head can still be read.
"""

from __future__ import annotations

import mmap
import os
import tempfile
import uuid
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rths.errors import InputError

HEAD, TAIL, LOST, STOP, BEAT, STATE, SLIPS, LIMIT = range(8)
"""Control words: rows written, rows taken, rows that found no room, request to stop, heartbeat of
the supervisor, what the loop is doing, whole periods slipped, slips that end the test."""
WORD = 8
"""int64 between two control words: each on a cache line of its own."""
STATES = ("starting", "ready", "running", "ended")
HEADER = ("tick", "latency", "busy")
"""Columns before the recorded signals: number of the tick, ns late at waking, ns of work."""
FIRST = 8 * WORD * 16
REFUSED = "refused.json"
"""File in which the loop's process says what it has against a test."""


def places() -> list[Path]:
    """Name where shared memory may lie: in memory if the system has it, then with temporaries."""
    return [p for p in (Path("/dev/shm"), Path(tempfile.gettempdir())) if os.access(p, os.W_OK)]


def beside(ring: Path) -> Path:
    """Name the file in shared memory that holds the loop's last words if the disk is full."""
    return ring.with_suffix(".status")


@dataclass(frozen=True, eq=False)
class SharedRing:
    """A mapped file with its control words and rows."""

    path: Path
    control: NDArray[np.int64]
    rows: NDArray[np.float64]
    memory: mmap.mmap

    @classmethod
    def create(cls, path: Path, rows: int, columns: int) -> SharedRing:
        """Make the file with room for a power of two of rows."""
        size = 1 << (rows - 1).bit_length()
        with open(path, "xb") as file:
            os.posix_fallocate(file.fileno(), 0, FIRST + 8 * size * columns)
        return cls.attach(path, columns)

    @classmethod
    def reserve(cls, rows: int, columns: int) -> SharedRing:
        """Make a ring of its own name in the first place that has room for it."""
        for place in places():
            path = place / f"rths-{uuid.uuid4().hex}"
            try:
                return cls.create(path, rows, columns)
            except OSError:
                path.unlink(missing_ok=True)
        needed = 8 * columns * rows / 1e6
        raise InputError(
            "ring", f"{needed:.0f} MB", "finds no room in shared memory", "Record fewer signals."
        )

    @classmethod
    def attach(cls, path: Path, columns: int) -> SharedRing:
        """Map an existing file."""
        with open(path, "r+b") as file:
            memory = mmap.mmap(file.fileno(), 0)
        words = np.frombuffer(memory, np.int64, FIRST // 8)
        rows = np.frombuffer(memory, np.float64, offset=FIRST).reshape(-1, columns)
        return cls(path, words, rows, memory)

    def word(self, which: int) -> int:
        """Read a control word."""
        return int(self.control[which * WORD])

    def put(self, which: int, value: int) -> None:
        """Write a control word."""
        self.control[which * WORD] = value

    def new(self) -> NDArray[np.float64]:
        """Copy all new rows, in order; they stay until they are released."""
        places = np.arange(self.word(TAIL), self.word(HEAD)) & (len(self.rows) - 1)
        rows: NDArray[np.float64] = self.rows[places].copy()
        return rows

    def release(self, rows: int) -> None:
        """Give the room of so many rows back to the loop: they are kept elsewhere."""
        self.put(TAIL, self.word(TAIL) + rows)

    def remove(self) -> None:
        """Delete the file; whoever has it mapped keeps the memory."""
        self.path.unlink(missing_ok=True)
        beside(self.path).unlink(missing_ok=True)
