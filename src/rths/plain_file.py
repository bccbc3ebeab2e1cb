"""Files as they should be: what is read is a file, and what is written is a file of its own.

A folder that somebody sent may hold links that lead elsewhere, and pipes that never end. A link in
the place of a result is taken away, not written through; what is no file is not waited for.
"""

from __future__ import annotations

import os
import stat
from io import FileIO
from pathlib import Path

from rths.errors import suggest


def drop_link(path: Path) -> Path:
    """Take a link away from where a file is to be written; give the path."""
    if path.is_symlink():
        path.unlink()
    return path


def write_text(path: Path, text: str) -> None:
    """Write a file as a whole, or leave it as it was."""
    part = path.with_name(path.name + ".part")
    try:
        part.unlink(missing_ok=True)
        file = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        with os.fdopen(file, "w", encoding="utf-8") as content:
            content.write(text)
        os.replace(part, path)
    except OSError:
        part.unlink(missing_ok=True)
        raise


def write_whole(file: FileIO, data: bytes) -> None:
    """Write all bytes: a file without a buffer may take a part of them at a time."""
    left = memoryview(data)
    while left:
        left = left[file.write(left) :]


def read_text(path: Path) -> str:
    """Read a file that somebody may have sent: a pipe in its place is not waited for."""
    require_file(path)
    return path.read_text(encoding="utf-8")


def suggest_file(path: Path) -> str:
    """Ask whether the most similar of the files beside a missing one was meant.

    In double quotes TOML reads ``\\t`` and ``\\b`` as one character each.
    """
    if not str(path).isprintable():
        return "A backslash in double quotes is no part of a path: write /. "
    try:
        return suggest(path.name, sorted(p.name for p in path.parent.iterdir()))
    except OSError:
        return ""


def require_file(path: Path) -> None:
    """Refuse, as the system does what it cannot read, a pipe or a device that never ends."""
    mode = path.stat().st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise OSError(None, "it is a pipe or a device, not a file")
