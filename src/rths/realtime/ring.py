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
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

HEAD, TAIL, LOST, STOP, BEAT, STATE, SLIPS, LIMIT = range(8)
"""Control words: rows written, rows taken, rows that found no room, request to stop, heartbeat of
the supervisor, what the loop is doing, whole periods slipped, slips that end the test."""
WORD = 8
"""int64 between two control words: each on a cache line of its own."""
STATES = ("starting", "ready", "running", "ended")
HEADER = ("tick", "latency", "busy")
"""Columns before the recorded signals: number of the tick, ns late at waking, ns of work."""
FIRST = 8 * WORD * 16


def place() -> Path:
    """Find where shared memory lies: in memory if the system has it, else with temporaries."""
    shared = Path("/dev/shm")
    usable = shared.is_dir() and os.access(shared, os.W_OK)
    return shared if usable else Path(tempfile.gettempdir())


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

    def taken(self) -> NDArray[np.float64]:
        """Take all new rows out, in order."""
        head, tail = self.word(HEAD), self.word(TAIL)
        places = np.arange(tail, head) & (len(self.rows) - 1)
        rows: NDArray[np.float64] = self.rows[places].copy()
        self.put(TAIL, head)
        return rows

    def remove(self) -> None:
        """Delete the file; whoever has it mapped keeps the memory."""
        self.path.unlink(missing_ok=True)
