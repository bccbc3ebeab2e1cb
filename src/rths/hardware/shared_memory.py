"""A rig in another process of the same machine: two boxes in shared memory.

The packets are those of the network, so that a time-out, a torn write or a stale answer is noticed
in the same way.
"""

from __future__ import annotations

import mmap
import os
import tempfile
from pathlib import Path

import numpy as np

from rths.errors import InputError
from rths.hardware.base import Line, WiredHardware, describe, register
from rths.hardware.wire.medium import BOX, MEMORY


@register
@describe
class SharedMemory(WiredHardware):
    """Commands and measurements through a mapped file."""

    example = {"name": "rths-rig"}

    name: str = "rths-rig"
    """Name of the file in the machine's shared memory, or a path."""

    def __post_init__(self) -> None:
        """Refuse a name that cannot be one of a file."""
        if not self.name.strip() or "\0" in self.name:
            raise InputError("hardware.name", self.name, "names no file", 'As in "rths-rig".')

    @property
    def path(self) -> Path:
        """Where the file lies: in memory if the system has it, else with temporaries."""
        shared = Path("/dev/shm")
        return (shared if shared.is_dir() else Path(tempfile.gettempdir())) / self.name

    def open(self) -> Line:
        """Map the file; either end may come first."""
        try:
            memory = self._map()
        except OSError as error:
            problem = f"cannot be mapped as {self.path}: {error.strerror}"
            remedy = "Give a name without folders, or the path of a file in one that is there."
            raise InputError("hardware.name", self.name, problem, remedy) from None
        words = np.frombuffer(memory, np.int64)

        def send(packet: bytes) -> None:
            count = int(words[0]) | 1
            words[0], words[1] = count, len(packet)
            words[2 : 2 + len(packet) // 8] = np.frombuffer(packet, np.int64)
            words[0] = count + 1

        place = str(self.path)
        return Line(MEMORY, words.ctypes.data, (memory, words), send, where=place)

    def _map(self) -> mmap.mmap:
        descriptor = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            os.ftruncate(descriptor, 2 * BOX)
            return mmap.mmap(descriptor, 2 * BOX)
        finally:
            os.close(descriptor)

    def serve(self) -> Line:
        """Map the file at the rig's end."""
        return self.open()

    def remove(self) -> None:
        """Delete the file; whoever has it mapped keeps the memory."""
        self.path.unlink(missing_ok=True)
