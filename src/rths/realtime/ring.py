"""Memory that the loop and its supervisor share: control words, then a ring of rows.

    rows taken <= k < rows written;   row k lies at place k mod size                          (1)

One writes, one reads: each word has one writer and is published after what it announces. The memory
is a file in the machine's shared memory, so that it outlives a process that is killed: every row
(1) can still be read.
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
from rths.realtime.control_words import CONTROL_BYTES, ITEM, ControlWord


def memory_folder() -> Path:
    """Name where shared memory lies: in memory if the system has it, else with temporaries.

    Where it has it and it is full, nothing else will do: a file on a disk is written back when the
    system likes, and the loop that writes into it then waits.
    """
    shared = Path("/dev/shm")
    return shared if shared.is_dir() else Path(tempfile.gettempdir())


def spare_status(ring: Path) -> Path:
    """Name the file in shared memory that takes the loop's status if the disk is full."""
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
            os.posix_fallocate(file.fileno(), 0, CONTROL_BYTES + ITEM * size * columns)
        return cls.attach(path, columns)

    @classmethod
    def reserve(cls, rows: int, columns: int) -> SharedRing:
        """Make a ring of its own name in shared memory, or say how much room is missing."""
        path = memory_folder() / f"rths-{uuid.uuid4().hex}"
        try:
            return cls.create(path, rows, columns)
        except OSError as error:
            path.unlink(missing_ok=True)
            needed = ITEM * columns * rows / 1e6
            problem = f"finds no room in {path.parent} ({error.strerror})"
            remedy = "Delete what is left there of other programs, or record fewer signals."
            raise InputError("ring", f"{needed:.3g} MB", problem, remedy) from None

    @classmethod
    def attach(cls, path: Path, columns: int) -> SharedRing:
        """Map an existing file."""
        with open(path, "r+b") as file:
            memory = mmap.mmap(file.fileno(), 0)
        words = np.frombuffer(memory, np.int64, CONTROL_BYTES // ITEM)
        rows = np.frombuffer(memory, np.float64, offset=CONTROL_BYTES).reshape(-1, columns)
        return cls(path, words, rows, memory)

    def read(self, word: ControlWord) -> int:
        """Read a control word."""
        return int(self.control[word.place])

    def write(self, word: ControlWord, value: int) -> None:
        """Write a control word."""
        self.control[word.place] = value

    def copy_new(self) -> NDArray[np.float64]:
        """Copy all new rows, in order; they stay until they are released."""
        places = np.arange(self.read(ControlWord.TAKEN), self.read(ControlWord.WRITTEN)) & (
            len(self.rows) - 1
        )
        rows: NDArray[np.float64] = self.rows[places].copy()
        return rows

    def release(self, rows: int) -> None:
        """Give the room of so many rows back to the loop: they are kept elsewhere."""
        self.write(ControlWord.TAKEN, self.read(ControlWord.TAKEN) + rows)

    def remove(self) -> None:
        """Delete the file; whoever has it mapped keeps the memory."""
        self.path.unlink(missing_ok=True)
        spare_status(self.path).unlink(missing_ok=True)
