"""The journal of a real-time test: rows as they come, appended and never changed.

    first line: JSON with the name of the test, its tick and the recorded columns
    then rows of float64: tick, latency, busy time, signals                                   (1)

A journal that breaks off in the middle of a row is read up to the row before. Rows that find no
room on the disk are taken back as a whole, so that they can be appended again. A journal whose file
is deleted or moved while it is written is made anew where it was, with all its rows; that may take
a while, in which it takes no new ones. Where it cannot be, as when a file has taken the place of
its folder, it goes on in a folder of its own beside that place, or among temporary files.
"""

from __future__ import annotations

import json
import os
import tempfile
import threading
import time
from contextlib import suppress
from errno import ENOENT
from io import FileIO
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from rths.errors import InputError
from rths.plain_file import require_file, write_whole
from rths.realtime.control_words import ITEM
from rths.records.timing import ROW_HEADER

UNCOUNTED = 2.0**53
"""Where a float64 does not count any more."""
SYNC, PAUSE = 1.0, 0.01
"""Seconds between two writes to the disk, and between two looks at a journal being made anew."""
PORTION = 1 << 20
"""Bytes that are copied at once."""
SPARE = "-rescued-"
"""What is put behind a folder's name where a journal cannot be in it any more."""
MOST_LINE_BYTES = 1 << 20
"""Bytes of the first line that are read: it has some hundreds."""


class Journal:
    """Appends rows to a file; a thread of its own sees to it that they get to the disk.

    Rows that are written outlive the process at once, and the machine after a second: a disk that
    is slow to take them must not keep the supervisor from its heartbeat. The same thread makes the
    file anew, for the same reason. It alone puts another file in the place of the present one, and
    nothing else closes a file before that thread has ended.
    """

    def __init__(self, path: Path, about: dict[str, Any]) -> None:
        self.path = path
        self._file = open(path, "x+b", buffering=0)  # noqa: SIM115 - closed by the context manager
        self._file.write(json.dumps(about).encode() + b"\n")
        self._over, self._failed = threading.Event(), list[OSError]()
        self._wanted, self._is_gone = threading.Event(), threading.Event()
        self._discarded = False
        self._worker = threading.Thread(target=self._work, daemon=True)
        self._worker.start()

    def append(self, rows: NDArray[np.float64]) -> None:
        """Write rows, all of them or none."""
        if self._failed:
            raise self._failed.pop()
        if self._is_gone.is_set() or not self._is_there():
            self._is_gone.set()
            self._wanted.set()
            raise FileNotFoundError(ENOENT, "its folder was deleted or moved; it is made anew")
        begun = self._file.tell()
        try:
            write_whole(self._file, np.ascontiguousarray(rows).tobytes())
        except OSError:
            self._file.seek(begun)
            self._file.truncate()
            raise

    def settle(self) -> None:
        """Wait until a journal that is being made anew takes rows again, or cannot."""
        while self._is_gone.is_set() and not self._failed and self._worker.is_alive():
            time.sleep(PAUSE)

    def discard(self) -> None:
        """Delete the journal of a test that has not begun; it is not made anew."""
        self._discarded = True
        with suppress(OSError):  # its folder is gone
            self.path.unlink()

    def _is_there(self) -> bool:
        """Tell whether the file still has its name."""
        try:
            return os.path.samestat(os.stat(self.path), os.fstat(self._file.fileno()))
        except PermissionError:  # it may be there, and its rows with it
            raise
        except OSError:
            return False

    def _work(self) -> None:
        while not self._over.is_set():
            asked = self._wanted.wait(SYNC)
            self._wanted.clear()
            try:
                if asked and self._is_gone.is_set():
                    self._make_anew()
                else:
                    os.fdatasync(self._file.fileno())
            except OSError as error:
                self._failed.append(error)

    def _make_anew(self) -> None:
        """Copy what was written into a new file of the same name, and go on there."""
        before = self._file
        if self._is_there():  # somebody has moved it back
            before.seek(0, os.SEEK_END)
            self._is_gone.clear()
            return
        path, anew = _open_anew(self.path)
        try:
            before.seek(0)
            while portion := before.read(PORTION):
                write_whole(anew, portion)
        except OSError:
            anew.close()
            path.unlink(missing_ok=True)
            raise
        self._file, self.path = anew, path
        self._is_gone.clear()
        before.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._over.set()
        self._wanted.set()
        self._worker.join()
        try:
            if not self._discarded and (self._is_gone.is_set() or not self._is_there()):
                self._make_anew()
            os.fdatasync(self._file.fileno())
        finally:
            self._file.close()


def _open_anew(path: Path) -> tuple[Path, FileIO]:
    """Make a file where it was or, where somebody has put something else, in a spare folder."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return path, open(path, "x+b", buffering=0)
    except OSError:
        spare = _make_spare_folder(path.parent) / path.name
        return spare, open(spare, "x+b", buffering=0)


def _make_spare_folder(folder: Path) -> Path:
    """Make a folder of a new name beside another, or where temporary files are."""
    whole = folder.absolute()
    name = f"{whole.name}{SPARE}"
    try:
        return Path(tempfile.mkdtemp(prefix=name, dir=whole.parent))
    except OSError:  # what held the folder is gone too, or cannot be written
        return Path(tempfile.mkdtemp(prefix=name))


def read_journal(path: Path) -> tuple[dict[str, Any], NDArray[np.float64]]:
    """Read what a journal is about and all its whole rows."""
    try:
        require_file(path)
        size = path.stat().st_size
        with path.open("rb") as file:
            about, width = _read_head(file.readline(MOST_LINE_BYTES))
            whole = (size - file.tell()) // (ITEM * width) * width
            rows = np.fromfile(file, np.float64, whole).reshape(-1, width)
        _check_ticks(rows[:, 0])
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise InputError(
            "journal", str(path), f"cannot be read ({error})", "Give the directory of a run."
        ) from error
    return about, rows


def _read_head(line: bytes) -> tuple[dict[str, Any], int]:
    """Read what a journal is about, and how many columns its rows have."""
    about = json.loads(line)
    if not isinstance(about, dict) or not isinstance(about.get("ring", ""), str):
        raise ValueError("its first line does not tell what it is about")
    width = about["width"]
    if type(width) is not int or width < len(ROW_HEADER):
        raise ValueError(f"rows of width {width} have no room for {', '.join(ROW_HEADER)}")
    return about, width


def _check_ticks(ticks: NDArray[np.float64]) -> None:
    """Refuse rows whose numbers do not grow: they are no rows of a run."""
    if not ticks.size:
        return
    counted = np.isfinite(ticks).all() and (ticks == np.floor(ticks)).all()
    if not counted or not 0 <= ticks[0] <= ticks[-1] < UNCOUNTED or (np.diff(ticks) <= 0).any():
        raise ValueError("the numbers of its ticks do not grow")
