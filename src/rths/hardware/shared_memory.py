"""A rig in another process of the same machine: two boxes in shared memory.

The packets are those of the network, so that a time-out, a torn write or a stale answer is noticed
in the same way. The memory has one rig and one loop at a time: each end is locked by whoever opens
it, until he closes it or ends.
"""

from __future__ import annotations

import mmap
import os
import re
import secrets
import stat
import struct
import tempfile
from pathlib import Path

import numpy as np

from rths.errors import InputError
from rths.hardware.base import Line, WiredHardware, describe, register
from rths.hardware.wire.key_file import read_key
from rths.hardware.wire.medium import BOX, MEMORY
from rths.hardware.wire.memory_mark import BOXES_AT, MARK, SIZE

LOOP, RIG = 0, 1
"""Bytes of the memory that the two ends lock."""
HOLD, LET_GO = 1, 2
"""F_WRLCK and F_UNLCK of <fcntl.h>."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_LOCK = struct.Struct("hh4xqqi4x")
"""struct flock of <fcntl.h>, 64 bits: type, whence, start, length, process."""


@register
@describe
class SharedMemory(WiredHardware):
    """Commands and measurements through a mapped file."""

    example = {"name": "rths-rig"}

    name: str = "rths-rig"
    """Name of the file in the machine's shared memory: letters, digits, dots, dashes."""

    def __post_init__(self) -> None:
        """Refuse what is no name: a path could be that of somebody's file."""
        if not _NAME.fullmatch(self.name):
            problem = "is no name of shared memory"
            remedy = 'Give up to 64 letters, digits, dots, dashes or underscores, as in "rths-rig".'
            raise InputError("hardware.name", self.name, problem, remedy)

    @property
    def place(self) -> str:
        """The name."""
        return self.name

    @property
    def path(self) -> Path:
        """Where the file lies: in memory if the system has it, else with temporaries."""
        shared = Path("/dev/shm")
        return (shared if shared.is_dir() else Path(tempfile.gettempdir())) / self.name

    def open(self) -> Line:
        """Open the loop's end; either end may come first."""
        return self._line(LOOP)

    def serve(self) -> Line:
        """Open the rig's end."""
        return self._line(RIG)

    def _line(self, end: int) -> Line:
        key = read_key(self.key)
        try:
            descriptor = self._descriptor()
        except OSError as error:
            problem = f"cannot be made or opened as {self.path}: {error.strerror}"
            remedy = "Choose another name, or make room in shared memory."
            raise InputError("hardware.name", self.name, problem, remedy) from None
        try:
            self._check(descriptor)
            self._lock(descriptor, end)
            memory = mmap.mmap(descriptor, SIZE)
        except BaseException:
            os.close(descriptor)
            raise
        words = np.frombuffer(memory, np.int64)[BOXES_AT // 8 :]
        boxes = words[: BOX // 8], words[BOX // 8 :]
        seen = [int(boxes[1][0])]

        def send(packet: bytes) -> None:
            write_packet(boxes[0], packet)

        def receive() -> bytes | None:
            return read_packet(boxes[1], seen)

        def shut() -> None:
            _set_lock(descriptor, end, LET_GO)  # the mapping keeps the file open
            os.close(descriptor)

        kept, where = (memory, words), str(self.path)
        return Line(MEMORY, words.ctypes.data, kept, send, receive, shut, where, key)

    def _descriptor(self) -> int:
        """Open the file, made with all its bytes if it is not there."""
        flags = os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC
        try:
            return os.open(self.path, flags)
        except FileNotFoundError:
            made = Path(f"{self.path}.{secrets.token_hex(8)}")  # whole before anybody sees it
            file = os.open(made, flags | os.O_CREAT | os.O_EXCL, 0o600)
            try:
                os.posix_fallocate(file, 0, SIZE)
                os.pwrite(file, MARK, 0)
                os.link(made, self.path)
            except FileExistsError:  # the other end was quicker
                os.close(file)
                return os.open(self.path, flags)
            except BaseException:
                os.close(file)
                raise
            finally:
                made.unlink()
            return file

    def _check(self, descriptor: int) -> None:
        """Refuse a file that is not the memory of a link: it is somebody's, and stays as it is."""
        about = os.fstat(descriptor)
        ours = stat.S_ISREG(about.st_mode) and about.st_size == SIZE
        if not ours or os.pread(descriptor, len(MARK), 0) != MARK:
            problem = f"is a file that no link of this version has made ({self.path})"
            remedy = "Choose another name, or delete it if it was left by an older version."
            raise InputError("hardware.name", self.name, problem, remedy)

    def _lock(self, descriptor: int, end: int) -> None:
        """Hold one end of the memory."""
        try:
            _set_lock(descriptor, end, HOLD)
        except OSError:
            who = "rig" if end == RIG else "loop"
            problem, remedy = f"has a {who} already", f"End that {who}, or choose another name."
            raise InputError("hardware.name", self.name, problem, remedy) from None

    def remove(self) -> None:
        """Delete the file; whoever has it mapped keeps the memory."""
        self.path.unlink(missing_ok=True)


def _set_lock(descriptor: int, byte: int, kind: int) -> None:
    """Lock or unlock a byte for this opening of a file, wherever else the process has it open."""
    import fcntl  # not on every system, where a plan may yet be read

    fcntl.fcntl(descriptor, fcntl.F_OFD_SETLK, _LOCK.pack(kind, os.SEEK_SET, byte, 1, 0))


def write_packet(box: np.ndarray[tuple[int], np.dtype[np.int64]], packet: bytes) -> None:
    """Put a packet into a box, as compiled code does."""
    count = int(box[0]) | 1
    box[0], box[1] = count, len(packet)
    box[2 : 2 + len(packet) // 8] = np.frombuffer(packet, np.int64)
    box[0] = count + 1


def read_packet(box: np.ndarray[tuple[int], np.dtype[np.int64]], seen: list[int]) -> bytes | None:
    """Take a new packet out of a box; None if there is none. ``seen`` holds the last count."""
    count, size = int(box[0]), int(box[1])
    if count & 1 or count == seen[0] or not 0 <= size <= BOX - 16:
        return None
    packet = box[2 : 2 + -(-size // 8)].tobytes()[:size]
    if int(box[0]) != count:
        return None
    seen[0] = count
    return packet
