"""The directory of a live test: one run at a time, nothing thrown away, no file half written."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rths.errors import InputError


@contextmanager
def hold_directory(folder: Path, patience: float = 0.0) -> Iterator[int]:
    """Hold a directory; whoever has the file that is given, as the loop's process, holds it too."""
    import fcntl

    file = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        end = time.monotonic() + patience
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > end:
                    remedy = "Wait for its end, or choose another directory."
                    problem = "is the directory of a run that goes on"
                    raise InputError("folder", str(folder), problem, remedy) from None
                time.sleep(0.02)
        yield file
    finally:
        os.close(file)


def refuse_unrecovered(folder: Path) -> None:
    """Refuse a directory with a run whose record was never made."""
    journal, record = folder / "journal", folder / "record.h5"
    if not journal.exists():
        return
    if not record.exists() or record.stat().st_mtime_ns < journal.stat().st_mtime_ns:
        remedy = f"Make its record first: rths recover {folder}."
        raise InputError("folder", str(folder), "holds a run that was cut off", remedy)


def write_whole(path: Path, text: str) -> None:
    """Write a file as a whole, or leave it as it was."""
    part = path.with_name(path.name + ".part")
    try:
        part.write_text(text, encoding="utf-8")
        os.replace(part, path)
    except OSError:
        part.unlink(missing_ok=True)
        raise
