"""The journal of a real-time test: rows as they come, appended and never changed.

    first line: JSON with the name of the test, its tick and the recorded columns
    then rows of float64: tick, latency, busy time, signals                                   (1)

A journal that breaks off in the middle of a row is read up to the row before.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from rths.errors import InputError


class Journal:
    """Appends rows to a file and sees to it that they are on the disk."""

    def __init__(self, path: Path, about: dict[str, Any]) -> None:
        self.path = path
        self._file = open(path, "xb", buffering=0)  # noqa: SIM115 - closed by the context manager
        self._file.write(json.dumps(about).encode() + b"\n")

    def append(self, rows: NDArray[np.float64]) -> None:
        """Write rows and flush them to the disk."""
        if len(rows):
            self._file.write(np.ascontiguousarray(rows).tobytes())
            os.fdatasync(self._file.fileno())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._file.close()


def read_journal(path: Path) -> tuple[dict[str, Any], NDArray[np.float64]]:
    """Read what a journal is about and all its whole rows."""
    try:
        head, _, body = path.read_bytes().partition(b"\n")
        about: dict[str, Any] = json.loads(head)
        width = int(about["width"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(
            "journal", str(path), f"cannot be read ({error})", "Give the directory of a run."
        ) from error
    whole = len(body) // (8 * width) * 8 * width
    return about, np.frombuffer(body[:whole]).reshape(-1, width).copy()
